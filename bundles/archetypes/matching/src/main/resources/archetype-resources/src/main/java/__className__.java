package ${package};

import io.berth.policy.support.SlotAssignment;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Fills workers that have a label before all others. */
@Component
@Policy(kind = "matching", name = "${artifactId}", configuration = {"label", "value"})
public final class ${className} implements MatchingStrategyFactory {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                "${artifactId}",
                "Fills workers that have a label before all others",
                List.of(
                        ConfigurationKey.text("label", "zone", "the key of the label"),
                        ConfigurationKey.text("value", "", "its value; empty for any")));
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
        String label = configuration.text("label");
        String value = configuration.text("value");
        return new MatchingStrategy() {
            @Override
            public PlacementSession openPlacement(WorkersView workers) {
                return new ${className}Session(workers, label, value);
            }

            @Override
            public AssignmentSession openAssignment() {
                return SlotAssignment::assign;
            }
        };
    }
}

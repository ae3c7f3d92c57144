package ${package};

import io.berth.spi.ConfigurationKey;
import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.distribution.DistributionPolicy;
import io.berth.spi.distribution.DistributionPolicyFactory;
import java.time.Duration;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Small units come first, until a larger one has waited for too long. */
@Component
@Policy(kind = "distribution", name = "${artifactId}", configuration = "patience")
public final class ${className} implements DistributionPolicyFactory {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                "${artifactId}",
                "Small units come first, until a larger one has waited for too long",
                List.of(ConfigurationKey.duration(
                        "patience",
                        Duration.ofMinutes(10),
                        Duration.ofSeconds(1),
                        Duration.ofDays(1),
                        "who has waited for so long comes before all others, in the order of submission")));
    }

    @Override
    public DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context) {
        long patienceMillis = configuration.duration("patience").toMillis();
        return demands -> new ${className}Session(demands, patienceMillis);
    }
}

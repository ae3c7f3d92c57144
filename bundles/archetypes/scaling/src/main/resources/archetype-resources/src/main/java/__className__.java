package ${package};

import io.berth.spi.ConfigurationKey;
import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.scaling.ScalingPolicy;
import io.berth.spi.scaling.ScalingPolicyFactory;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Desires a share of the maximum of each vertex, and restarts a job only for changes that are worth it. */
@Component
@Policy(kind = "scaling", name = "${artifactId}", configuration = {"share", "least.change"})
public final class ${className} implements ScalingPolicyFactory {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                "${artifactId}",
                "Desires a share of the maximum of each vertex",
                List.of(
                        ConfigurationKey.share("share", 0.5, "the share of its maximum that a vertex should run at"),
                        ConfigurationKey.number(
                                "least.change", 2, 1, 1_000, "a job grows only if so many tasks are added")));
    }

    @Override
    public ScalingPolicy create(PolicyConfiguration configuration, PolicyContext context) {
        double share = configuration.share("share");
        long leastChange = configuration.number("least.change");
        return job -> new ${className}Session(job, share, leastChange);
    }
}

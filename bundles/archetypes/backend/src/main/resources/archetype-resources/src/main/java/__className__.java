package ${package};

import io.berth.spi.ConfigurationKey;
import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyDescription;
import io.berth.spi.ResourceProfile;
import io.berth.spi.backend.Backend;
import io.berth.spi.backend.BackendContext;
import io.berth.spi.backend.BackendFactory;
import io.berth.spi.backend.WorkerSpec;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Workers of one size, as many as are needed. Here they are processes of this machine. */
@Component
@Policy(kind = "backend", name = "${artifactId}", configuration = {"workers.max", "worker.cpu", "worker.memory"})
public final class ${className} implements BackendFactory {

    private static final long MIB = 1L << 20;

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                "${artifactId}",
                "Workers of one size, as many as are needed",
                List.of(
                        ConfigurationKey.number("workers.max", 3, 0, 1_000, "how many workers it starts at most"),
                        ConfigurationKey.decimal("worker.cpu", 1, 0.1, 1_000, "cores of a worker"),
                        ConfigurationKey.size(
                                "worker.memory", 512 * MIB, 64 * MIB, 1L << 40, "memory for the slots of a worker")));
    }

    @Override
    public Backend create(PolicyConfiguration configuration, BackendContext context) {
        ResourceProfile size = ResourceProfile.of(
                Math.round(configuration.decimal("worker.cpu") * 1_000), configuration.size("worker.memory"));
        WorkerSpec spec = WorkerSpec.of("worker", size)
                .maximum((int) configuration.number("workers.max"))
                .build();
        return new ${className}Workers(context, spec);
    }
}

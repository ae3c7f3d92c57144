package io.berth.backend.local;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyDescription;
import io.berth.spi.backend.Backend;
import io.berth.spi.backend.BackendContext;
import io.berth.spi.backend.BackendFactory;
import org.osgi.service.component.annotations.Component;

/** Offers the backend {@code local}: worker processes on this machine. */
@Component(service = BackendFactory.class)
@Policy(
        kind = "backend",
        name = "local",
        configuration = {
            "worker.cpu",
            "worker.memory",
            "worker.off.heap",
            "worker.managed",
            "worker.resources",
            "worker.slots",
            "worker.labels",
            "worker.taints",
            "worker.cost.per.hour",
            "workers.min",
            "workers.max",
            "exit.grace.ms",
            "worker.stable.ms",
            "start.failures.max",
            "start.pause.ms",
            "log.max.bytes",
            "logs.kept"
        })
public final class LocalBackendFactory implements BackendFactory {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription("local", "Worker processes on this machine", LocalConfiguration.KEYS);
    }

    @Override
    public Backend create(PolicyConfiguration configuration, BackendContext context)
            throws InvalidConfigurationException {
        return new LocalBackend(LocalConfiguration.of(configuration), context);
    }
}

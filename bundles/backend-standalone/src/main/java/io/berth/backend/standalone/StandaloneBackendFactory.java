package io.berth.backend.standalone;

import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyDescription;
import io.berth.spi.backend.Backend;
import io.berth.spi.backend.BackendContext;
import io.berth.spi.backend.BackendFactory;
import io.berth.spi.backend.WorkerDeclaration;
import io.berth.spi.backend.WorkerSpec;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Provides the backend {@code standalone}: it starts nothing and accepts every worker that joins. */
@Component(service = BackendFactory.class)
@Policy(kind = "backend", name = "standalone")
public final class StandaloneBackendFactory implements BackendFactory {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription("standalone", "Workers that are started by hand and join");
    }

    @Override
    public Backend create(PolicyConfiguration configuration, BackendContext context) {
        return new StandaloneBackend();
    }

    private static final class StandaloneBackend implements Backend {

        @Override
        public List<WorkerSpec> specs() {
            return List.of();
        }

        @Override
        public void declare(WorkerDeclaration declaration) {
            // Nothing can be started; the needed workers must join by themselves.
        }

        @Override
        public void close() {
            // Nothing was started.
        }
    }
}

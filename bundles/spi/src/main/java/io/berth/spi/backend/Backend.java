package io.berth.spi.backend;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/** One cluster manager. Calls come one at a time and must return soon. Long work continues inside the backend. */
@ConsumerType
public interface Backend extends AutoCloseable {

    /**
     * The worker specs that the backend can start, smallest first; empty when it starts none yet. Called once, right
     * after creation; later changes are reported by {@link BackendContext#specs}.
     */
    List<WorkerSpec> specs();

    /**
     * Declares the workers that are needed. The declaration is absolute: it replaces the previous one. The backend
     * starts missing workers and replaces workers that ended. If fewer workers are needed than exist, the backend
     * withdraws requests that were not granted yet. It stops only the workers that the declaration names as unwanted.
     * The first declaration comes soon after creation, also to a backend that offers no specs.
     *
     * <p>Workers of some backends outlive the backend. At the first call, such a backend looks for workers of earlier
     * backends that still run, and reports each as started ({@link BackendContext#started}) before it starts new ones.
     * From then on they are workers like all others: they count toward the declaration, and an unwanted one is
     * stopped, even if it hangs. While a ResourceManager waits for the workers of the previous ResourceManager, it
     * declares that it needs none, so that it learns about them.
     *
     * <p>While a call runs, the newest declaration waits; it includes the unwanted workers of all declarations that it
     * replaced. A call that throws is repeated after a second, with the newest declaration. After a call that hangs,
     * only {@link #close} is called.
     */
    void declare(WorkerDeclaration declaration);

    /**
     * Stops all workers that the backend started, unless they stay ({@link BackendContext#workersStay}), and ends the
     * backend. Called when its bundle stops, when its configuration changes, and when the ResourceManager ends or is
     * replaced by another one. Workers stay unless the control plane ends: a backend of the same name may follow and take
     * them over. It is the last call and takes at most ten seconds.
     */
    @Override
    void close();
}

package io.berth.spi.backend;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/** One cluster manager. Calls come one after another and return soon: what takes long goes on in the backend. */
@ConsumerType
public interface Backend extends AutoCloseable {

    /**
     * The kinds of worker that it can start, smallest first; empty when it starts none. The same for its whole life.
     * Called once, right after creation.
     */
    List<WorkerSpec> specs();

    /**
     * Declares the workers that are needed. Absolute: replaces what was declared before. The backend starts what is
     * missing and replaces workers that ended. Fewer than there are: it withdraws requests that were not granted yet,
     * and stops only the workers that the declaration names as unwanted.
     *
     * <p>With the first call a backend whose workers outlive it looks for those of earlier lives that still run, and
     * reports each as started ({@link BackendContext#started}) before it starts any. They are workers like others from
     * then on: they count towards what is declared, and one that is unwanted is ended, also one that hangs. While a
     * ResourceManager waits for the workers of the one before it declares that none is needed, so that it learns of them.
     *
     * <p>While a call is under way the newest declaration waits, with the unwanted workers of all that it replaced. A call
     * that throws is repeated after a second, with what was declared meanwhile; one that hangs is the last but {@link
     * #close}.
     */
    void declare(WorkerDeclaration declaration);

    /**
     * Stops all workers it started, unless they stay ({@link BackendContext#workersStay}), and ends: when its bundle
     * goes, when its configuration changed, when the ResourceManager ends or is followed by another. The last call.
     * Bounded: at most ten seconds.
     */
    @Override
    void close();
}

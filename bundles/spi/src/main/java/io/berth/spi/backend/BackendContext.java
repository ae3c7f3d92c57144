package io.berth.spi.backend;

import io.berth.spi.WorkerId;
import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * What the ResourceManager gives to a backend. The methods may be called on any thread and never block. It belongs to one
 * backend and is dead once that one was closed: what is told then has no effect, and is logged once; what it answers
 * stays valid.
 */
@ProviderType
public interface BackendContext {

    /**
     * The command line that starts a worker on this machine: program and arguments, nothing to be quoted. The worker
     * finds the ResourceManager by itself and registers under the id.
     */
    List<String> launchCommand(WorkerId worker, WorkerSpec spec);

    /** A directory of the backend's own for logs and process records; the same for the backend of that name after it. */
    Path directory();

    /** What the id of each worker begins with that is started in this life of the ResourceManager; unique for it. */
    String workerIdPrefix();

    /**
     * A worker was granted and is starting, or still runs from an earlier life, which its id tells; it will register under
     * this id, and is named as unwanted when it does not in time.
     */
    void started(WorkerId worker, WorkerSpec spec);

    /**
     * A worker ended, whether it was wanted or not. The backend replaces it while the declaration needs it.
     *
     * @param diagnostics one line for people
     */
    void ended(WorkerId worker, String diagnostics);

    /**
     * A worker could not be started.
     *
     * @param diagnostics one line for people
     */
    void startFailed(WorkerSpec spec, String diagnostics);

    /**
     * Whether workers go on under another ResourceManager: asked when the backend is closed, which then ends and leaves
     * them running, as after a crash.
     */
    default boolean workersStay() {
        return false;
    }
}

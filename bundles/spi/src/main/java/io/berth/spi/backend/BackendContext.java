package io.berth.spi.backend;

import io.berth.spi.WorkerId;
import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * What the ResourceManager gives to a backend. The methods may be called on any thread and never block. A context
 * belongs to one backend and is dead after that backend was closed: later reports have no effect and are logged once.
 * Values that it returned stay valid.
 */
@ProviderType
public interface BackendContext {

    /**
     * The command line that starts a worker on this machine: program and arguments, without quoting. The worker finds
     * the ResourceManager itself and registers under the id.
     */
    List<String> launchCommand(WorkerId worker, WorkerSpec spec);

    /**
     * A directory that belongs to the backend, for logs and process records. A later backend with the same name gets
     * the same directory.
     */
    Path directory();

    /** The prefix of the id of each worker that this ResourceManager starts. It is unique to this ResourceManager. */
    String workerIdPrefix();

    /**
     * A worker was granted and is starting, or still runs from an earlier ResourceManager, as its id shows. It will
     * register under this id. If it does not register in time, the next declaration names it as unwanted.
     */
    void started(WorkerId worker, WorkerSpec spec);

    /**
     * The backend has reported as started every worker that still runs from an earlier instance: one that it has not
     * reported does not exist. Called once, soon after the first declaration; the ResourceManager waits for it, for some
     * seconds, before it requests workers.
     */
    default void recovered() {}

    /**
     * A worker ended, wanted or not. The backend replaces it while the declaration needs it.
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
     * Whether workers keep running under the next ResourceManager or the next backend of the same name. A backend asks this
     * in {@code close}. If true, it ends and leaves its workers running, as after a crash.
     */
    default boolean workersStay() {
        return false;
    }
}

package io.berth.spi.backend;

import io.berth.spi.WorkerId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * What the ResourceManager gives to a backend. The methods may be called on any thread. Except for {@link #archive},
 * they never block; {@link #launch} may read a small file. A context
 * belongs to one backend and is dead after that backend was closed: later reports have no effect and are logged once.
 * Values that it returned stay valid.
 */
@ProviderType
public interface BackendContext {

    /**
     * How the process of a worker is started. The process finds the ResourceManager itself and registers under the id,
     * with the size and the labels of the spec. A cluster manager that granted more than was asked for is described by a
     * spec of the granted size. A worker that registers with less than its spec has counts as a failed start of the spec:
     * it is named as unwanted, and no other one is requested for some time.
     *
     * @throws IllegalStateException when the secrets of workers cannot be read now: a failed start
     */
    LaunchDescription launch(WorkerId worker, WorkerSpec spec);

    /**
     * The files of worker processes as one file, for backends that start workers on other machines. Unlike the other
     * methods it may take some seconds, because the file is packed at the first call and again when the files have
     * changed: call it on a thread of the backend.
     *
     * @throws IOException when the files cannot be read, or the archive cannot be written
     */
    WorkerArchive archive() throws IOException;

    /**
     * The name of this backend: that of its factory, or that of the configuration of which it is an instance. Its workers
     * have it as the label {@code berth.backend}.
     */
    String name();

    /**
     * A directory that belongs to the backend, for logs and process records. A later backend with the same name gets
     * the same directory.
     */
    Path directory();

    /** Monotonic time in milliseconds. */
    long now();

    /** Wall-clock time in milliseconds since 1970; it may jump. */
    long wallTime();

    /** The time zone of the control plane, for backends that follow the calendar. */
    ZoneId zone();

    /**
     * Milliseconds until the deadline of the call into the backend that runs, at least 0; the whole deadline of {@link
     * Backend#declare} when none runs. For the timeouts of requests to the cluster manager. While the backend is in
     * development, another deadline follows each one that passes.
     */
    long remainingMillis();

    /** The prefix of the id of each worker that this ResourceManager starts. It is unique to this ResourceManager. */
    String workerIdPrefix();

    /**
     * The worker specs that the backend can start from now on, smallest first; empty when it can start none now. They
     * replace those of {@link Backend#specs} or of the last call, completely. A backend calls this whenever what it
     * offers changes: room that is sold out or there again (a lower or higher maximum), a quota, a price, labels, a new
     * kind of machine.
     *
     * <ul>
     *   <li>Of a spec that is gone, requests that were not granted are withdrawn. Workers that exist stay, and are named
     *       as unwanted when nothing needs them.
     *   <li>A spec of the same name with another size, other default slots, labels or taints, or another
     *       {@link WorkerSpec#preemptible}, is another kind of worker: requests that were not granted are made again.
     *   <li>With a lower maximum, requests beyond it are withdrawn; no worker is stopped. With any other maximum, a pause
     *       of the spec after a failed start ends.
     *   <li>Another price, start time or minimum changes nothing about requests and pauses. Workers that exist cost what
     *       their spec costs now, unless they state their own cost; their labels and taints stay.
     * </ul>
     *
     * <p>Call it before {@link #started} names a worker of a new spec. It may be called in {@link BackendFactory#create}
     * and replaces what {@link Backend#specs} returns then.
     *
     * @throws IllegalArgumentException when the specs are not acceptable: it names the spec, the value and what is
     *     allowed; the previous specs stay in effect
     */
    void specs(List<WorkerSpec> specs);

    /**
     * A worker was granted and is starting, or still runs from an earlier ResourceManager, as its id shows. It will
     * register under this id. If it does not register in time, the next declaration names it as unwanted.
     *
     * @param spec name of its spec; one that is no longer offered is allowed for a worker that still runs
     */
    void started(WorkerId worker, String spec);

    /**
     * The cluster manager has accepted the request for workers of the spec and has no room yet. Jobs that wait for
     * workers of the spec, and the list of workers, show the text until a worker of it starts or fails to start, or until
     * none is requested. The request stays; a backend that gives up reports {@link #startFailed}.
     *
     * @param spec name of the spec
     * @param diagnostics one line for people
     */
    void queued(String spec, String diagnostics);

    /**
     * The backend has reported as started every worker that still runs from an earlier instance: one that it has not
     * reported does not exist. Called once, soon after the first declaration; the ResourceManager waits for it, for some
     * seconds, before it requests workers.
     */
    default void recovered() {}

    /**
     * The cluster manager will take a worker away, for example after a spot notice or because its node is drained. From
     * now on the worker receives no slots. Its jobs get other slots first, as far as there is room, and restart once, at
     * the latest before the deadline; that is not a failure. An empty worker is named as unwanted, also when it belongs
     * to the minimum of its spec, so that the backend starts another one for the minimum. If the cluster manager ends the
     * worker before that, the backend reports {@link #ended} as usual.
     *
     * <ul>
     *   <li>The last call for a worker counts: another deadline or reason replaces the previous one, also an earlier
     *       deadline. It cannot be withdrawn. If an operator drains the worker too, the earlier deadline counts, and the
     *       operator cannot undrain it.
     *   <li>A worker that has not registered yet leaves too. It may be named before {@link #started} is reported.
     *   <li>If there is not enough time for other slots, jobs restart at half of the time that is left, and with a
     *       deadline that is over, at once. Nothing else happens when a deadline is over: the cluster manager ends the
     *       worker.
     *   <li>The process of the worker keeps it for the next ResourceManager. A worker that has not registered cannot keep
     *       it. Therefore a backend that reports running workers of an earlier instance also calls this for those that
     *       leave.
     *   <li>Many calls shortly after each other take effect together, up to 200 ms later. A repeated call for a worker
     *       whose reason is the same and whose deadline differs by less than a second has no effect.
     * </ul>
     *
     * @param worker a worker of this backend
     * @param millis time left until the worker is taken away, at most {@value #MAX_LEAVING_MILLIS} (30 days); 0 or less when it
     *     is over; {@link #NO_DEADLINE} if the worker is taken away as soon as it is empty
     * @param reason one line for people, cut at about 150 characters: {@code spot notice}
     * @throws IllegalArgumentException if the worker is not one of this backend, or the time is too long
     */
    void leaving(WorkerId worker, long millis, String reason);

    /** A worker leaves as soon as it is empty, whenever that is. */
    long NO_DEADLINE = Long.MAX_VALUE;

    /** The longest time until a worker leaves, 30 days. */
    long MAX_LEAVING_MILLIS = 30L * 24 * 60 * 60 * 1_000;

    /**
     * A worker ended, wanted or not. The backend replaces it while the declaration needs it.
     *
     * @param diagnostics one line for people
     */
    void ended(WorkerId worker, String diagnostics);

    /**
     * A worker could not be started. {@link StartFailure.Kind} says what the ResourceManager does next. Jobs that wait
     * for workers of the spec show which spec failed, why, and when it is tried again.
     *
     * @param spec name of the spec
     */
    void startFailed(String spec, StartFailure failure);

    /**
     * Whether workers keep running under the next ResourceManager or the next backend of the same name. A backend asks this
     * in {@code close}. If true, it ends and leaves its workers running, as after a crash.
     */
    default boolean workersStay() {
        return false;
    }
}

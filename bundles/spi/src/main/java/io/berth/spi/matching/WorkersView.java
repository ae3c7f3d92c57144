package io.berth.spi.matching;

import io.berth.spi.WorkerId;
import java.util.Optional;
import java.util.OptionalLong;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The workers of a pool, as columns by index. A strategy reads the view only during calls; the content changes between
 * calls. An index belongs to its worker while the worker exists; the index of a worker that left is reused. Amounts
 * have the units of {@link io.berth.spi.ResourceProfile}. The dimensions are 0 cpu, 1 heap, 2 off-heap, 3 managed, and
 * from 4 the extended resources. The number of dimensions is constant during a session.
 */
@ProviderType
public interface WorkersView {

    /** Number of the state that the view shows. It grows with each change. */
    long stateNumber();

    /**
     * Time of the state, in the milliseconds of {@link io.berth.spi.PolicyContext#now}. It is constant during a call,
     * so that everything computed from it can be replayed.
     */
    long now();

    /** Wall-clock time of the same moment, in milliseconds since 1970; it may jump. Its zone is that of {@link
     * io.berth.spi.PolicyContext#zone}. */
    long wallTime();

    /** The number of dimensions, at least 4. */
    int dimensions();

    /** Name of a dimension. */
    String dimension(int dimension);

    /** One more than the highest index in use. */
    int limit();

    /**
     * Whether the index has a worker that may take slots; blocked workers are not shown. The other methods accept only
     * workers that are present.
     */
    boolean present(int worker);

    /** Whether the worker was requested but has not registered yet. Its profile is that of its spec. */
    boolean pending(int worker);

    /**
     * Wall-clock time at which the process of the worker started, in milliseconds since 1970; empty while it is pending.
     * It stays the same, but for some milliseconds, when the ResourceManager restarts.
     */
    OptionalLong startedAt(int worker);

    /**
     * Wall-clock time at which the worker leaves, in milliseconds since 1970, because an operator drains it or its backend
     * takes it away; it may be over. {@link Long#MAX_VALUE} if it leaves as soon as it is empty; empty if it stays.
     *
     * <p>Nothing is free on a worker that leaves, so nothing can be placed or reserved there. Jobs that have slots there
     * request others instead of them, and move; they are not asked to return them. A strategy that {@link
     * MatchingStrategy#usesAllocations uses allocations} can tell which jobs have to move until when, for example to keep
     * room for them.
     */
    OptionalLong leavingAt(int worker);

    /** Id of the worker. */
    WorkerId id(int worker);

    /** All that the worker offers to slots. */
    long total(int worker, int dimension);

    /** What no slot has taken, at least 0. */
    long free(int worker, int dimension);

    /** Name of the backend that started the worker. */
    String backend(int worker);

    /** Name of the spec that the worker was started for, within its backend; empty for none. */
    String spec(int worker);

    /**
     * What the worker costs for each hour, in the operator's currency; 0: not known. It is what the worker stated when it
     * was started, or else what its spec costs now, which may change.
     */
    double costPerHour(int worker);

    /**
     * A label of the worker. Its backend and its spec are labels too, {@code berth.backend} and, unless it has none,
     * {@code berth.spec}.
     */
    Optional<String> label(int worker, String key);

    /** A taint of the worker: it keeps slots away whose group does not tolerate it. */
    Optional<String> taint(int worker, String key);

    /**
     * A number that changes when the labels or taints at the index change, also because another worker has it now. Then
     * other entries may be feasible, although no worker gained room.
     */
    int revision(int worker);

    /** How many worker specs the backends of the pool can start. */
    int specs();

    /** Name of the spec within its backend. */
    String specName(int spec);

    /** Name of the backend that offers the spec. */
    String specBackend(int spec);

    /** A label that a new worker of the spec would have. */
    Optional<String> specLabel(int spec, String key);

    /** A taint that a new worker of the spec would have. */
    Optional<String> specTaint(int spec, String key);

    /** What a worker of the spec costs for each hour, in the operator's currency; 0: not known. */
    double specCostPerHour(int spec);

    /**
     * How long it usually takes until a worker of the spec has registered, in milliseconds; 0: not known. It is what the
     * backend says, or else the median of the last starts.
     */
    long specStartMillis(int spec);

    /** Amount that a new worker of the spec would have. */
    long specTotal(int spec, int dimension);

    /** How many more workers of the spec may be started. */
    int specLeft(int spec);
}

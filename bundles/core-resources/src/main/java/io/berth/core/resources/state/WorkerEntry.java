package io.berth.core.resources.state;

import io.berth.core.api.InstanceId;
import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.gateway.WorkerLeaves;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.LedgerHash;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.api.policy.PlanningInput.WorkerColumn;
import io.berth.core.api.time.Clock;
import io.berth.spi.AllocationId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** One worker: pending, registered or releasing. Confined to the main thread; changed through the registry. */
public final class WorkerEntry {

    public enum State {
        /** Asked for, not registered. */
        PENDING,
        REGISTERED,
        /** Idle and asked to exit; receives no slots. */
        RELEASING
    }

    /**
     * Why and when a worker leaves.
     *
     * @param untilMillis by the clock of the ResourceManager; {@link WorkerLeave#NO_DEADLINE} without a deadline
     * @param wallMillis the same as wall-clock time
     * @param byBackend whether its backend takes it away, so that no operator can keep it
     */
    public record Leaving(long untilMillis, long wallMillis, String reason, boolean byBackend) {

        /** From now on. */
        public static Leaving of(WorkerLeave leave, Clock clock) {
            return leave.hasDeadline()
                    ? new Leaving(
                            clock.millis() + leave.millis(),
                            clock.wallMillis() + leave.millis(),
                            leave.reason(),
                            leave.byBackend())
                    : new Leaving(WorkerLeave.NO_DEADLINE, WorkerLeave.NO_DEADLINE, leave.reason(), leave.byBackend());
        }

        /** Both together: the earlier deadline, and no operator can keep it. */
        private Leaving and(Leaving drained) {
            return untilMillis <= drained.untilMillis
                    ? this
                    : new Leaving(drained.untilMillis, drained.wallMillis, drained.reason, true);
        }

        /** What is left of it. */
        public WorkerLeave left(Clock clock) {
            return new WorkerLeave(
                    untilMillis == WorkerLeave.NO_DEADLINE ? untilMillis : untilMillis - clock.millis(),
                    reason,
                    byBackend);
        }
    }

    /** No process is requested for the worker. */
    public static final long NOT_REQUESTED = -1;

    /** Index in the planner's columns; fixed while the worker exists. */
    public final int index;
    /** Name of its backend. */
    public final String backend;
    /** Name of the spec that it was started for; empty for none. */
    public final String spec;
    /** Both together, as BACKEND/SPEC. */
    public final String kind;

    private final WorkerSlots slots = new WorkerSlots();
    private SortedSet<AllocationId> freedSinceHeartbeat = Collections.emptySortedSet();
    private State state = State.PENDING;
    private WorkerId id;
    private long ledgerPart;
    private ResourceProfile total;
    private final FreeRoom free;
    private int defaultSlots;
    private ResourceProfile defaultSlot;
    private WorkerLabels labels;
    private PoolWorkers pool;
    private Origin origin;
    /** Whether the worker itself stated its cost. */
    private boolean costStated;

    private Optional<WorkerConnection> connection = Optional.empty();
    private long heartbeat;
    private boolean named;
    private boolean launched;
    private int planned;
    private ResourceProfile plannedAmount = ResourceProfile.ZERO;
    private boolean overbooked;
    private long publishedAt;
    /** As last sent to the planner; empty if more than its free resources changed since. */
    private Optional<WorkerColumn> column = Optional.empty();

    private long idleSince = -1;
    private int results;
    private long requestedAt = NOT_REQUESTED;
    private boolean blocked;
    private Optional<Leaving> drained = Optional.empty();
    private Optional<Leaving> announced = Optional.empty();
    private Optional<Leaving> leaving = Optional.empty();
    private int refusals;
    private int batch = -1;

    WorkerEntry(
            int index,
            WorkerId id,
            Origin origin,
            ResourceProfile total,
            int defaultSlots,
            WorkerLabels labels,
            PoolWorkers pool) {
        this.index = index;
        this.id = id;
        this.ledgerPart = LedgerHash.part(id);
        this.origin = origin;
        this.backend = origin.backend();
        this.spec = origin.spec();
        this.kind = kind(backend, spec);
        this.labels = labels;
        this.pool = pool;
        this.total = total;
        this.free = new FreeRoom(total);
        this.defaultSlots = defaultSlots;
        this.defaultSlot = total.dividedBy(defaultSlots);
    }

    public static String kind(String backend, String spec) {
        return backend + "/" + spec;
    }

    public Origin origin() {
        return origin;
    }

    /** Whether it costs what it stated itself, and not what its spec costs. */
    boolean costStated() {
        return costStated;
    }

    void cost(double perHour) {
        origin = origin.withCostPerHour(perHour);
        column = Optional.empty();
    }

    public State state() {
        return state;
    }

    void state(State next) {
        state = next;
        column = Optional.empty();
    }

    public WorkerId id() {
        return id;
    }

    /** Whether the id is that of a process. Otherwise it stands for a request that the backend has not answered yet. */
    public boolean named() {
        return named;
    }

    void name(WorkerId name, boolean granted) {
        if (!id.equals(name)) {
            // What was said about the process that left is not true of the one that it waits for now.
            leaves(Optional.empty(), Optional.empty());
            blocked = false;
        }
        id = name;
        column = Optional.empty();
        ledgerPart = LedgerHash.part(name);
        named = granted;
    }

    /** Part of the worker in the hash of the ledger. */
    long ledgerPart() {
        return ledgerPart;
    }

    /** Whether a backend started it in this term of the ResourceManager. */
    public boolean launched() {
        return launched;
    }

    void launched(boolean value) {
        launched = value;
    }

    /** Whether the ResourceManager may release it when it is idle. */
    public boolean releasable() {
        return launched || !spec.isEmpty();
    }

    public ResourceProfile total() {
        return total;
    }

    public ResourceProfile free() {
        return free.profile();
    }

    /** The same without a profile. */
    FreeRoom freeRoom() {
        return free;
    }

    public int defaultSlots() {
        return defaultSlots;
    }

    public ResourceProfile defaultSlot() {
        return defaultSlot;
    }

    /** What it was given, with the labels that say where it comes from. */
    public WorkerLabels labels() {
        return labels;
    }

    void labels(WorkerLabels now) {
        labels = now;
        column = Optional.empty();
    }

    /** The pool that it belongs to. */
    public PoolWorkers pool() {
        return pool;
    }

    void pool(PoolWorkers now) {
        pool = now;
    }

    /**
     * Its process registered: what it offers replaces what was expected.
     *
     * @param costPerHour 0: as its spec
     */
    void registered(
            WorkerConnection by, ResourceProfile offered, int slotCount, WorkerLabels itsLabels, double costPerHour) {
        connection = Optional.of(by);
        column = Optional.empty();
        if (costPerHour > 0) {
            costStated = true;
            cost(costPerHour);
        }
        total = offered;
        defaultSlots = slotCount;
        defaultSlot = offered.dividedBy(slotCount);
        labels = itsLabels;
        state = State.REGISTERED;
        named = true;
        recount();
    }

    public Optional<WorkerConnection> connection() {
        return connection;
    }

    /** Whether it is still registered as this instance. */
    public boolean isInstance(InstanceId instance) {
        return connection.filter(by -> by.instance().equals(instance)).isPresent();
    }

    /** Number of the last heartbeat that was sent. */
    public long heartbeat() {
        return heartbeat;
    }

    public long nextHeartbeat() {
        freedSinceHeartbeat = Collections.emptySortedSet();
        return ++heartbeat;
    }

    /** Whether the slot was freed after the last heartbeat was sent. */
    public boolean freedSinceHeartbeat(AllocationId allocation) {
        return freedSinceHeartbeat.contains(allocation);
    }

    /** Its slots by allocation. A view that changes with the worker. */
    public List<SlotEntry> slots() {
        return Collections.unmodifiableList(slots);
    }

    public Optional<SlotEntry> slot(AllocationId allocation) {
        return slots.find(allocation);
    }

    /** How many slots of a size fit, at most {@code most}. */
    public int fits(ResourceProfile slot, int most) {
        return free.fits(slot, most);
    }

    /** Adds slots of one kind: those from {@code from} on. */
    void add(List<SlotEntry> run, int from) {
        int count = run.size() - from;
        slots.expect(count);
        for (int at = from; at < run.size(); at++) {
            slots.put(run.get(at));
        }
        ResourceProfile size = run.get(from).kind().profile();
        if (overbooked || fits(size, count) < count) {
            recount();
        } else {
            free.take(size, count);
        }
    }

    void remove(SlotEntry slot) {
        slots.take(slot.allocation);
        if (freedSinceHeartbeat.isEmpty()) {
            freedSinceHeartbeat = new TreeSet<>();
        }
        freedSinceHeartbeat.add(slot.allocation);
        if (overbooked) {
            recount();
        } else {
            free.give(slot.kind().profile());
        }
    }

    /** A worker that reports more than it has is full. That is no error: its report is true. */
    private void recount() {
        ResourceProfile taken = ResourceProfile.ZERO;
        for (SlotEntry slot : slots) {
            taken = taken.plus(slot.kind().profile());
        }
        overbooked = !total.covers(taken);
        free.set(overbooked ? ResourceProfile.ZERO : total.minus(taken));
    }

    /** How many slots the last plan placed on it that are not requested yet. */
    public int planned() {
        return planned;
    }

    /** What the planned slots take. */
    ResourceProfile plannedAmount() {
        return plannedAmount;
    }

    void planned(int count, ResourceProfile amount) {
        planned = count;
        plannedAmount = amount;
    }

    /** What is neither allocated nor planned. */
    public ResourceProfile unused() {
        if (planned == 0) {
            return free();
        }
        return free().covers(plannedAmount) ? free().minus(plannedAmount) : ResourceProfile.ZERO;
    }

    public boolean idle() {
        return state == State.REGISTERED && slots.isEmpty() && planned == 0;
    }

    /** How many stored results it keeps for its jobs. */
    public int results() {
        return results;
    }

    public void results(int count) {
        results = count;
    }

    /** When it became idle; -1 if it is not idle. */
    public long idleSince() {
        return idleSince;
    }

    public void idleSince(long millis) {
        idleSince = millis;
    }

    /** When the process that it waits for was requested; {@link #NOT_REQUESTED} if none was. */
    public long requestedAt() {
        return requestedAt;
    }

    public void requestedAt(long millis) {
        requestedAt = millis;
    }

    /** Whether it is on the block list. Then it receives no slots. */
    public boolean blocked() {
        return blocked;
    }

    void blocked(boolean value) {
        blocked = value;
    }

    /** Why and when it leaves. Then it receives no slots. */
    public Optional<Leaving> leaving() {
        return leaving;
    }

    /** That an operator drains it. */
    public Optional<Leaving> drained() {
        return drained;
    }

    /** That its backend takes it away. */
    public Optional<Leaving> announced() {
        return announced;
    }

    /** What both say, as it is left. */
    public WorkerLeaves leaves(Clock clock) {
        return new WorkerLeaves(drained.map(leave -> leave.left(clock)), announced.map(leave -> leave.left(clock)));
    }

    void leaves(Optional<Leaving> byOperator, Optional<Leaving> byBackend) {
        drained = byOperator;
        announced = byBackend;
        leaving = byBackend
                .map(backend -> byOperator.map(backend::and).orElse(backend))
                .or(() -> byOperator);
        column = Optional.empty();
    }

    /** Counts a refusal or a missing answer. Returns how many happened in a row. */
    public int countRefusal() {
        return ++refusals;
    }

    public void granted() {
        refusals = 0;
    }

    /** Index of its slot request while requests are collected; -1 for none. */
    public int batch() {
        return batch;
    }

    public void batch(int number) {
        batch = number;
    }

    /** Whether the planner sees it. It sees workers that leave, without free resources. */
    public boolean visible() {
        return state != State.RELEASING && !blocked;
    }

    /** Whether it may receive slots. */
    public boolean usable() {
        return visible() && leaving.isEmpty();
    }

    /** Number of the planner's state that first showed this worker; 0 if none did. */
    public long publishedAt() {
        return publishedAt;
    }

    Optional<WorkerColumn> publish(long stateNumber) {
        if (!visible()) {
            return Optional.empty();
        }
        if (publishedAt == 0) {
            publishedAt = stateNumber;
        }
        ResourceProfile room = leaving.isPresent() ? ResourceProfile.ZERO : free();
        WorkerColumn now = column.map(known -> known.withFree(room))
                .orElseGet(() -> new WorkerColumn(id, state == State.PENDING, total, room, defaultSlot, origin, labels)
                        .startedAt(
                                connection.map(WorkerConnection::startedMillis).orElse(0L))
                        .leavingAt(leaving.map(Leaving::wallMillis).orElse(0L)));
        column = Optional.of(now);
        return column;
    }

    /** The planner was replaced, or the worker belongs to another pool: its planner has not seen it. */
    void unpublish() {
        publishedAt = 0;
    }

    @Override
    public String toString() {
        return "worker " + id;
    }
}

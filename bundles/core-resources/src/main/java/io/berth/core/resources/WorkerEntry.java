package io.berth.core.resources;

import io.berth.core.api.InstanceId;
import io.berth.core.api.policy.PlanningInput.WorkerColumn;
import io.berth.spi.AllocationId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** One worker: pending, registered or releasing. Confined to the main thread; changed through the registry. */
final class WorkerEntry {

    enum State {
        /** Asked for, not registered. */
        PENDING,
        REGISTERED,
        /** Idle, asked to end; takes no slots. */
        RELEASING
    }

    /** Place in the planner's columns; stays while the worker is there. */
    final int index;
    /** Name of the backend that brought it. */
    final String backend;
    /** Name of the spec it was started for; empty for none. */
    final String spec;
    /** The two together, as BACKEND/SPEC. */
    final String kind;

    private final SortedMap<AllocationId, SlotEntry> slots = new TreeMap<>();
    private final SortedSet<AllocationId> freedSinceHeartbeat = new TreeSet<>();
    private State state = State.PENDING;
    private WorkerId id;
    private ResourceProfile total;
    private ResourceProfile free;
    private int defaultSlots;
    private SortedMap<String, String> labels = new TreeMap<>();
    private Optional<WorkerConnection> connection = Optional.empty();
    private Pulse pulse = new Pulse(0);
    private long heartbeat;
    private boolean named;
    private boolean launched;
    private int planned;
    private ResourceProfile plannedAmount = ResourceProfile.ZERO;
    private boolean overbooked;
    private long publishedAt;
    private long idleSince = -1;
    private boolean blocked;
    private int refusals;

    WorkerEntry(int index, WorkerId id, String backend, String spec, ResourceProfile total, int defaultSlots) {
        this.index = index;
        this.id = id;
        this.backend = backend;
        this.spec = spec;
        this.kind = Backends.key(backend, spec);
        this.total = total;
        this.free = total;
        this.defaultSlots = defaultSlots;
    }

    State state() {
        return state;
    }

    void state(State next) {
        state = next;
    }

    WorkerId id() {
        return id;
    }

    /** Whether the id is that of a process; else it stands for a request that was not granted yet. */
    boolean named() {
        return named;
    }

    void name(WorkerId name, boolean granted) {
        id = name;
        named = granted;
    }

    /** Whether a backend of this life of the ResourceManager started it. */
    boolean launched() {
        return launched;
    }

    void launched(boolean value) {
        launched = value;
    }

    /** Whether the ResourceManager may end it when it is idle. */
    boolean releasable() {
        return launched || !spec.isEmpty();
    }

    ResourceProfile total() {
        return total;
    }

    ResourceProfile free() {
        return free;
    }

    int defaultSlots() {
        return defaultSlots;
    }

    ResourceProfile defaultSlot() {
        return total.dividedBy(defaultSlots);
    }

    SortedMap<String, String> labels() {
        return labels;
    }

    /** Its process is there: what it offers holds, whatever was expected. */
    void registered(
            WorkerConnection by, ResourceProfile offered, int slotCount, SortedMap<String, String> itsLabels, long now) {
        connection = Optional.of(by);
        total = offered;
        defaultSlots = slotCount;
        labels = itsLabels;
        state = State.REGISTERED;
        named = true;
        pulse = new Pulse(now);
        recount();
    }

    Optional<WorkerConnection> connection() {
        return connection;
    }

    /** Whether it is still the stay of the worker that was given this id. */
    boolean isInstance(InstanceId instance) {
        return connection.filter(by -> by.instance().equals(instance)).isPresent();
    }

    Pulse pulse() {
        return pulse;
    }

    /** Number of the last heartbeat that was sent. */
    long heartbeat() {
        return heartbeat;
    }

    long nextHeartbeat() {
        freedSinceHeartbeat.clear();
        return ++heartbeat;
    }

    /** Whether the slot was freed after the heartbeat that is under way was sent. */
    boolean freedSinceHeartbeat(AllocationId allocation) {
        return freedSinceHeartbeat.contains(allocation);
    }

    Collection<SlotEntry> slots() {
        return slots.values();
    }

    Optional<SlotEntry> slot(AllocationId allocation) {
        return Optional.ofNullable(slots.get(allocation));
    }

    void add(SlotEntry slot) {
        slots.put(slot.allocation, slot);
        if (!overbooked && free.covers(slot.profile)) {
            free = free.minus(slot.profile);
        } else {
            recount();
        }
    }

    void remove(SlotEntry slot) {
        slots.remove(slot.allocation);
        freedSinceHeartbeat.add(slot.allocation);
        if (overbooked) {
            recount();
        } else {
            free = free.plus(slot.profile);
        }
    }

    /** A worker that reports more than it has is full, not an error: it is the truth. */
    private void recount() {
        ResourceProfile taken = ResourceProfile.ZERO;
        for (SlotEntry slot : slots.values()) {
            taken = taken.plus(slot.profile);
        }
        overbooked = !total.covers(taken);
        free = overbooked ? ResourceProfile.ZERO : total.minus(taken);
    }

    /** Slots that the last plan has for it, without their being requested yet. */
    int planned() {
        return planned;
    }

    /** What those slots take. */
    ResourceProfile plannedAmount() {
        return plannedAmount;
    }

    void planned(int count, ResourceProfile amount) {
        planned = count;
        plannedAmount = amount;
    }

    /** What is neither taken nor planned. */
    ResourceProfile unused() {
        return free.covers(plannedAmount) ? free.minus(plannedAmount) : ResourceProfile.ZERO;
    }

    boolean idle() {
        return state == State.REGISTERED && slots.isEmpty() && planned == 0;
    }

    /** When it became idle; -1 when it is not. */
    long idleSince() {
        return idleSince;
    }

    void idleSince(long millis) {
        idleSince = millis;
    }

    /** Whether it is on the block list: it takes no slots for a while. */
    boolean blocked() {
        return blocked;
    }

    void blocked(boolean value) {
        blocked = value;
    }

    /** Refused slots, or did not answer: how many times in a row. */
    int refused() {
        return ++refusals;
    }

    void granted() {
        refusals = 0;
    }

    /** Whether the planner may use it. */
    boolean visible() {
        return state != State.RELEASING && !blocked;
    }

    /** Number of the planner's state that showed this worker first; 0 when none did. */
    long publishedAt() {
        return publishedAt;
    }

    Optional<WorkerColumn> publish(long stateNumber) {
        if (!visible()) {
            return Optional.empty();
        }
        if (publishedAt == 0) {
            publishedAt = stateNumber;
        }
        return Optional.of(
                new WorkerColumn(id, state == State.PENDING, total, free, defaultSlot(), backend, labels));
    }

    /** The planner was replaced: it has seen nothing. */
    void unpublish() {
        publishedAt = 0;
    }

    @Override
    public String toString() {
        return "worker " + id;
    }
}

package io.berth.core.resources.state;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.RequirementsDeclaration;
import io.berth.core.api.heartbeat.HeartbeatMonitor;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.policy.LedgerHash;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.time.Clock;
import io.berth.core.resources.state.RequirementMapping.Kind;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** One job: its JobMaster, its requirements and its slots. Confined to the main thread. */
public final class JobEntry {

    /**
     * The registered JobMaster.
     *
     * @param endpoint where workers offer slots
     * @param rule matching rule that it was told
     */
    public record Master(
            JobMasterId id,
            EndpointRef endpoint,
            JobMasterGateway gateway,
            HeartbeatMonitor monitor,
            MatchingRule rule) {}

    /** The newest JobMaster of a job and the sequence number of its last declaration. */
    record Last(JobMasterId jobMaster, long sequence) {}

    /** Why the job waits, as last sent to its JobMaster. */
    public record Notice(Reason why, long sequence, long millis) {}

    public final JobId id;
    public final SortedMap<String, UnitEntry> units = new TreeMap<>();
    final RequirementMapping mapping;

    private final long ledgerPart;
    private final JobSlots slots = new JobSlots();
    private final FormerWorkers former = new FormerWorkers();
    /** Kind of the last slot; the next one usually has the same. */
    private Optional<Kind> lastKind = Optional.empty();

    private Optional<Master> master = Optional.empty();
    private Optional<Master> lost = Optional.empty();
    private Optional<JobMasterId> newest = Optional.empty();
    private long sequence = -1;
    /** Whether the requirements here are those of the last declaration. */
    private boolean declared;

    private PoolJobs pool;
    private long submissionIndex;
    private SchedulingAttributes attributes = SchedulingAttributes.DEFAULT;
    private OptionalLong lastRescaleMillis = OptionalLong.empty();
    private int unacknowledged;
    private long unacknowledgedSince;
    private Optional<Notice> notice = Optional.empty();
    private boolean resendDue;
    private boolean watched;
    private boolean touched;
    /** Workers that leave, as far as the JobMaster has acknowledged. */
    private SortedSet<WorkerId> left = Collections.emptySortedSet();
    /** How many slots are on them. */
    private int moving;
    /** Whether slots may be on workers of other pools. */
    private boolean elsewhere;

    JobEntry(JobId id, Optional<Last> last, PoolJobs pool) {
        this.id = id;
        this.pool = pool;
        ledgerPart = LedgerHash.part(id);
        mapping = new RequirementMapping(pool.rule());
        newest = last.map(Last::jobMaster);
        last.ifPresent(known -> sequence = known.sequence());
    }

    public Optional<Master> master() {
        return master;
    }

    /** Where slots are offered: the JobMaster, or the lost one while its requirements are kept. */
    public Optional<Master> target() {
        return master.isPresent() ? master : lost;
    }

    /** The newest JobMaster that ever registered. */
    public Optional<JobMasterId> newest() {
        return newest;
    }

    public void connect(Master by) {
        if (newest.isEmpty() || !newest.get().equals(by.id())) {
            sequence = -1;
            declared = false;
        }
        newest = Optional.of(by.id());
        master = Optional.of(by);
        lost = Optional.empty();
        notified(Optional.empty(), 0);
    }

    void disconnect() {
        declared = false;
        master = Optional.empty();
        lost = Optional.empty();
        notified(Optional.empty(), 0);
    }

    /** The JobMaster is lost; its requirements are kept for now. */
    void retain() {
        lost = master;
        master = Optional.empty();
        notified(Optional.empty(), 0);
    }

    public long sequence() {
        return sequence;
    }

    /** Number of the declaration that is followed; 0 if its requirements were given up or none came yet. */
    public long declaration() {
        return declared ? sequence : 0;
    }

    Optional<Last> last() {
        return newest.map(jobMaster -> new Last(jobMaster, sequence));
    }

    /** Whether it says what the last rescale cost, and nothing else about the job but perhaps its units. */
    boolean declaresOnlyItsLastRescale(RequirementsDeclaration declaration) {
        return declared
                && attributes.equals(declaration.attributes())
                && !declaration
                        .lastRescaleMillis()
                        .equals(lastRescaleMillis.stream().boxed().findFirst());
    }

    void declared(RequirementsDeclaration declaration) {
        sequence = declaration.sequence();
        declared = true;
        submissionIndex = declaration.submissionIndex();
        attributes = declaration.attributes();
        lastRescaleMillis =
                declaration.lastRescaleMillis().map(OptionalLong::of).orElseGet(OptionalLong::empty);
    }

    long submissionIndex() {
        return submissionIndex;
    }

    public SchedulingAttributes attributes() {
        return attributes;
    }

    /** What the last rescale cost, as its JobMaster declared; empty: not known. */
    OptionalLong lastRescaleMillis() {
        return lastRescaleMillis;
    }

    /** The pool that it belongs to, whether there is such a pool or not. */
    public PoolJobs pool() {
        return pool;
    }

    void pool(PoolJobs now) {
        pool = now;
    }

    /** Part of the job in the hash of the ledger. */
    long ledgerPart() {
        return ledgerPart;
    }

    /** How many slots the job has, including requested ones. */
    public int slots() {
        return slots.size();
    }

    /** Those slots, by allocation. A copy. */
    public List<SlotEntry> allSlots() {
        return slots.sorted();
    }

    /** The kind of a slot that a worker reports. */
    public Kind kind(String unit, String group, ResourceProfile profile) {
        Kind kind = lastKind.filter(last -> last.is(unit, group, profile))
                .orElseGet(() -> new Kind(new GroupKey(unit, group), profile));
        lastKind = Optional.of(kind);
        return kind;
    }

    /** Makes room for the number of slots that will be added. */
    public void expectSlots(int more) {
        slots.expect(more);
    }

    /** Adds slots of one kind: those from {@code from} on. */
    void acquired(List<SlotEntry> run, int from) {
        slots.expect(run.size() - from);
        for (int at = from; at < run.size(); at++) {
            slots.put(run.get(at));
        }
        if (moves(run.get(from))) {
            for (int at = from; at < run.size(); at++) {
                run.get(at).moving(true);
            }
            moving += run.size() - from;
        } else {
            mapping.acquired(run.get(from).kind(), run.size() - from);
        }
    }

    void lost(SlotEntry slot) {
        if (!slots.take(slot)) {
            throw new IllegalStateException("job " + id + " does not have slot " + slot.allocation);
        }
        if (slot.isMoving()) {
            moving--;
        } else {
            mapping.lost(slot.kind());
        }
        if (slot.isTaken()) {
            former.add(slot.kind().group(), slot.worker.id());
        }
    }

    /**
     * The JobMaster knows that these workers leave, and no others.
     *
     * @return whether any slot counts differently
     */
    boolean leaves(SortedSet<WorkerId> workers) {
        if (workers.equals(left)) {
            return false;
        }
        left = workers;
        return countMoving();
    }

    /**
     * Counts which slots move: those on workers that leave, as far as the JobMaster knows. They fulfill no requirement,
     * so that others are granted instead. Looks at each slot of the job.
     *
     * @return whether any slot counts differently
     */
    boolean countMoving() {
        List<SlotEntry> changed = new ArrayList<>();
        slots.each(slot -> {
            if (slot.isMoving() != moves(slot)) {
                changed.add(slot);
            }
        });
        for (SlotEntry slot : changed) {
            slot.moving(!slot.isMoving());
            if (slot.isMoving()) {
                moving++;
                mapping.lost(slot.kind());
            } else {
                moving--;
                mapping.acquired(slot.kind(), 1);
            }
        }
        return !changed.isEmpty();
    }

    private boolean moves(SlotEntry slot) {
        return !left.isEmpty() && slot.worker.leaving().isPresent() && left.contains(slot.worker.id());
    }

    /** How many slots are on workers that leave, as far as the JobMaster knows. */
    public int moving() {
        return moving;
    }

    /** Whether it may have slots on workers of other pools. If not, it has none there. */
    boolean mayHaveSlotsElsewhere() {
        return elsewhere;
    }

    /** A worker of another pool has slots of the job, or one of them went to another pool. */
    void hasSlotsElsewhere() {
        elsewhere = true;
    }

    /** The names of other pools whose workers have slots of the job. Looks at each slot if there may be any. */
    SortedSet<String> poolsElsewhere() {
        if (!elsewhere) {
            return Collections.emptySortedSet();
        }
        SortedSet<String> names = new TreeSet<>();
        slots.each(slot -> names.add(slot.worker.pool().name()));
        names.remove(pool.name());
        elsewhere = !names.isEmpty();
        return names;
    }

    /** The workers on which the group had slots. */
    Set<WorkerId> formerWorkers(GroupKey group) {
        return former.of(group);
    }

    /** How many slots the group has on each worker, by its index. Looks at each slot of the job. */
    SortedMap<Integer, Integer> slotsOn(GroupKey group) {
        return slots.byWorker(group);
    }

    /** How many slots were requested and not acknowledged by their workers yet. */
    public int unacknowledged() {
        return unacknowledged;
    }

    /** When the first of them was requested, or the last one was acknowledged. */
    public long unacknowledgedSince() {
        return unacknowledgedSince;
    }

    void requested(int count, Clock clock) {
        if (unacknowledged == 0) {
            unacknowledgedSince = clock.millis();
        }
        unacknowledged += count;
    }

    /** A requested slot was acknowledged or ended. */
    void answered(long now) {
        unacknowledgedSince = now;
        unacknowledged--;
    }

    /** What was last sent and still applies. */
    public Optional<Notice> notified() {
        return notice;
    }

    public void notified(Optional<Reason> why, long now) {
        notice = why.map(reason -> new Notice(reason, sequence, now));
        resendDue = false;
    }

    /** Whether the last notice may not have arrived. */
    public boolean isResendDue() {
        return resendDue;
    }

    public void notAcknowledged() {
        resendDue = true;
    }

    /** Whether its JobMaster may need a notice; kept by the ledger. */
    boolean watched() {
        return watched;
    }

    void watched(boolean value) {
        watched = value;
    }

    /** Whether it is among the changed jobs of the ledger. */
    boolean touched() {
        return touched;
    }

    void touched(boolean value) {
        touched = value;
    }
}

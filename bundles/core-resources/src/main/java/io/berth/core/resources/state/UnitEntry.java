package io.berth.core.resources.state;

import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.job.Reason;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.spi.AllocationId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** One unit that a job declared. Confined to the main thread. */
public final class UnitEntry {

    /** Index in the planner's demands; fixed while the unit is declared. */
    public final int index;

    public final JobEntry job;
    public final String name;

    /** Specs, as BACKEND/SPEC, of pending workers on which the last plan placed slots of the unit. */
    public final SortedSet<String> waitingFor = new TreeSet<>();

    private List<GroupRequirement> declared;
    private List<UnitGroup> groups;
    private List<GroupDemand> lastDemands = List.of();
    private List<GroupRequirement> published = List.of();
    private long publishedAt;
    private Optional<Reason> reason = Optional.empty();
    private boolean attempted;
    private boolean noted;
    private boolean runsWithLess;
    /** What its job was asked to return, until it may be asked again. */
    private Optional<Asked> asked = Optional.empty();

    private GrantRound round = GrantRound.first();

    /** The slots that a job was asked to return. */
    public static final class Asked {

        private final List<SlotEntry> slots;

        public Asked(Collection<SlotEntry> slots) {
            this.slots = new ArrayList<>(slots);
        }

        /**
         * The job has answered.
         *
         * @param promised the slots that it returns
         * @return whether it keeps any
         */
        public boolean answered(Collection<AllocationId> promised) {
            return slots.removeIf(slot -> !promised.contains(slot.allocation));
        }

        /** Those that fulfill a requirement of the group until they come back. */
        private int of(GroupKey group) {
            int count = 0;
            for (SlotEntry slot : slots) {
                boolean counts = slot.state() != SlotEntry.State.ENDED && !slot.isMoving();
                count += counts && slot.kind().group().equals(group) ? 1 : 0;
            }
            return count;
        }
    }

    UnitEntry(int index, JobEntry job, String name, List<GroupRequirement> groups) {
        this.index = index;
        this.job = job;
        this.name = name;
        this.declared = groups;
        this.groups = groups(name, groups);
    }

    private static List<UnitGroup> groups(String unit, List<GroupRequirement> declared) {
        return declared.stream().map(group -> new UnitGroup(unit, group)).toList();
    }

    public List<UnitGroup> groups() {
        return groups;
    }

    /** @return whether it requires something else than before */
    boolean declare(List<GroupRequirement> now) {
        if (now.equals(declared)) {
            return false;
        }
        attempted = false;
        reason = Optional.empty();
        declared = now;
        groups = groups(name, now);
        return true;
    }

    /** Whether it runs with less than its minimum, as declared: then it returns nothing. */
    public boolean runsWithLess() {
        return runsWithLess;
    }

    void runsWithLess(boolean value) {
        runsWithLess = value;
    }

    /** Why the last plan left it without some of its slots; empty if it did not. */
    public Optional<Reason> reason() {
        return reason;
    }

    public void reason(Optional<Reason> why) {
        reason = why;
    }

    /** Whether a plan has seen its present declaration. */
    public boolean attempted() {
        return attempted;
    }

    /** A plan was made from an input with this state number. */
    void attempted(long stateNumber) {
        attempted |= publishedAt > 0 && publishedAt <= stateNumber && published.equals(declared);
    }

    /** Whether the last plan noted something about it; kept by the ledger. */
    boolean noted() {
        return noted;
    }

    void noted(boolean value) {
        noted = value;
    }

    /**
     * Whether the job may be asked to return slots of the unit now: not while it moves from workers that leave, or runs with
     * less than its minimum.
     */
    public boolean isReturnable() {
        return !runsWithLess && asked.isEmpty() && job.moving() == 0;
    }

    /** Its job is asked to return slots, and not again until {@link #mayBeAskedAgain}. */
    public void asked(Asked slots) {
        asked = Optional.of(slots);
    }

    public void mayBeAskedAgain() {
        asked = Optional.empty();
    }

    /** The round in which slots are granted now, or after its pause. */
    public GrantRound round() {
        return round;
    }

    public void round(GrantRound next) {
        round = next;
    }

    /** How many slots fulfill the requirement of the group, including requested ones. */
    public int allocated(UnitGroup group) {
        return job.mapping.fulfilled(group.key());
    }

    public boolean lacks() {
        return job.mapping.lacks(name);
    }

    /** Whether it has less than its minimum. */
    public boolean lacksMinimum() {
        return job.mapping.lacksMinimum(name);
    }

    /** Whether it has slots, but less than its minimum, and does not run. */
    boolean holdsWithoutMinimum() {
        return !runsWithLess && lacksMinimum() && job.mapping.hasSlots(name);
    }

    /** Number of the planner's state that first showed the unit; 0 if none did. */
    public long publishedAt() {
        return publishedAt;
    }

    /** Whether an input with this state number showed the unit. */
    public boolean isPublished(long stateNumber) {
        return publishedAt > 0 && publishedAt <= stateNumber;
    }

    /** What the planner sees: during a pause the unit lacks nothing. */
    UnitDemand publish(long stateNumber) {
        if (publishedAt == 0) {
            publishedAt = stateNumber;
        }
        published = declared;
        List<GroupDemand> demands = new ArrayList<>(groups.size());
        for (UnitGroup group : groups) {
            GroupDemand demand = demand(group);
            // The planner does not look at a group that is the same object as in the last input.
            int at = demands.size();
            boolean isAsBefore = at < lastDemands.size() && lastDemands.get(at).equals(demand);
            demands.add(isAsBefore ? lastDemands.get(at) : demand);
        }
        lastDemands = demands;
        return new UnitDemand(
                job.id,
                name,
                job.submissionIndex(),
                job.attributes(),
                demands,
                isReturnable(),
                job.lastRescaleMillis());
    }

    private GroupDemand demand(UnitGroup group) {
        GroupRequirement requirement = group.requirement();
        int have = allocated(group);
        int most = round.isOpen() ? requirement.desired() : have;
        return new GroupDemand(
                requirement.group(),
                requirement.profile(),
                Math.min(requirement.minimum(), most),
                most,
                have,
                requirement.constraints(),
                job.formerWorkers(group.key()),
                requirement.constraints().spread().isPresent()
                        ? job.slotsOn(group.key())
                        : Collections.emptySortedMap(),
                // Some of those that it was asked for may be more than it requires now.
                Math.min(have, asked.map(slots -> slots.of(group.key())).orElse(0)));
    }

    void unpublish() {
        publishedAt = 0;
        published = List.of();
        lastDemands = List.of();
    }

    /**
     * The group that the planner means by an index; empty if it is no longer required with the same profile and
     * constraints.
     */
    public Optional<UnitGroup> group(int publishedIndex) {
        if (publishedIndex < 0 || publishedIndex >= published.size()) {
            return Optional.empty();
        }
        if (published == declared) {
            return Optional.of(groups.get(publishedIndex));
        }
        GroupRequirement meant = published.get(publishedIndex);
        return groups.stream()
                .filter(group -> group.requirement().isSame(meant))
                .findFirst();
    }
}

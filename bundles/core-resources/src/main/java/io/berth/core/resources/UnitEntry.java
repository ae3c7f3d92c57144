package io.berth.core.resources;

import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.job.Reason;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** One unit that a job declared. Confined to the main thread. */
final class UnitEntry {

    /** Place in the planner's demands; stays while the unit is declared. */
    final int index;
    final JobEntry job;
    final String name;

    /** The specs of pending workers that the last plan has slots of the unit on, as BACKEND/SPEC. */
    final SortedSet<String> waitingFor = new TreeSet<>();

    private List<GroupRequirement> groups;
    private List<GroupRequirement> published = List.of();
    private long publishedAt;
    private Optional<Reason> reason = Optional.empty();
    private boolean attempted;
    private GrantRound round = GrantRound.first();

    UnitEntry(int index, JobEntry job, String name, List<GroupRequirement> groups) {
        this.index = index;
        this.job = job;
        this.name = name;
        this.groups = groups;
    }

    List<GroupRequirement> groups() {
        return groups;
    }

    void groups(List<GroupRequirement> declared) {
        if (!declared.equals(groups)) {
            attempted = false;
            reason = Optional.empty();
        }
        groups = declared;
    }

    /** Why the last plan left it without some of its slots; empty when it did not. */
    Optional<Reason> reason() {
        return reason;
    }

    void reason(Optional<Reason> why) {
        reason = why;
    }

    /** Whether a plan has seen it as it is declared now. */
    boolean attempted() {
        return attempted;
    }

    /** A plan from an input with this state number was made. */
    void attempted(long stateNumber) {
        attempted |= publishedAt > 0 && publishedAt <= stateNumber && published.equals(groups);
    }

    /** In which slots are granted now, or after its pause. */
    GrantRound round() {
        return round;
    }

    void round(GrantRound next) {
        round = next;
    }

    /** How many slots fulfil what the group requires, those that are being requested among them. */
    int have(GroupRequirement group) {
        return job.mapping.fulfilled(new GroupKey(name, group.group()));
    }

    boolean lacks() {
        return groups.stream().anyMatch(group -> have(group) < group.desired());
    }

    /** Number of the planner's state that showed the unit first; 0 when none did. */
    long publishedAt() {
        return publishedAt;
    }

    /** What the planner sees: during a pause the unit lacks nothing. */
    UnitDemand publish(long stateNumber) {
        if (publishedAt == 0) {
            publishedAt = stateNumber;
        }
        published = groups;
        List<GroupDemand> demands = new ArrayList<>(groups.size());
        for (GroupRequirement group : groups) {
            int have = have(group);
            int most = round.isOpen() ? group.desired() : have;
            demands.add(new GroupDemand(
                    group.group(), group.profile(), Math.min(group.minimum(), most), most, have));
        }
        return new UnitDemand(
                job.id, name, job.submissionIndex(), job.queue(), job.priority(), job.labels(), demands);
    }

    void unpublish() {
        publishedAt = 0;
        published = List.of();
    }

    /** The group that the planner means by an index, as it is required now; none when it is not, or otherwise. */
    Optional<GroupRequirement> group(int publishedIndex) {
        if (publishedIndex < 0 || publishedIndex >= published.size()) {
            return Optional.empty();
        }
        GroupRequirement meant = published.get(publishedIndex);
        return groups.stream()
                .filter(group -> group.group().equals(meant.group()) && group.profile().equals(meant.profile()))
                .findFirst();
    }
}

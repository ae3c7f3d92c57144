package io.berth.core.resources;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.RequirementsDeclaration;
import io.berth.core.api.job.Reason;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** One job: its JobMaster, what it declared, what it has. Confined to the main thread. */
final class JobEntry {

    /**
     * The JobMaster that is registered.
     *
     * @param endpoint given to workers, to offer slots to
     */
    record Master(JobMasterId id, EndpointRef endpoint, JobMasterGateway gateway, Pulse pulse) {}

    /** Why the job waits, as its JobMaster was told last. */
    record Told(Reason why, long sequence, long millis) {}

    final JobId id;
    final SortedMap<String, UnitEntry> units = new TreeMap<>();

    private final SortedMap<GroupKey, Map<ResourceProfile, Integer>> acquired = new TreeMap<>();
    private Optional<Master> master = Optional.empty();
    private Optional<JobMasterId> newest = Optional.empty();
    private long sequence = -1;
    private long submissionIndex;
    private String queue = "";
    private int priority;
    private SortedMap<String, String> labels = new TreeMap<>();
    private int slots;
    private int unacknowledged;
    private long unacknowledgedSince;
    private Optional<Told> told = Optional.empty();

    JobEntry(JobId id, Optional<JobMasterId> newest) {
        this.id = id;
        this.newest = newest;
    }

    Optional<Master> master() {
        return master;
    }

    /** The newest JobMaster that ever registered. */
    Optional<JobMasterId> newest() {
        return newest;
    }

    void connect(Master by) {
        if (newest.isEmpty() || !newest.get().equals(by.id())) {
            sequence = -1;
        }
        newest = Optional.of(by.id());
        master = Optional.of(by);
        told = Optional.empty();
    }

    void disconnect() {
        master = Optional.empty();
        told = Optional.empty();
    }

    long sequence() {
        return sequence;
    }

    void declared(RequirementsDeclaration declaration) {
        sequence = declaration.sequence();
        submissionIndex = declaration.submissionIndex();
        queue = declaration.queue();
        priority = declaration.priority();
        labels = declaration.labels();
    }

    long submissionIndex() {
        return submissionIndex;
    }

    String queue() {
        return queue;
    }

    int priority() {
        return priority;
    }

    SortedMap<String, String> labels() {
        return labels;
    }

    /** Slots that the job has or that are being requested for it, whatever it requires. */
    int slots() {
        return slots;
    }

    void acquired(GroupKey group, ResourceProfile profile) {
        acquired.computeIfAbsent(group, key -> new LinkedHashMap<>()).merge(profile, 1, Integer::sum);
        slots++;
    }

    void lost(GroupKey group, ResourceProfile profile) {
        Map<ResourceProfile, Integer> byProfile = acquired.getOrDefault(group, new LinkedHashMap<>());
        if (!byProfile.containsKey(profile)) {
            throw new IllegalStateException(
                    "job " + id + " loses a slot of " + group + " " + profile + " that it does not have");
        }
        byProfile.merge(profile, -1, (count, one) -> count + one == 0 ? null : count + one);
        if (byProfile.isEmpty()) {
            acquired.remove(group);
        }
        slots--;
    }

    /** Slots of the group that fulfil the profile by the rule. */
    int have(GroupKey group, ResourceProfile required, MatchingRule rule) {
        int have = 0;
        for (Map.Entry<ResourceProfile, Integer> entry :
                acquired.getOrDefault(group, Map.of()).entrySet()) {
            boolean fulfils = required.isUnknown()
                    || (rule == MatchingRule.EXACT
                            ? entry.getKey().equals(required)
                            : entry.getKey().covers(required));
            if (fulfils) {
                have += entry.getValue();
            }
        }
        return have;
    }

    /** Slots that were requested and that their workers have not acknowledged. */
    int unacknowledged() {
        return unacknowledged;
    }

    /** When the first of them was requested, or the last one was acknowledged. */
    long unacknowledgedSince() {
        return unacknowledgedSince;
    }

    void unacknowledged(int change, long now) {
        if (unacknowledged == 0 || change < 0) {
            unacknowledgedSince = now;
        }
        unacknowledged += change;
    }

    /** Empty when nothing was told that still holds. */
    Optional<Told> told() {
        return told;
    }

    void told(Optional<Reason> why, long now) {
        told = why.map(reason -> new Told(reason, sequence, now));
    }
}

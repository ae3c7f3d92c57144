package io.berth.core.policies.registry;

import io.berth.core.policies.registration.DecisionOwner;
import io.berth.spi.JobId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Whom a policy is quarantined for: all owners, single pools and single jobs, with the calls that count for each. Guarded
 * by the lock of the table.
 */
final class Quarantines {

    /** Of pools, and of jobs with failures; older ones are forgotten. */
    static final int MAX_OWNERS = 1_000;

    private static final int MAX_SHOWN = 3;

    /** For all owners. */
    final Quarantine all = new Quarantine();
    /** The most recently used last. */
    private final Map<String, Quarantine> ofPools = new LinkedHashMap<>(16, 0.75f, true);

    private final Map<JobId, Quarantine> ofJobs = new LinkedHashMap<>(16, 0.75f, true);

    /** The quarantine for one pool, whose calls it counts. */
    Quarantine ofPool(String pool) {
        return bounded(ofPools, pool);
    }

    /** The quarantine for one job; empty when there was no failure. */
    Optional<Quarantine> ofJob(JobId job) {
        return Optional.ofNullable(ofJobs.get(job));
    }

    /** The quarantine for a job with a failure. */
    Quarantine failedFor(JobId job) {
        return bounded(ofJobs, job);
    }

    private static <K> Quarantine bounded(Map<K, Quarantine> some, K owner) {
        Quarantine found = some.computeIfAbsent(owner, key -> new Quarantine());
        if (some.size() > MAX_OWNERS) {
            some.remove(some.keySet().iterator().next());
        }
        return found;
    }

    /** Those that keep an owner from a policy, whatever the job: for all, and for its pool. */
    List<Quarantine> concerning(DecisionOwner owner) {
        List<Quarantine> found = new ArrayList<>(2);
        found.add(all);
        owner.pool().map(ofPools::get).ifPresent(found::add);
        return found;
    }

    /**
     * Whether the owner must do without the policy.
     *
     * @param tries whether the owner may try it again
     */
    boolean exclude(DecisionOwner owner, boolean tries) {
        return concerning(owner).stream().anyMatch(one -> one.excludes(owner, tries));
    }

    boolean isActiveForPools() {
        return !pools().isEmpty();
    }

    boolean isActive() {
        return all.isActive() || isActiveForPools() || ofJobs.values().stream().anyMatch(Quarantine::isActive);
    }

    /** How many there are, without those for single jobs. */
    int count() {
        return (all.isActive() ? 1 : 0) + pools().size();
    }

    /** The pools that it is quarantined for. */
    SortedMap<String, Quarantine> pools() {
        SortedMap<String, Quarantine> active = new TreeMap<>();
        ofPools.forEach((pool, one) -> {
            if (one.isActive()) {
                active.put(pool, one);
            }
        });
        return active;
    }

    /** Why an owner must do without it, for people; empty when it need not. */
    String obstacle(Optional<DecisionOwner> owner) {
        if (all.isActive()) {
            return "quarantined: " + all.why();
        }
        return owner.flatMap(DecisionOwner::pool)
                .flatMap(pool -> Optional.ofNullable(pools().get(pool))
                        .map(one -> "quarantined for pool " + pool + ": " + one.why()))
                .orElse("");
    }

    /** The same, with since when and until when; empty when it need not. */
    String text(DecisionOwner owner) {
        if (all.isActive()) {
            return "quarantined, " + all.text();
        }
        return owner.pool()
                .flatMap(pool -> Optional.ofNullable(pools().get(pool))
                        .map(one -> "quarantined for pool " + pool + ", " + one.text()))
                .orElse("");
    }

    /** The first few pools that it is quarantined for, with the causes, for people; empty when there are none. */
    String poolsText() {
        return joined(pools().entrySet().stream()
                .map(one -> "pool " + one.getKey() + ": " + one.getValue().why())
                .toList());
    }

    /** The first few pools and jobs that it is quarantined for, for people; empty when there are none. */
    String ownersText() {
        List<String> owners = new ArrayList<>();
        pools().forEach((pool, one) -> owners.add("pool " + pool + " " + one.text()));
        ofJobs.forEach((job, one) -> {
            if (one.isActive()) {
                owners.add("job " + job + " " + one.text());
            }
        });
        return joined(owners);
    }

    private static String joined(List<String> owners) {
        return owners.isEmpty()
                ? ""
                : "quarantined for " + String.join("; for ", owners.subList(0, Math.min(owners.size(), MAX_SHOWN)))
                        + (owners.size() > MAX_SHOWN ? "; and for " + (owners.size() - MAX_SHOWN) + " more" : "");
    }

    void forget() {
        all.forget();
        ofPools.clear();
        ofJobs.clear();
    }

    void forget(JobId job) {
        ofJobs.remove(job);
    }

    void forget(String pool) {
        ofPools.remove(pool);
    }

    /** Forgets all other pools. */
    void retain(Collection<String> pools) {
        ofPools.keySet().retainAll(pools);
    }
}

package io.berth.policy.support.distribution;

import io.berth.spi.JobId;
import io.berth.spi.distribution.DemandsView;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The units by queue and claimant: those that lack slots in their order, and what all of them use. Follows the units by
 * deltas; the queues are those of the moment at which it was built.
 */
final class ClaimIndex {

    /** Who claims: a queue, and a submitter or job in it, empty when there is no such level. */
    record Claimant(int queue, String name) implements Comparable<Claimant> {

        private static final Comparator<Claimant> ORDER =
                Comparator.comparingInt(Claimant::queue).thenComparing(Claimant::name);

        @Override
        public int compareTo(Claimant other) {
            return ORDER.compare(this, other);
        }
    }

    /** Where a unit comes among those of its claimant. */
    record Place(int priority, long submissionIndex, JobId job, String name, int unit) implements Comparable<Place> {

        private static final Comparator<Place> ORDER = Comparator.comparingInt(Place::priority)
                .reversed()
                .thenComparingLong(Place::submissionIndex)
                .thenComparing(Place::job)
                .thenComparing(Place::name)
                .thenComparingInt(Place::unit);

        @Override
        public int compareTo(Place other) {
            return ORDER.compare(this, other);
        }
    }

    /** The units of a claimant. */
    static final class Claim {

        private final Claimant claimant;
        private final SortedSet<Place> lacking = new TreeSet<>();
        private final long[] used;
        private long unknownSlots;
        private int units;

        private Claim(Claimant claimant, int dimensions) {
            this.claimant = claimant;
            this.used = new long[dimensions];
        }

        Claimant claimant() {
            return claimant;
        }

        SortedSet<Place> lacking() {
            return lacking;
        }
    }

    /** What a unit added to its claim. */
    private record Counted(Claim claim, Place place, long[] used, long unknownSlots) {}

    private final DemandsView demands;
    private final UnitLacks lacks;
    private final Claimants level;
    private final boolean byPriority;
    private final Map<Claimant, Claim> claims = new HashMap<>();
    /** Those of which a unit lacks slots: a call looks at no others. */
    private final SortedMap<Claimant, Claim> lacking = new TreeMap<>();

    private final Map<Integer, Counted> counted = new HashMap<>();
    /** Units with slots of the unknown profile; the first one tells what such a slot takes. */
    private final SortedSet<Integer> unknown = new TreeSet<>();

    ClaimIndex(DemandsView demands, UnitLacks lacks, Claimants level, boolean byPriority) {
        this.demands = demands;
        this.lacks = lacks;
        this.level = level;
        this.byPriority = byPriority;
    }

    void clear() {
        claims.clear();
        lacking.clear();
        counted.clear();
        unknown.clear();
    }

    void update(int unit) {
        Counted before = counted.remove(unit);
        if (before != null) {
            remove(before, unit);
        }
        if (demands.present(unit)) {
            add(unit);
        }
    }

    private void remove(Counted before, int unit) {
        Claim claim = before.claim();
        if (claim.lacking.remove(before.place()) && claim.lacking.isEmpty()) {
            lacking.remove(claim.claimant());
        }
        for (int dimension = 0; dimension < claim.used.length; dimension++) {
            claim.used[dimension] -= before.used()[dimension];
        }
        claim.unknownSlots -= before.unknownSlots();
        claim.units--;
        if (claim.units == 0) {
            claims.remove(claim.claimant());
        }
        unknown.remove(unit);
    }

    private void add(int unit) {
        int dimensions = demands.dimensions();
        Claimant claimant = new Claimant(demands.queues().find(demands.queue(unit)), nameOf(unit));
        Claim claim = claims.computeIfAbsent(claimant, first -> new Claim(first, dimensions));
        Place place = new Place(
                byPriority ? demands.priority(unit) : 0,
                demands.submissionIndex(unit),
                demands.job(unit),
                demands.name(unit),
                unit);
        long[] used = new long[dimensions];
        long unknownSlots = 0;
        for (int group = 0; group < demands.groups(unit); group++) {
            int slots = demands.allocated(unit, group);
            if (demands.profile(unit, group).isUnknown()) {
                unknownSlots += slots;
                unknown.add(unit);
                continue;
            }
            for (int dimension = 0; dimension < dimensions; dimension++) {
                used[dimension] += slots * demands.amount(unit, group, dimension);
            }
        }
        for (int dimension = 0; dimension < dimensions; dimension++) {
            claim.used[dimension] += used[dimension];
        }
        claim.unknownSlots += unknownSlots;
        claim.units++;
        if (lacks.lacks(unit)) {
            claim.lacking.add(place);
            lacking.put(claimant, claim);
        }
        counted.put(unit, new Counted(claim, place, used, unknownSlots));
    }

    private String nameOf(int unit) {
        return switch (level) {
            case QUEUES -> "";
            case SUBMITTERS -> demands.submitter(unit).orElse("");
            case JOBS -> demands.job(unit).value();
        };
    }

    /** The claims of which a unit lacks slots, by queue and name. */
    Collection<Claim> lacking() {
        return lacking.values();
    }

    /** What the units of a claim use, in a new array. */
    long[] used(Claim claim) {
        long[] used = claim.used.clone();
        if (claim.unknownSlots > 0) {
            int unit = unknown.first();
            int group = 0;
            while (!demands.profile(unit, group).isUnknown()) {
                group++;
            }
            for (int dimension = 0; dimension < used.length; dimension++) {
                used[dimension] += claim.unknownSlots * demands.amount(unit, group, dimension);
            }
        }
        return used;
    }
}

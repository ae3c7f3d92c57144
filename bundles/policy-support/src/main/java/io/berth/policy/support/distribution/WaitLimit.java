package io.berth.policy.support.distribution;

import io.berth.spi.ConfigurationKey;
import io.berth.spi.JobId;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.DemandsView;
import java.time.Duration;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Ends the starvation of units that never find room because smaller ones always take it. A unit that has waited for its
 * minimum for a time is held: it comes first, and the room that it lacks is set aside. When that did not help for another
 * time, for example because the room is spread over too many workers, nothing but it is admitted.
 *
 * <p>When it is known from expected run times that the room comes later, units that should end by then pass, and so do those
 * that leave enough for that time.
 *
 * <p>The units that have waited longest are held. One that is larger than the whole pool is not, and no unit is held for
 * longer than a limit, because sums do not show that no worker may take it. It is held again when its wait has doubled.
 * Which units are held follows from the view alone.
 */
public final class WaitLimit {

    static final long MAX_REVIEW_MILLIS = 86_400_000;
    /** When a held unit probably found room, others may compete again soon. */
    private static final long AGAIN_MILLIS = 10_000;
    /** Longer waits count as this, so that doubling does not overflow. */
    private static final long MAX_WAIT_MILLIS = 1_000_000_000_000_000L;

    private static final String AFTER = "hold.after";
    private static final String ALL_AFTER = "hold.all.after";
    private static final String FOR = "hold.for";
    private static final String LIMIT = "hold.limit";

    /**
     * How long units wait before they are held.
     *
     * @param afterMillis a unit is held when it has waited so long
     * @param allAfterMillis nothing else is admitted when it has been held for so long; at least {@code forMillis}: never
     * @param forMillis a unit is held for so long at a time
     * @param units so many are held at a time; 0: none
     */
    public record Limits(long afterMillis, long allAfterMillis, long forMillis, int units) {

        private static final Duration MAX = Duration.ofDays(365);

        /** The keys of a policy that has the limit. */
        public static List<ConfigurationKey> keys() {
            return List.of(
                    ConfigurationKey.duration(
                            AFTER,
                            Duration.ofDays(1),
                            Duration.ZERO,
                            MAX,
                            "a unit that has waited so long for its minimum comes first, and the room that it lacks is"
                                    + " kept for it; 0: at once"),
                    ConfigurationKey.duration(
                            ALL_AFTER,
                            Duration.ofDays(2),
                            Duration.ZERO,
                            MAX,
                            "when room has been kept for a unit for so long, nothing else is admitted; hold.for or more:"
                                    + " never"),
                    ConfigurationKey.duration(
                            FOR,
                            Duration.ofDays(3),
                            Duration.ofMinutes(1),
                            MAX,
                            "room is kept for a unit for so long at a time, and again when its wait has doubled"),
                    ConfigurationKey.number(LIMIT, 1, 0, 100, "for so many units at a time room is kept; 0: for none"));
        }

        /** The limits that a configuration with these keys states. */
        public static Limits of(PolicyConfiguration configuration) {
            return new Limits(
                    configuration.duration(AFTER).toMillis(),
                    configuration.duration(ALL_AFTER).toMillis(),
                    configuration.duration(FOR).toMillis(),
                    (int) configuration.number(LIMIT));
        }
    }

    /** Decides whether a unit that has waited long enough is held. */
    public interface Held {

        /**
         * Whether the unit is held. It is not when something else than room keeps it from being admitted, such as the
         * limit of its queue.
         *
         * @param lack what it lacks of its minimum; valid during the call
         */
        boolean take(int unit, long[] lack);
    }

    private record Waiting(long since, long submissionIndex, JobId job, String name, int unit) {}

    private final DemandsView demands;
    private final UnitLacks lacks;
    private final Limits limits;
    private final ExpectedEnds ends;
    private final SortedSet<Waiting> waiting = new TreeSet<>(Comparator.comparingLong(Waiting::since)
            .thenComparingLong(Waiting::submissionIndex)
            .thenComparing(Waiting::job)
            .thenComparing(Waiting::name)
            .thenComparingInt(Waiting::unit));
    private final Map<Integer, Waiting> waitingOf = new HashMap<>();
    private final BitSet held = new BitSet();
    private final long[] amounts;
    private final long[] then;

    public WaitLimit(DemandsView demands, UnitLacks lacks, Limits limits) {
        this.demands = demands;
        this.lacks = lacks;
        this.limits = limits;
        this.ends = new ExpectedEnds(demands, lacks);
        this.amounts = new long[demands.dimensions()];
        this.then = new long[demands.dimensions()];
    }

    /** When units should end. */
    public ExpectedEnds ends() {
        return ends;
    }

    /** The unit was added, was removed or has other numbers. */
    public void update(int unit) {
        ends.update(unit);
        Waiting before = waitingOf.remove(unit);
        if (before != null) {
            waiting.remove(before);
        }
        if (demands.present(unit) && lacks.lacksMinimum(unit)) {
            long since = demands.waitingSince(unit).orElse(demands.now());
            Waiting now =
                    new Waiting(since, demands.submissionIndex(unit), demands.job(unit), demands.name(unit), unit);
            waitingOf.put(unit, now);
            waiting.add(now);
        }
    }

    /** Forgets all units. */
    public void clear() {
        waiting.clear();
        waitingOf.clear();
        ends.clear();
        held.clear();
    }

    /** The units that lack a part of their minimum, those that have waited longest first. */
    public Iterable<Integer> oldestFirst() {
        return () -> waiting.stream().map(Waiting::unit).iterator();
    }

    /** For how long the unit, which lacks a part of its minimum, has waited. */
    public long waitedMillis(int unit) {
        return waited(demands.waitingSince(unit).orElse(demands.now()));
    }

    private long waited(long since) {
        return Math.min(MAX_WAIT_MILLIS, Math.max(0, demands.now() - since));
    }

    /** Whether the unit is held in this call. */
    public boolean holds(int unit) {
        return held.get(unit);
    }

    /** Admits the minimums of the held units, sets room aside for them, and asks for a review when that changes. */
    public void hold(Room room, AdmissionBuilder result, Held decides) {
        held.clear();
        int left = limits.units();
        long review = Long.MAX_VALUE;
        for (Waiting one : waiting) {
            if (left == 0) {
                break;
            }
            long waited = waited(one.since());
            long begin = begin(waited);
            review = Math.min(review, untilChange(waited, begin));
            if (waited < limits.afterMillis()) {
                // All that follow have waited for less time.
                break;
            }
            if (waited < begin || !lacks.couldFit(one.unit(), amounts)) {
                continue;
            }
            lacks.missingMinimum(one.unit(), amounts);
            if (decides.take(one.unit(), amounts)) {
                left--;
                review = Math.min(review, hold(one, waited, waited - begin >= limits.allAfterMillis(), room, result));
            }
        }
        if (review < Long.MAX_VALUE) {
            result.reviewAfter(Math.min(Math.max(1, review), MAX_REVIEW_MILLIS));
        }
    }

    /** @return in how many milliseconds to look again, although nothing changes */
    private long hold(Waiting one, long waited, boolean all, Room room, AdmissionBuilder result) {
        held.set(one.unit());
        boolean again = all && demands.candidate(one.unit()) && room.fits(amounts);
        if (demands.candidate(one.unit())) {
            result.admitMinimum(one.unit());
        }
        String unit = "unit " + one.name() + " of job " + one.job() + ", which has waited " + words(waited);
        String kept = "room is kept for " + unit + " (" + AFTER + ")";
        long start = all ? ExpectedEnds.NEVER : setAside(room, kept);
        if (start != ExpectedEnds.NEVER) {
            return start - demands.now();
        }
        room.setAside(amounts, kept);
        if (all) {
            room.close("nothing else is admitted before " + unit + " (" + ALL_AFTER + ")");
        }
        return again ? AGAIN_MILLIS : Long.MAX_VALUE;
    }

    private long setAside(Room room, String kept) {
        room.free(then);
        return ends.setAside(room, then, amounts, List.of(), kept);
    }

    /** After which wait the time begins, or began, in which the unit is held next. */
    private long begin(long waited) {
        long begin = limits.afterMillis();
        while (waited >= begin + limits.forMillis()) {
            begin = 2 * (begin + limits.forMillis());
        }
        return begin;
    }

    private long untilChange(long waited, long begin) {
        if (waited < begin) {
            return begin - waited;
        }
        boolean all = waited - begin >= limits.allAfterMillis();
        return begin + (all ? limits.forMillis() : Math.min(limits.allAfterMillis(), limits.forMillis())) - waited;
    }

    /** A length of time for people, rounded down. */
    static String words(long millis) {
        Duration time = Duration.ofMillis(millis);
        if (time.toDays() >= 3) {
            return time.toDays() + " d";
        }
        if (time.toHours() >= 2) {
            return time.toHours() + " h";
        }
        return time.toMinutes() >= 2 ? time.toMinutes() + " min" : time.toSeconds() + " s";
    }
}

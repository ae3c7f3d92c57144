package io.berth.distribution.backfill;

import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DemandsView;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Keeps the units that lack slots, in the order of submission, and the units that run, by their expected end, so that a
 * call does not inspect other units. What is promised follows from the view in each call and is not kept.
 */
final class BackfillSession implements AdmissionSession {

    /**
     * What the configuration says.
     *
     * @param shortestFirst whether units that pass others do so by their run time, not by submission
     * @param reservations how many units have a promise at a time
     * @param promiseAfterMillis waiting time after which a unit has a promise
     * @param strictAfterMillis time with a promise after which expected run times do not count
     * @param limitMillis time with a strict promise after which a unit has none
     * @param unknownMillis run time of a job without one; 0: none counts
     * @param learnedMargin factor of run times that were learned
     * @param overrunMillis how much longer a job runs that should have ended
     * @param zone of times in reasons
     */
    record Rules(
            boolean shortestFirst,
            int reservations,
            long promiseAfterMillis,
            long strictAfterMillis,
            long limitMillis,
            long unknownMillis,
            double learnedMargin,
            long overrunMillis,
            ZoneId zone) {}

    private static final long NEVER = RoomOverTime.NEVER;
    private static final long DAY = 86_400_000;
    /** What a strict promise left out is admitted in the next decision. */
    private static final long SOON = 1_000;

    private static final DateTimeFormatter TODAY = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
    private static final DateTimeFormatter LATER = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);
    private static final String NO_ROOM = "its minimum does not fit into what is free";
    private static final String TAKEN = "units that have waited longer take what is free";

    private final DemandsView demands;
    private final Rules rules;
    private final RoomOverTime room;
    private final AboveMinimum aboveMinimum;
    private final SortedSet<Waiting> order = new TreeSet<>(Waiting.BY_SUBMISSION);
    /** The same by run time, if that order is asked for. */
    private final SortedSet<Waiting> byRuntime = new TreeSet<>(Waiting.BY_RUNTIME);

    private final Map<Integer, Waiting> waitingOf = new HashMap<>();
    private final Runs runs;

    // Of the call that runs.
    private final BitSet handled = new BitSet();
    private long now;
    /** When the next call is needed, without changes. */
    private long reviewAt;
    /** Whether expected run times let units pass. */
    private boolean passing;
    /** Why others do not start. */
    private String kept = TAKEN;

    BackfillSession(DemandsView demands, Rules rules) {
        this.demands = demands;
        this.rules = rules;
        room = new RoomOverTime(demands.dimensions());
        aboveMinimum = new AboveMinimum(demands, room);
        runs = new Runs(demands, rules);
        for (int unit = 0; unit < demands.limit(); unit++) {
            update(unit);
        }
    }

    @Override
    public void delta(int[] changed) {
        for (int unit : changed) {
            update(unit);
        }
    }

    private void update(int unit) {
        Waiting before = waitingOf.remove(unit);
        if (before != null) {
            order.remove(before);
            byRuntime.remove(before);
        }
        runs.remove(unit);
        if (!demands.present(unit)) {
            return;
        }
        boolean lacks = false;
        boolean holds = false;
        boolean whole = true;
        for (int group = 0; group < demands.groups(unit); group++) {
            int allocated = demands.allocated(unit, group);
            lacks |= allocated < Math.max(demands.minimum(unit, group), demands.desired(unit, group));
            holds |= allocated > 0;
            whole &= allocated >= demands.minimum(unit, group);
        }
        if (lacks) {
            Waiting waiting = new Waiting(demands, unit, runs.runMillis(unit));
            waitingOf.put(unit, waiting);
            order.add(waiting);
            if (rules.shortestFirst()) {
                byRuntime.add(waiting);
            }
        }
        if (whole && holds) {
            runs.add(unit);
        }
    }

    @Override
    public void admit(AdmissionBuilder result) {
        now = demands.now();
        reviewAt = NEVER;
        passing = true;
        kept = TAKEN;
        handled.clear();
        List<Waiting> first = withPromise();
        if (!first.isEmpty() || rules.shortestFirst()) {
            beginRoom();
        }
        if (!first.isEmpty() && promise(first, result)) {
            backfill(result);
        } else {
            admitInOrder(result);
        }
        if (reviewAt != NEVER) {
            result.reviewAfter(Math.max(1, Math.min(DAY, reviewAt - now)));
        }
    }

    /** Time counts only if it is to come. */
    private void reviewAt(long atMillis) {
        if (atMillis > now) {
            reviewAt = Math.min(reviewAt, atMillis);
        }
    }

    /**
     * The units to which room may be promised, in the order of submission. A unit that has some of its minimum comes before
     * the others, however short it has waited: nobody else can use what it has.
     */
    private List<Waiting> withPromise() {
        List<Waiting> started = new ArrayList<>();
        List<Waiting> others = new ArrayList<>();
        for (Waiting waiting : order) {
            if (waiting.lacksMinimum()) {
                long begin = promisedSince(waiting);
                long strict = strictSince(waiting);
                long end = RoomOverTime.end(strict, rules.limitMillis());
                reviewAt(begin);
                if (begin <= now && now < end) {
                    reviewAt(strict);
                    reviewAt(end);
                    (waiting.started ? started : others).add(waiting);
                }
            }
        }
        started.addAll(others);
        return started;
    }

    /** When the promise begins. One that ended is given again when the wait has doubled. */
    private long promisedSince(Waiting waiting) {
        long since = waiting.since.orElseThrow();
        long lasts = RoomOverTime.end(rules.strictAfterMillis(), rules.limitMillis());
        if (lasts == 0) {
            return NEVER;
        }
        long after = waiting.started ? 0 : rules.promiseAfterMillis();
        while (now - since >= after + lasts) {
            after = 2 * (after + lasts);
        }
        return RoomOverTime.end(since, after);
    }

    private long strictSince(Waiting waiting) {
        return RoomOverTime.end(promisedSince(waiting), rules.strictAfterMillis());
    }

    private void beginRoom() {
        room.begin(now);
        for (int dimension = 0; dimension < demands.dimensions(); dimension++) {
            room.add(dimension, demands.free(dimension));
            room.add(dimension, demands.startable(dimension));
        }
    }

    /**
     * Admits the units that fit, and keeps room for those that do not, as far as units have promises.
     *
     * @return whether others must ask for room
     */
    private boolean promise(List<Waiting> first, AdmissionBuilder result) {
        runs.addEndsTo(room);
        boolean asks = false;
        int reservations = 0;
        for (Waiting waiting : first) {
            long[] need = waiting.need(demands);
            boolean candidate = demands.candidate(waiting.unit);
            boolean strict = now >= strictSince(waiting);
            long start = fitsPool(waiting) ? room.earliest(need, waiting.runMillis) : NEVER;
            if (start == NEVER || !candidate && strict && nobodyUses(need)) {
                // It would hold others for nothing: nothing that ends makes room for it.
                continue;
            }
            asks = true;
            handled.set(waiting.unit);
            room.reserve(need, start == now && !candidate ? placeExpected(strict) : start, waiting.runMillis);
            if (start == now && candidate) {
                result.admitMinimum(waiting.unit);
                aboveMinimum.admitFitting(waiting.unit, RoomOverTime.end(now, waiting.runMillis), result);
            } else {
                keep(waiting, start, result);
                reservations++;
            }
            if (strict) {
                hold(waiting, start, candidate);
                break;
            }
            if (reservations == rules.reservations()) {
                break;
            }
        }
        return asks;
    }

    /** Whether the pool has room for it when nothing else runs. */
    private boolean fitsPool(Waiting waiting) {
        long[] need = waiting.need(demands);
        for (int dimension = 0; dimension < need.length; dimension++) {
            if (need[dimension] > 0) {
                long all = need[dimension] + (waiting.started ? demands.used(waiting.unit, dimension) : 0);
                if (all - demands.capacity(dimension) > demands.startable(dimension)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Whether all is free of which something is needed. */
    private boolean nobodyUses(long[] need) {
        for (int dimension = 0; dimension < need.length; dimension++) {
            if (need[dimension] > 0 && demands.free(dimension) < demands.capacity(dimension)) {
                return false;
            }
        }
        return true;
    }

    private void keep(Waiting waiting, long start, AdmissionBuilder result) {
        String when;
        if (start == now) {
            when = "which is free, but not where its slots fit";
        } else if (isGuess(start)) {
            when = "expected when jobs end whose run time is not known, or that run longer than expected";
        } else {
            when = "expected at " + time(start);
            // Then it has the room, or others may pass because it has to wait longer.
            reviewAt(start);
        }
        if (kept.equals(TAKEN)) {
            kept = "room is kept for " + waiting + ", " + when;
        }
        if (demands.candidate(waiting.unit) && !waiting.exact) {
            // Sizes are estimates: it may fit.
            result.admitMinimum(waiting.unit);
        } else {
            result.defer(waiting.unit, "room is kept for it, " + when);
        }
    }

    private String time(long atMillis) {
        ZonedDateTime today = Instant.ofEpochMilli(demands.wallTime()).atZone(rules.zone());
        ZonedDateTime at =
                Instant.ofEpochMilli(demands.wallTime() + (atMillis - now)).atZone(rules.zone());
        return at.format(at.toLocalDate().equals(today.toLocalDate()) ? TODAY : LATER);
    }

    /** Whether the time depends on units of which it is not known when they end. */
    private boolean isGuess(long start) {
        return runs.isOverdue() && start == runs.late();
    }

    /** What is free is in pieces that are too small. That may change with each end, and the last one leaves none. */
    private long placeExpected(boolean strict) {
        return strict ? runs.lastEnd() : runs.nextEnd();
    }

    /**
     * Makes sure that the unit gets room, whether run times are right or not: others that last beyond the promised time may
     * have together at most what it does not need. Then makes sure that it finds a place: when those that ran before have
     * returned enough, none starts that would be the last to end.
     */
    private void hold(Waiting waiting, long start, boolean candidate) {
        Duration waited = Duration.ofMillis(now - waiting.since.orElseThrow());
        kept = "nothing that takes what it needs, and does not end in time, starts before " + waiting
                + ", which has waited for " + waited.toHours() + " h";
        long strict = strictSince(waiting);
        long[] need = waiting.need(demands);
        if (start > now) {
            passing = !isGuess(start);
            room.limit(passing ? start : now, need, notNeeded(need, runs.since(strict, passing ? start : now)));
        }
        if (start == now || isCovered(need, notNeeded(need, runs.before(strict)))) {
            room.limit(runs.lastEnd(), need, new long[need.length]);
        }
        if (candidate && start == now) {
            reviewAt(now + SOON);
        }
    }

    /** What the pool has beyond two amounts; negative where it does not have them. */
    private long[] notNeeded(long[] need, long[] taken) {
        long[] rest = new long[need.length];
        for (int dimension = 0; dimension < rest.length; dimension++) {
            rest[dimension] = demands.capacity(dimension) - need[dimension] - taken[dimension];
        }
        return rest;
    }

    private static boolean isCovered(long[] need, long[] rest) {
        for (int dimension = 0; dimension < need.length; dimension++) {
            if (need[dimension] > 0 && rest[dimension] < 0) {
                return false;
            }
        }
        return true;
    }

    /** Admits the other units if they fit beside what is kept. */
    private void backfill(AdmissionBuilder result) {
        for (Waiting waiting : rules.shortestFirst() ? byRuntime : order) {
            if (handled.get(waiting.unit) || !demands.candidate(waiting.unit)) {
                continue;
            }
            long end = passing ? lastsTo(waiting) : NEVER;
            if (!waiting.lacksMinimum()) {
                if (!aboveMinimum.admitFitting(waiting.unit, end, result)) {
                    result.defer(waiting.unit, kept);
                }
                continue;
            }
            if (!fitsPool(waiting)) {
                // Finds no room, and its job shows what is missing.
                result.admitMinimum(waiting.unit);
                continue;
            }
            long[] need = waiting.need(demands);
            if (room.fits(need, end)) {
                room.take(need, end);
                result.admitMinimum(waiting.unit);
                aboveMinimum.admitFitting(waiting.unit, end, result);
            } else {
                result.defer(waiting.unit, isFree(need) ? kept : NO_ROOM);
            }
        }
    }

    /** When a unit that gets slots now should return them. */
    private long lastsTo(Waiting waiting) {
        return waiting.lacksMinimum() || waiting.runMillis == NEVER
                ? RoomOverTime.end(now, waiting.runMillis)
                : Math.max(runs.expectedEnd(waiting.unit), runs.late());
    }

    private boolean isFree(long[] need) {
        for (int dimension = 0; dimension < need.length; dimension++) {
            if (need[dimension] - demands.free(dimension) > demands.startable(dimension)) {
                return false;
            }
        }
        return true;
    }

    /** Nothing is promised: what finds no room is passed by what does. */
    private void admitInOrder(AdmissionBuilder result) {
        if (rules.shortestFirst()) {
            admitUntilOneFindsNoRoom(result);
        }
        for (Waiting waiting : rules.shortestFirst() ? byRuntime : order) {
            if (!handled.get(waiting.unit) && demands.candidate(waiting.unit)) {
                if (waiting.lacksMinimum()) {
                    result.admitMinimum(waiting.unit);
                }
                aboveMinimum.admitAll(waiting.unit, result);
            }
        }
    }

    private void admitUntilOneFindsNoRoom(AdmissionBuilder result) {
        for (Waiting waiting : order) {
            if (waiting.lacksMinimum()) {
                long[] need = waiting.need(demands);
                if (!fitsPool(waiting)) {
                    continue;
                }
                if (!demands.candidate(waiting.unit) || !room.fits(need, NEVER)) {
                    return;
                }
                room.take(need, NEVER);
                result.admitMinimum(waiting.unit);
            } else if (!demands.candidate(waiting.unit)) {
                continue;
            }
            aboveMinimum.admitFitting(waiting.unit, NEVER, result);
            handled.set(waiting.unit);
        }
    }

    @Override
    public void close() {
        order.clear();
        byRuntime.clear();
        waitingOf.clear();
        runs.clear();
    }
}

package io.berth.distribution.priority;

import io.berth.policy.support.distribution.Reclaims;
import io.berth.policy.support.distribution.Room;
import io.berth.policy.support.distribution.SlotTurns;
import io.berth.policy.support.distribution.UnitLacks;
import io.berth.policy.support.distribution.WaitLimit;
import io.berth.spi.JobId;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DemandsView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Admits in the order of priority. A minimum counts with the priority of its unit and what it gained by waiting; slots above
 * a minimum count with the priority of the unit, after the minimums of the same number. Among equal ones, the order of
 * submission counts.
 */
final class PrioritySession implements AdmissionSession {

    /** A turn of slots above a minimum is at most this part of what the unit lacks. */
    private static final int TURNS = 16;
    /** For how many units a call looks for slots to reclaim; it reclaims for one. */
    private static final int MAX_TRIED = 8;

    /**
     * How the policy is configured.
     *
     * @param intervalMillis after so long a wait the priority is one higher; 0: never
     * @param agingLimit the most that it grows
     * @param reclaim whether slots are reclaimed
     */
    record Settings(long intervalMillis, long agingLimit, boolean reclaim, WaitLimit.Limits limits) {}

    private record Place(int priority, long submissionIndex, JobId job, String name, int unit) {}

    private record Item(long rank, boolean above, Place place) {}

    private static final Comparator<Place> SUBMISSION = Comparator.comparingLong(Place::submissionIndex)
            .thenComparing(Place::job)
            .thenComparing(Place::name)
            .thenComparingInt(Place::unit);
    /** Who loses slots first: the lowest priority, and of these what was submitted last. */
    private static final Comparator<Place> VICTIMS =
            Comparator.comparingInt(Place::priority).thenComparing(SUBMISSION.reversed());

    private static final Comparator<Item> ORDER = Comparator.comparingLong(Item::rank)
            .reversed()
            .thenComparing(Item::above)
            .thenComparing(Item::place, SUBMISSION);

    private static final Reclaims.Owners ANY = new Reclaims.Owners() {
        @Override
        public int most(int unit, long[] slot, int count) {
            return count;
        }

        @Override
        public void lose(int unit, long[] slot, int count) {}
    };

    private final DemandsView demands;
    private final Settings settings;
    private final UnitLacks lacks;
    private final Room room;
    private final WaitLimit waitLimit;
    private final Reclaims reclaims;
    private final SortedSet<Place> lacking = new TreeSet<>(SUBMISSION);
    /** Units that have slots above their minimum. */
    private final SortedSet<Place> victims = new TreeSet<>(VICTIMS);

    private final Map<Integer, Place> placeOf = new HashMap<>();
    private final long[] amounts;
    private final long[] shortage;
    /** Units whose minimum this call admits. */
    private final BitSet admitted = new BitSet();

    private int tried;
    private boolean reclaiming;

    PrioritySession(DemandsView demands, Settings settings) {
        this.demands = demands;
        this.settings = settings;
        this.lacks = new UnitLacks(demands);
        this.room = new Room(demands);
        this.waitLimit = new WaitLimit(demands, lacks, settings.limits());
        this.reclaims = new Reclaims(demands, lacks);
        this.amounts = new long[demands.dimensions()];
        this.shortage = new long[demands.dimensions()];
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
        waitLimit.update(unit);
        Place before = placeOf.remove(unit);
        if (before != null) {
            lacking.remove(before);
            victims.remove(before);
        }
        if (!demands.present(unit)) {
            return;
        }
        Place place = new Place(
                demands.priority(unit), demands.submissionIndex(unit), demands.job(unit), demands.name(unit), unit);
        boolean lackingNow = lacks.lacks(unit);
        if (lackingNow) {
            lacking.add(place);
        }
        boolean victim = settings.reclaim() && lacks.hasAboveMinimum(unit);
        if (victim) {
            victims.add(place);
        }
        if (lackingNow || victim) {
            placeOf.put(unit, place);
        }
    }

    @Override
    public void admit(AdmissionBuilder result) {
        room.begin();
        reclaims.begin();
        admitted.clear();
        tried = 0;
        reclaiming = false;
        waitLimit.hold(room, result, (unit, lack) -> {
            if (!room.fits(lack)) {
                reclaimFor(unit, lack, result);
            }
            return true;
        });
        for (Item item : items()) {
            if (item.above()) {
                admitAbove(item.place().unit(), result);
            } else {
                admitMinimum(item, result);
            }
        }
    }

    private List<Item> items() {
        List<Item> items = new ArrayList<>();
        for (Place place : lacking) {
            if (lacks.lacksMinimum(place.unit())) {
                items.add(new Item(place.priority() + gained(place.unit()), false, place));
            }
            items.add(new Item(place.priority(), true, place));
        }
        items.sort(ORDER);
        return items;
    }

    /** What the unit gained by waiting. */
    private long gained(int unit) {
        return settings.intervalMillis() == 0
                ? 0
                : Math.min(settings.agingLimit(), waitLimit.waitedMillis(unit) / settings.intervalMillis());
    }

    private void admitMinimum(Item item, AdmissionBuilder result) {
        int unit = item.place().unit();
        boolean candidate = demands.candidate(unit);
        if (waitLimit.holds(unit)) {
            admitted.set(unit, candidate);
            return;
        }
        lacks.missingMinimum(unit, amounts);
        if (!room.allows(amounts, waitLimit.ends().end(unit))) {
            result.defer(unit, room.why());
            return;
        }
        boolean fits = room.fits(amounts);
        if (!fits && reclaimFor(unit, amounts, result)) {
            room.setAside(amounts, "slots are reclaimed for " + named(unit) + " of priority " + demands.priority(unit));
        } else if (fits && candidate) {
            room.take(amounts, 1, waitLimit.ends().end(unit));
        }
        if (!candidate) {
            return;
        }
        if (!fits && room.fittedAtFirst(amounts)) {
            result.defer(unit, "others of higher rank come first: it has " + words(item));
        }
        result.admitMinimum(unit);
        admitted.set(unit);
    }

    private String words(Item item) {
        long gained = item.rank() - item.place().priority();
        String priority = "priority " + item.place().priority();
        return gained == 0 ? priority : priority + " and " + gained + " for its wait";
    }

    private String named(int unit) {
        return "unit " + demands.name(unit) + " of job " + demands.job(unit);
    }

    /** @return whether slots that are asked for, or were a short while ago, make room for it */
    private boolean reclaimFor(int unit, long[] lack, AdmissionBuilder result) {
        if (!settings.reclaim() || reclaiming || tried == MAX_TRIED) {
            return false;
        }
        tried++;
        int priority = demands.priority(unit);
        List<Integer> lower = new ArrayList<>();
        for (Place victim : victims) {
            if (victim.priority() >= priority) {
                break;
            }
            lower.add(victim.unit());
        }
        room.shortage(lack, shortage);
        String claim = named(unit) + " has priority " + priority + " and lacks its minimum; this one has ";
        reclaiming = reclaims.makeUp(shortage, lower, ANY, victim -> claim + demands.priority(victim), result);
        return reclaiming;
    }

    private void admitAbove(int unit, AdmissionBuilder result) {
        if (!demands.candidate(unit) || (!admitted.get(unit) && lacks.lacksMinimum(unit))) {
            return;
        }
        if (reclaims.returning().get(unit)) {
            result.defer(unit, "it is asked to return slots, because a unit of higher priority lacks its minimum");
            return;
        }
        SlotTurns turns = new SlotTurns(demands, unit);
        long turn = Math.max(1, turns.allMissing() / TURNS);
        int last = -1;
        int run = 0;
        while (!turns.isEmpty()) {
            int group = turns.group();
            if (group != last && run > 0) {
                result.admit(unit, last, run);
                run = 0;
            }
            last = group;
            lacks.slot(unit, group, amounts);
            int count = room.allowed(amounts, turns.turn(turn), waitLimit.ends().end(unit));
            if (count == 0) {
                result.defer(unit, room.why());
                turns.skip();
                continue;
            }
            room.take(amounts, room.fitting(amounts, count), waitLimit.ends().end(unit));
            run += count;
            turns.take(count);
        }
        if (run > 0) {
            result.admit(unit, last, run);
        }
    }

    @Override
    public void close() {
        lacking.clear();
        victims.clear();
        placeOf.clear();
        waitLimit.clear();
    }
}

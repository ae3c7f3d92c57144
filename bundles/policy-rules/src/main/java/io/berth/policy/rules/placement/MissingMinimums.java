package io.berth.policy.rules.placement;

import io.berth.policy.rules.placement.PlacementCheck.Item;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The minimums that a valid plan does not place. Those for which the strategy found no room are placed by the first fit
 * that {@link io.berth.spi.matching.PlacementSession#place} defines, if that finds some, so that no strategy has to try
 * it. Others that fit are {@link LeftOut}. Scans workers only when a minimum is missing.
 */
public final class MissingMinimums {

    private static final int TRIAL = 0;
    /** Each one costs a scan of all workers: the rest is judged once the first ones are placed. */
    private static final int MAX_KINDS = 64;

    private static final int MAX_FIRST_FITS = 16;

    private final CheckedWorkers workers;
    private final CheckedEntries entries;
    private final PlacementResult plan;
    private final RemainingCapacity rest;
    private final List<LeftOut> leftOut = new ArrayList<>();
    private final List<String> placed = new ArrayList<>();
    private boolean bounded;

    @SuppressWarnings("NullAway.Init")
    private RoomLeft shared;

    private MissingMinimums(
            CheckedWorkers workers, CheckedEntries entries, PlacementResult plan, RemainingCapacity rest) {
        this.workers = workers;
        this.entries = entries;
        this.plan = plan;
        this.rest = rest;
    }

    /**
     * Looks at them in order of precedence.
     *
     * @param plan receives what the host places
     * @param rest used during the call
     * @param lastRank does not look at larger ranks
     */
    public static MissingMinimums of(
            CheckedWorkers workers,
            CheckedEntries entries,
            PlacementResult plan,
            RemainingCapacity rest,
            int lastRank) {
        MissingMinimums missing = new MissingMinimums(workers, entries, plan, rest);
        List<Item> items = PlacementCheck.missingMinimums(entries, plan);
        items.removeIf(item -> entries.rank(item.from()) > lastRank);
        if (!items.isEmpty()) {
            missing.look(items);
        }
        return missing;
    }

    /** Those that fit and that the strategy should have placed, or leaves out on purpose. */
    public List<LeftOut> leftOut() {
        return leftOut;
    }

    /** What the host placed, for people. */
    public List<String> placed() {
        return placed;
    }

    /** Whether it did not look at all of them, so that another decision may place more. */
    public boolean bounded() {
        return bounded;
    }

    private void look(List<Item> missing) {
        settle();
        int[] order = GangFirstFit.order(workers);
        Set<Integer> looked = new HashSet<>();
        int firstFits = 0;
        for (Item item : missing) {
            for (int entry = item.from(); entry < item.to(); entry++) {
                looked.add(plan.kind(entry));
            }
            if (looked.size() > MAX_KINDS) {
                bounded = true;
                return;
            }
            boolean tries = item.foundNoRoom(plan);
            if (item.spread(entries) && !tries) {
                continue;
            }
            OptionalInt kind = item.onlyKind(plan);
            boolean reserves = reserved(item) > 0;
            // Room that is reserved for it is its own.
            giveBack(item, 1);
            boolean fits = eachFits(item, reserves ? new RoomLeft(workers, plan, rest) : shared, kind.isPresent());
            Optional<GangFirstFit.Found> found = Optional.empty();
            if (fits && (tries || kind.isEmpty())) {
                if (firstFits++ < MAX_FIRST_FITS) {
                    found = new GangFirstFit(workers, entries, plan, order).find(item, rest.copy(TRIAL), opened());
                } else {
                    bounded = true;
                }
                fits = found.isPresent();
            }
            giveBack(item, -1);
            if (fits && tries) {
                plan.addFound(item, found.orElseThrow());
                placed.add(what(item));
                settle();
            } else if (fits) {
                leftOut.add(new LeftOut(item.from(), what(item), reason(item)));
            }
        }
    }

    private BitSet opened() {
        BitSet opened = new BitSet();
        opened.set(0, plan.openedCount());
        return opened;
    }

    /** What is left of the workers after all that the plan places and reserves. */
    private void settle() {
        rest.beginAfter(workers, plan);
        shared = new RoomLeft(workers, plan, rest);
    }

    private int reserved(Item item) {
        int reserved = 0;
        for (int entry = item.from(); entry < item.to(); entry++) {
            reserved += plan.reserved(entry);
        }
        return reserved;
    }

    private void giveBack(Item item, int sign) {
        if (reserved(item) > 0) {
            plan.eachReservation((entry, worker, count) -> {
                if (entry >= item.from() && entry < item.to()) {
                    rest.take(entry, worker, -sign * count);
                }
            });
        }
    }

    private boolean eachFits(Item item, RoomLeft room, boolean alike) {
        long all = 0;
        for (int entry = item.from(); entry < item.to(); entry++) {
            all = alike ? all + entries.count(entry) : entries.count(entry);
            if (room.of(plan.kind(entry)) < all) {
                return false;
            }
        }
        return true;
    }

    private String what(Item item) {
        int entry = item.from();
        return entries.count(entry) + " x " + entries.profileName(entry) + " of group " + entries.group(entry)
                + (item.to() > entry + 1 ? " and " + (item.to() - entry - 1) + " more groups" : "") + " of job "
                + entries.job(entry);
    }

    private String reason(Item item) {
        for (int entry = item.from(); entry < item.to(); entry++) {
            if (!plan.reason(entry).isEmpty()) {
                return plan.reason(entry);
            }
        }
        return "";
    }
}

package io.berth.policy.rules.placement;

import io.berth.policy.rules.placement.PlacementCheck.Item;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Whether an entry of a larger rank takes room, or has room reserved, that an earlier one could have used. Removes
 * later ranks one by one, the last one first; an earlier entry that was left out must then not fit if it does not fit
 * at the end. For a minimum of several profiles, "fits" means the first fit that {@link
 * io.berth.spi.matching.PlacementSession#place} defines. If the strategy says that it found no room for such a minimum,
 * this is no violation: the plan notes the first one, since the host then places it.
 * Scans all workers only for a minimum of several profiles that gained room.
 */
final class PrecedenceCheck {

    private static final int AT_END = 0;
    /** The copy that a first fit consumes. */
    private static final int TRIAL = 1;

    private final CheckedWorkers workers;
    private final CheckedEntries entries;
    private final PlacementResult plan;
    /** What is left of workers with the placements that are not removed yet. */
    private final RemainingCapacity rest;

    private final List<Item> items;
    private final int dimensions;
    private int[] firstRun = {};
    private int[] runOf = {};

    @SuppressWarnings("NullAway.Init")
    private RemainingCapacity restAtEnd;

    /** @param rest what the plan leaves of the workers; consumed */
    PrecedenceCheck(
            CheckedWorkers workers,
            CheckedEntries entries,
            PlacementResult plan,
            RemainingCapacity rest,
            List<Item> items) {
        this.workers = workers;
        this.entries = entries;
        this.plan = plan;
        this.rest = rest;
        this.items = items;
        this.dimensions = workers.dimensions();
    }

    Optional<String> violation() {
        int firstMissing = items.size();
        int lastPlaced = -1;
        for (int index = 0; index < items.size(); index++) {
            if (placed(items.get(index))) {
                lastPlaced = index;
            }
            if (firstMissing == items.size() && items.get(index).missing(entries, plan) > 0) {
                firstMissing = index;
            }
        }
        return firstMissing < lastPlaced ? violation(firstMissing, lastPlaced) : Optional.empty();
    }

    private Optional<String> violation(int firstMissing, int lastPlaced) {
        BitSet tracked = new BitSet();
        boolean anySeveral = false;
        for (int index = firstMissing; index < lastPlaced; index++) {
            Item item = items.get(index);
            if (item.missing(entries, plan) > 0) {
                for (int entry = item.from(); entry < item.to(); entry++) {
                    tracked.set(plan.kind(entry));
                }
                anySeveral |= item.onlyKind(plan).isEmpty();
            }
        }
        sortRuns();
        restAtEnd = rest.copy(AT_END);
        int[] order = anySeveral ? GangFirstFit.order(workers) : new int[0];
        int[] profiles = tracked.stream().toArray();
        long[] gained = new long[plan.kinds()];
        RoomLeft atEnd = new RoomLeft(workers, plan, restAtEnd);
        GangFirstFit firstFit = new GangFirstFit(workers, entries, plan, order);
        BitSet openedAtEnd = new BitSet();
        openedAtEnd.set(0, plan.openedCount());
        BitSet openedBefore = openedAtEnd.get(0, plan.openedCount());
        int[] slotsOnNew = slotsOnNew();
        int after = lastPlaced + 1;
        for (int index = lastPlaced; index >= firstMissing; index--) {
            Item item = items.get(index);
            if (rank(item) < rank(items.get(after - 1))) {
                // Only what has a larger rank is removed before an item is checked.
                for (after--; after > index; after--) {
                    remove(items.get(after), profiles, gained);
                    closeUnused(items.get(after), slotsOnNew, openedBefore);
                }
                after = index + 1;
            }
            int missing = item.missing(entries, plan);
            if (missing > 0 && index < lastPlaced) {
                OptionalInt profile = item.onlyKind(plan);
                int wanted = item.gang() ? missing : 1;
                boolean taken = profile.isPresent()
                        ? taken(profile.getAsInt(), wanted, gained, atEnd)
                        : mayFit(item, gained, atEnd)
                                && firstFit.fits(item, rest.copy(TRIAL), openedBefore)
                                && !firstFit.fits(item, restAtEnd.copy(TRIAL), openedAtEnd);
                if (taken && profile.isEmpty() && item.foundNoRoom(plan)) {
                    plan.deny(item.from());
                } else if (taken) {
                    return Optional.of("gives room to later jobs that job " + entries.job(item.from())
                            + " could have used: " + missing + " x " + entries.profileName(item.from())
                            + " of it were left out");
                }
            }
        }
        return Optional.empty();
    }

    private int rank(Item item) {
        return entries.rank(item.from());
    }

    private boolean taken(int profile, int wanted, long[] gained, RoomLeft atEnd) {
        return gained[profile] > 0 && atEnd.of(profile) < wanted && atEnd.of(profile) + gained[profile] >= wanted;
    }

    /** Whether each profile alone finds room for its slots; otherwise the item cannot fit. */
    private boolean mayFit(Item item, long[] gained, RoomLeft atEnd) {
        for (int entry = item.from(); entry < item.to(); entry++) {
            int kind = plan.kind(entry);
            if (atEnd.of(kind) + gained[kind] < entries.count(entry) - plan.placed(entry)) {
                return false;
            }
        }
        return true;
    }

    private int[] slotsOnNew() {
        int[] slots = new int[plan.openedCount()];
        for (int run = 0; run < plan.runs(); run++) {
            if (plan.worker(run) >= plan.firstNew()) {
                slots[plan.worker(run) - plan.firstNew()] += plan.count(run);
            }
        }
        return slots;
    }

    private void closeUnused(Item item, int[] slotsOnNew, BitSet opened) {
        if (slotsOnNew.length == 0) {
            return;
        }
        for (int at = firstRun[item.from()]; at < firstRun[item.to()]; at++) {
            int nth = plan.worker(runOf[at]) - plan.firstNew();
            if (nth >= 0) {
                slotsOnNew[nth] -= plan.count(runOf[at]);
                opened.set(nth, slotsOnNew[nth] > 0);
            }
        }
    }

    private void remove(Item item, int[] tracked, long[] gained) {
        for (int at = firstRun[item.from()]; at < firstRun[item.to()]; at++) {
            int run = runOf[at];
            release(plan.entry(run), plan.worker(run), plan.count(run), tracked, gained);
        }
        Reservations reserved = plan.reservations();
        for (int nth = 0; nth < reserved.size(); nth++) {
            if (reserved.entry(nth) >= item.from() && reserved.entry(nth) < item.to()) {
                release(reserved.entry(nth), reserved.worker(nth), reserved.count(nth), tracked, gained);
            }
        }
    }

    private void release(int entry, int worker, int count, int[] tracked, long[] gained) {
        int row = rest.row(worker);
        for (int profile : tracked) {
            gained[profile] -= plan.quotient(profile, worker, rest, row);
        }
        for (int dimension = 0; dimension < dimensions; dimension++) {
            rest.add(row, dimension, plan.need(entry, worker, dimension) * count);
        }
        for (int profile : tracked) {
            gained[profile] += plan.quotient(profile, worker, rest, row);
        }
    }

    /** Sorts the runs by entry, those of one entry in their order. */
    private void sortRuns() {
        firstRun = new int[entries.size() + 1];
        for (int run = 0; run < plan.runs(); run++) {
            firstRun[plan.entry(run) + 1]++;
        }
        for (int entry = 0; entry < entries.size(); entry++) {
            firstRun[entry + 1] += firstRun[entry];
        }
        int[] next = firstRun.clone();
        runOf = new int[plan.runs()];
        for (int run = 0; run < plan.runs(); run++) {
            runOf[next[plan.entry(run)]++] = run;
        }
    }

    private boolean placed(Item item) {
        for (int entry = item.from(); entry < item.to(); entry++) {
            if (plan.placed(entry) > 0 || plan.reserved(entry) > 0) {
                return true;
            }
        }
        return false;
    }
}

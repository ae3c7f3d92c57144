package io.berth.core.policies.validation;

import io.berth.core.policies.cache.AdmittedEntries;
import io.berth.core.policies.cache.WorkerColumns;
import io.berth.core.policies.validation.PlacementCheck.Item;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A minimum that a plan leaves out although it fits, by the first fit that {@link
 * io.berth.spi.matching.PlacementSession#place} defines.
 *
 * @param unit whose minimum it is
 * @param what was left out, for people
 * @param reason of the strategy; empty when it gave none
 */
public record LeftOut(int unit, String what, String reason) {

    private static final int TRIAL = 0;
    /** Each one costs a scan of all workers: the rest is judged once the first ones are placed. */
    private static final int MAX_KINDS = 64;

    private static final int MAX_FIRST_FITS = 16;

    /**
     * Those of a valid plan, in order of precedence. Scans workers only when a minimum was left out.
     *
     * @param rest used during the call
     */
    public static List<LeftOut> of(
            WorkerColumns workers, AdmittedEntries entries, PlacementResult plan, RemainingCapacity rest) {
        List<Item> missing = PlacementCheck.missingMinimums(entries, plan);
        if (missing.isEmpty()) {
            return List.of();
        }
        rest.begin(workers, plan);
        for (int run = 0; run < plan.runs(); run++) {
            int row = rest.row(plan.worker(run));
            for (int dimension = 0; dimension < workers.dimensions(); dimension++) {
                rest.add(row, dimension, -plan.need(plan.entry(run), plan.worker(run), dimension) * plan.count(run));
            }
        }
        plan.eachReservation((entry, worker, count) -> reserve(workers, plan, rest, entry, worker, count));
        RoomLeft shared = new RoomLeft(workers, plan, rest);
        BitSet opened = new BitSet();
        opened.set(0, plan.openedCount());
        GangFirstFit firstFit = new GangFirstFit(workers, entries, plan, GangFirstFit.order(workers));
        Set<Integer> looked = new HashSet<>();
        int firstFits = 0;
        List<LeftOut> leftOut = new ArrayList<>();
        for (Item item : missing) {
            for (int entry = item.from(); entry < item.to(); entry++) {
                looked.add(plan.kind(entry));
            }
            if (looked.size() > MAX_KINDS) {
                break;
            }
            OptionalInt kind = item.onlyKind(plan);
            boolean reserves = reserved(item, plan) > 0;
            // Room that is reserved for it is its own.
            giveBack(item, workers, plan, rest, 1);
            RoomLeft room = reserves ? new RoomLeft(workers, plan, rest) : shared;
            boolean fits = eachFits(item, entries, plan, room, kind.isPresent());
            if (fits && kind.isEmpty()) {
                fits = firstFits++ < MAX_FIRST_FITS && firstFit.fits(item, rest.copy(TRIAL), opened);
            }
            giveBack(item, workers, plan, rest, -1);
            if (fits) {
                leftOut.add(new LeftOut(entries.unitIndex(item.from()), what(item, entries), reason(item, plan)));
            }
        }
        return leftOut;
    }

    private static void reserve(
            WorkerColumns workers, PlacementResult plan, RemainingCapacity rest, int entry, int worker, int count) {
        for (int dimension = 0; dimension < workers.dimensions(); dimension++) {
            rest.add(rest.row(worker), dimension, -plan.need(entry, worker, dimension) * count);
        }
    }

    private static int reserved(Item item, PlacementResult plan) {
        int reserved = 0;
        for (int entry = item.from(); entry < item.to(); entry++) {
            reserved += plan.reserved(entry);
        }
        return reserved;
    }

    private static void giveBack(
            Item item, WorkerColumns workers, PlacementResult plan, RemainingCapacity rest, int sign) {
        if (reserved(item, plan) > 0) {
            plan.eachReservation((entry, worker, count) -> {
                if (entry >= item.from() && entry < item.to()) {
                    reserve(workers, plan, rest, entry, worker, -sign * count);
                }
            });
        }
    }

    private static boolean eachFits(
            Item item, AdmittedEntries entries, PlacementResult plan, RoomLeft room, boolean alike) {
        long all = 0;
        for (int entry = item.from(); entry < item.to(); entry++) {
            all = alike ? all + entries.count(entry) : entries.count(entry);
            if (room.of(plan.kind(entry)) < all) {
                return false;
            }
        }
        return true;
    }

    private static String what(Item item, AdmittedEntries entries) {
        int entry = item.from();
        return entries.count(entry) + " x " + entries.profileOf(entry) + " of group " + entries.group(entry)
                + (item.to() > entry + 1 ? " and " + (item.to() - entry - 1) + " more groups" : "") + " of job "
                + entries.job(entry);
    }

    private static String reason(Item item, PlacementResult plan) {
        for (int entry = item.from(); entry < item.to(); entry++) {
            if (!plan.reason(entry).isEmpty()) {
                return plan.reason(entry);
            }
        }
        return "";
    }
}

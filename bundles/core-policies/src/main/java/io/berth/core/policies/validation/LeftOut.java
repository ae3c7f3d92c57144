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
    private static final int MAX_PROFILES = 64;

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
        RoomLeft room = new RoomLeft(workers, entries, plan, rest);
        BitSet opened = new BitSet();
        opened.set(0, plan.openedCount());
        GangFirstFit firstFit = new GangFirstFit(workers, entries, plan, GangFirstFit.order(workers));
        Set<Integer> looked = new HashSet<>();
        int firstFits = 0;
        List<LeftOut> leftOut = new ArrayList<>();
        for (Item item : missing) {
            for (int entry = item.from(); entry < item.to(); entry++) {
                looked.add(entries.profile(entry));
            }
            if (looked.size() > MAX_PROFILES) {
                break;
            }
            OptionalInt profile = item.onlyProfile(entries);
            boolean fits = eachFits(item, entries, room, profile);
            if (fits && profile.isEmpty()) {
                fits = firstFits++ < MAX_FIRST_FITS && firstFit.fits(item, rest.copy(TRIAL), opened);
            }
            if (fits) {
                leftOut.add(new LeftOut(entries.unit(item.from()), what(item, entries), reason(item, plan)));
            }
        }
        return leftOut;
    }

    private static boolean eachFits(Item item, AdmittedEntries entries, RoomLeft room, OptionalInt profile) {
        long all = 0;
        for (int entry = item.from(); entry < item.to(); entry++) {
            all = profile.isPresent() ? all + entries.count(entry) : entries.count(entry);
            if (room.of(entries.profile(entry)) < all) {
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

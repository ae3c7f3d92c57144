package io.berth.simulator.replay.cluster;

import io.berth.core.api.policy.LedgerHash;
import io.berth.core.api.policy.LedgerState;
import io.berth.simulator.replay.cluster.ReplayedWorker.Held;
import io.berth.spi.AllocationId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Looks on whether slots are conserved, as the oracles P1 and K of the simulator do: no allocation is given out twice, to two
 * jobs or by two workers, also not when it has ended; no worker gives out more than it has; the books of workers, of jobs and
 * of the ResourceManager name the same slots. Looked at after each step: the workers that it touched, and the sums of all.
 */
public final class Promises {

    /** A promise is broken. */
    public static final class Broken extends RuntimeException {

        private static final long serialVersionUID = 1L;

        public Broken(String text) {
            super(text);
        }
    }

    private final Dimensions dimensions;
    private final BitSet seen = new BitSet();
    private final List<ReplayedWorker> touched = new ArrayList<>();
    private final BitSet isTouched = new BitSet();
    private long hash;
    private int slots;
    private long steps;

    public Promises(Dimensions dimensions) {
        this.dimensions = dimensions;
    }

    /** How often all was looked at. */
    public long steps() {
        return steps;
    }

    /** A worker gives a slot out. */
    public void granted(ReplayedWorker worker, Held slot) {
        AllocationId allocation = slot.allocation();
        if (allocation.number() < 1 || allocation.number() > Integer.MAX_VALUE) {
            throw new Broken("allocation " + allocation + " has number " + allocation.number());
        }
        if (seen.get((int) allocation.number())) {
            throw new Broken("P1: allocation " + allocation + " is given out by worker " + worker.name() + " for job "
                    + slot.job() + " and was given out before");
        }
        if (!worker.isUp()) {
            throw new Broken("P1: worker " + worker.name() + " is away and gives out allocation " + allocation);
        }
        seen.set((int) allocation.number());
        slots++;
        hash += hash(worker, slot);
        touch(worker);
    }

    /** A slot has ended. */
    public void ended(ReplayedWorker worker, Held slot) {
        slots--;
        hash -= hash(worker, slot);
        touch(worker);
    }

    private static long hash(ReplayedWorker worker, Held slot) {
        return LedgerHash.of(slot.allocation(), worker.id(), slot.job(), slot.profile());
    }

    private void touch(ReplayedWorker worker) {
        if (!isTouched.get(worker.index)) {
            isTouched.set(worker.index);
            touched.add(worker);
        }
    }

    /** The workers that something happened to since the last look. */
    public List<ReplayedWorker> touched() {
        return touched;
    }

    /**
     * A step is over.
     *
     * @param ledger of the ResourceManager
     * @param heldByJobs slots, by the books of the jobs
     */
    public void look(LedgerState ledger, long heldByJobs) {
        steps++;
        for (ReplayedWorker worker : touched) {
            requireRoom(worker);
        }
        touched.clear();
        isTouched.clear();
        if (heldByJobs != slots) {
            throw new Broken("K: jobs have " + heldByJobs + " slots and workers have given out " + slots);
        }
        if (ledger.slots() != slots || ledger.hash() != hash) {
            throw new Broken("K: the ResourceManager knows " + ledger.slots() + " slots and workers have given out "
                    + slots + (ledger.slots() == slots ? ", which are others" : ""));
        }
    }

    /** All workers, from scratch. */
    public void lookAtAll(List<ReplayedWorker> workers) {
        int count = 0;
        long sum = 0;
        for (ReplayedWorker worker : workers) {
            requireRoom(worker);
            for (Held slot : worker.slots()) {
                count++;
                sum += hash(worker, slot);
            }
        }
        if (count != slots || sum != hash) {
            throw new Broken("K: workers have " + count + " slots and have given out " + slots);
        }
    }

    private void requireRoom(ReplayedWorker worker) {
        long[] taken = taken(worker);
        for (int dimension = 0; dimension < taken.length; dimension++) {
            if (taken[dimension] > worker.total[dimension]) {
                throw new Broken("P1: worker " + worker.name() + " has given out " + taken[dimension] + " of "
                        + dimensions.name(dimension) + " and has " + worker.total[dimension]);
            }
        }
    }

    /** What all slots of a worker take, added up. */
    private long[] taken(ReplayedWorker worker) {
        long[] taken = new long[dimensions.size()];
        for (Held slot : worker.slots()) {
            long[] amounts = dimensions.amounts(slot.profile());
            for (int dimension = 0; dimension < taken.length; dimension++) {
                taken[dimension] += amounts[dimension];
            }
        }
        return taken;
    }
}

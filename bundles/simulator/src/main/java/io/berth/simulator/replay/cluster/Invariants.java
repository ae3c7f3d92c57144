package io.berth.simulator.replay.cluster;

import io.berth.core.api.policy.LedgerHash;
import io.berth.core.api.policy.LedgerState;
import io.berth.simulator.replay.cluster.ReplayedWorker.Held;
import io.berth.spi.AllocationId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Checks that slots are conserved, as the oracles P1 and K of the simulator do. No allocation is given out twice, to
 * two jobs or by two workers, not even after it has ended. No worker gives out more than it has. The books of workers,
 * of jobs and of the ResourceManager name the same slots. Each step checks the workers that it touched, and the sums
 * of all.
 */
public final class Invariants {

    /** An invariant is broken. */
    public static final class Violation extends RuntimeException {

        private static final long serialVersionUID = 1L;

        public Violation(String text) {
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

    public Invariants(Dimensions dimensions) {
        this.dimensions = dimensions;
    }

    /** The number of checks. */
    public long steps() {
        return steps;
    }

    /** A worker gives a slot out. */
    public void granted(ReplayedWorker worker, Held slot) {
        AllocationId allocation = slot.allocation();
        if (allocation.number() < 1 || allocation.number() > Integer.MAX_VALUE) {
            throw new Violation("allocation " + allocation + " has number " + allocation.number());
        }
        if (seen.get((int) allocation.number())) {
            throw new Violation("P1: allocation " + allocation + " is given out by worker " + worker.name()
                    + " for job " + slot.job() + " and was given out before");
        }
        if (!worker.isUp()) {
            throw new Violation("P1: worker " + worker.name() + " is away and gives out allocation " + allocation);
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

    /** The workers that changed since the last check. */
    public List<ReplayedWorker> touched() {
        return touched;
    }

    /**
     * Checks after a step.
     *
     * @param ledger of the ResourceManager
     * @param heldByJobs slots, by the books of the jobs
     */
    public void check(LedgerState ledger, long heldByJobs) {
        steps++;
        for (ReplayedWorker worker : touched) {
            requireRoom(worker);
        }
        touched.clear();
        isTouched.clear();
        if (heldByJobs != slots) {
            throw new Violation("K: jobs have " + heldByJobs + " slots and workers have given out " + slots);
        }
        if (ledger.slots() != slots || ledger.hash() != hash) {
            throw new Violation("K: the ResourceManager knows " + ledger.slots() + " slots and workers have given out "
                    + slots + (ledger.slots() == slots ? ", which are others" : ""));
        }
    }

    /** Checks all workers from scratch. */
    public void checkAll(List<ReplayedWorker> workers) {
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
            throw new Violation("K: workers have " + count + " slots and have given out " + slots);
        }
    }

    private void requireRoom(ReplayedWorker worker) {
        long[] taken = taken(worker);
        for (int dimension = 0; dimension < taken.length; dimension++) {
            if (taken[dimension] > worker.total[dimension]) {
                throw new Violation("P1: worker " + worker.name() + " has given out " + taken[dimension] + " of "
                        + dimensions.name(dimension) + " and has " + worker.total[dimension]);
            }
        }
    }

    /** The sum of all slots of a worker. */
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

package io.berth.matching.rebalance;

import io.berth.spi.JobId;
import io.berth.spi.matching.AllocationsView;
import io.berth.spi.matching.WorkersView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** Which slots are where, read once for a search, and where they would be after the moves that it has found so far. */
final class PoolSlots {

    private record Group(JobId job, String unit, String group) {}

    private final WorkersView workers;
    private final AllocationsView slots;
    private final Predicate<JobId> paused;
    private final int dimensions;
    /** By worker; null where there is none that stays. */
    private final long[][] free;

    private final List<List<Integer>> on = new ArrayList<>();
    private final Map<JobId, long[]> ofJob = new HashMap<>();
    private final Map<JobId, OptionalLong> rescales = new HashMap<>();
    private final Map<Group, Integer> moved = new HashMap<>();

    private PoolSlots(WorkersView workers, AllocationsView slots, Predicate<JobId> paused) {
        this.workers = workers;
        this.slots = slots;
        this.paused = paused;
        dimensions = workers.dimensions();
        free = new long[workers.limit()][];
    }

    /** @param paused jobs that are not asked now */
    static PoolSlots read(WorkersView workers, AllocationsView slots, Predicate<JobId> paused) {
        PoolSlots read = new PoolSlots(workers, slots, paused);
        for (int worker = 0; worker < read.free.length; worker++) {
            read.on.add(List.of());
            if (workers.present(worker)
                    && !workers.pending(worker)
                    && workers.leavingAt(worker).isEmpty()) {
                read.free[worker] = new long[read.dimensions];
                for (int dimension = 0; dimension < read.dimensions; dimension++) {
                    read.free[worker][dimension] = workers.free(worker, dimension);
                }
                read.on.set(worker, new ArrayList<>());
            }
        }
        for (int slot = 0; slot < slots.limit(); slot++) {
            if (slots.present(slot)) {
                read.add(slot);
            }
        }
        return read;
    }

    private void add(int slot) {
        int worker = slots.worker(slot);
        if (worker >= 0 && worker < free.length && free[worker] != null) {
            on.get(worker).add(slot);
        }
        JobId job = slots.job(slot);
        // One of its units may be gone, whose slots say nothing.
        rescales.merge(job, slots.lastRescaleMillis(slot), (known, other) -> known.isPresent() ? known : other);
        long[] all = ofJob.computeIfAbsent(job, one -> new long[dimensions]);
        for (int dimension = 0; dimension < dimensions; dimension++) {
            all[dimension] += slots.amount(slot, dimension);
        }
    }

    int workers() {
        return free.length;
    }

    /** Whether there is a worker that stays, with slots. */
    boolean isUsed(int worker) {
        return free[worker] != null && !on.get(worker).isEmpty();
    }

    /** Whether there is a worker that stays. */
    boolean stays(int worker) {
        return free[worker] != null;
    }

    String name(int worker) {
        return workers.id(worker).value();
    }

    /** The slots on a worker that stays. */
    List<Integer> on(int worker) {
        return on.get(worker);
    }

    JobId job(int slot) {
        return slots.job(slot);
    }

    /** The largest used share of a dimension, after the moves. */
    double use(int worker) {
        double use = 0;
        for (int dimension = 0; dimension < dimensions; dimension++) {
            long total = workers.total(worker, dimension);
            if (total > 0) {
                use = Math.max(use, (double) (total - free[worker][dimension]) / total);
            }
        }
        return use;
    }

    /** The largest share of a dimension of the worker that a slot takes. */
    double share(int slot, int worker) {
        double share = 0;
        for (int dimension = 0; dimension < dimensions; dimension++) {
            share = Math.max(share, share(slots.amount(slot, dimension), worker, dimension));
        }
        return share;
    }

    /** What the job loses when one of its slots on the worker moves. */
    double cost(JobId job, int worker, Worth worth) {
        return worth.cost(shareOfJob(job, worker), rescales.getOrDefault(job, OptionalLong.empty()));
    }

    /** The largest share of a dimension of the worker that all slots of a job take; may be more than 1. */
    private double shareOfJob(JobId job, int worker) {
        double share = 0;
        for (int dimension = 0; dimension < dimensions; dimension++) {
            share = Math.max(share, share(ofJob.getOrDefault(job, new long[dimensions])[dimension], worker, dimension));
        }
        return share;
    }

    private double share(long amount, int worker, int dimension) {
        long total = workers.total(worker, dimension);
        return amount == 0 || total == 0 ? 0 : (double) amount / total;
    }

    /** Whether its job may be asked for the slot, and keeps its minimum. */
    boolean mayMove(int slot) {
        return slots.returnable(slot)
                && !paused.test(slots.job(slot))
                && moved.getOrDefault(group(slot), 0) < slots.aboveMinimum(slot);
    }

    private Group group(int slot) {
        return new Group(slots.job(slot), slots.unit(slot), slots.group(slot));
    }

    boolean fits(int slot, int worker) {
        for (int dimension = 0; dimension < dimensions; dimension++) {
            if (slots.amount(slot, dimension) > free[worker][dimension]) {
                return false;
            }
        }
        return true;
    }

    /** Notes a move. */
    void move(int slot, int from, int to) {
        change(slot, from, 1);
        change(slot, to, -1);
        moved.merge(group(slot), 1, Integer::sum);
    }

    /** Takes a move back. */
    void undo(int slot, int from, int to) {
        change(slot, from, -1);
        change(slot, to, 1);
        moved.merge(group(slot), -1, Integer::sum);
    }

    private void change(int slot, int worker, int sign) {
        for (int dimension = 0; dimension < dimensions; dimension++) {
            free[worker][dimension] += sign * slots.amount(slot, dimension);
        }
    }
}

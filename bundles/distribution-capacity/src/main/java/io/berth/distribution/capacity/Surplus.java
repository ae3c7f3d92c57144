package io.berth.distribution.capacity;

import io.berth.policy.support.distribution.Amounts;
import io.berth.policy.support.distribution.Reclaims;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.QueuesView;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What queues may lose to another one: nothing of a guarantee, also not of queues above them. */
final class Surplus implements Reclaims.Owners {

    private final DemandsView demands;
    private final Guarantees guarantees;
    private final int claiming;
    /** Of slots; those that are smaller in a dimension are not taken. */
    private final long[] size;
    /** What the claiming queue gets; empty: its branch may stand above those that lose slots. */
    private final Optional<long[]> gained;

    private final Map<Integer, long[]> lost = new HashMap<>();

    /** Any slots, from any branch: they are set aside for minimums. */
    Surplus(DemandsView demands, Guarantees guarantees, int claiming) {
        this.demands = demands;
        this.guarantees = guarantees;
        this.claiming = claiming;
        this.size = new long[demands.dimensions()];
        this.gained = Optional.empty();
    }

    /**
     * @param size of slots; those that are smaller in a dimension are not taken
     * @param gained by the claiming queue beside what others lose; their branches must stand above its own afterward
     */
    Surplus(DemandsView demands, Guarantees guarantees, int claiming, long[] size, long[] gained) {
        this.demands = demands;
        this.guarantees = guarantees;
        this.claiming = claiming;
        this.size = size;
        this.gained = Optional.of(gained.clone());
    }

    @Override
    public int most(int unit, long[] slot, int count) {
        if (!Amounts.cover(slot, size)) {
            return 0;
        }
        QueuesView queues = demands.queues();
        long most = count;
        for (int queue = queues.find(demands.queue(unit));
                !guarantees.isWithin(claiming, queue);
                queue = queues.parent(queue)) {
            long[] gone = lost.getOrDefault(queue, new long[slot.length]);
            for (int dimension = 0; dimension < slot.length; dimension++) {
                long guaranteed = queues.guaranteed(queue, dimension);
                if (guaranteed > 0 && slot[dimension] > 0) {
                    long surplus = queues.used(queue, dimension) - gone[dimension] - guaranteed;
                    most = Math.min(most, Math.max(0, surplus) / slot[dimension]);
                }
            }
        }
        return gained.isEmpty() ? (int) most : mostThatStays(queues.find(demands.queue(unit)), slot, most);
    }

    /** How many of the slots the queue may lose before its branch would be next. */
    private int mostThatStays(int queue, long[] slot, long count) {
        Fork fork = new Fork(demands, guarantees, claiming);
        long[] gone =
                lost.getOrDefault(fork.branch(queue), new long[slot.length]).clone();
        long[] gets = gained.orElseThrow().clone();
        int most = 0;
        for (long end = Math.min(count, AdmissionBuilder.MAX_RECLAIMED); most < end; most++) {
            Amounts.add(gone, 1, slot);
            if (!fork.isAbove(queue, gets, gone)) {
                break;
            }
            Amounts.add(gets, 1, slot);
        }
        return most;
    }

    @Override
    public void lose(int unit, long[] slot, int count) {
        gained.ifPresent(amounts -> Amounts.add(amounts, count, slot));
        QueuesView queues = demands.queues();
        for (int queue = queues.find(demands.queue(unit));
                !guarantees.isWithin(claiming, queue);
                queue = queues.parent(queue)) {
            Amounts.add(lost.computeIfAbsent(queue, one -> new long[slot.length]), count, slot);
        }
    }
}

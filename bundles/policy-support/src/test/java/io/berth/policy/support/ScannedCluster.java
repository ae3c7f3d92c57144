package io.berth.policy.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.JobId;
import io.berth.testkit.PlainWorkersView;
import io.berth.testkit.UnconstrainedView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** A cluster that changes at random. It compares a placement with a scan of all workers. */
final class ScannedCluster {

    static final int DIMENSIONS = 4;
    static final long[] UNKNOWN = {};
    private static final int CLASSES = 3;

    /** What a slot takes, and the class of workers that it may not be on; -1 for none. */
    record Slot(long[] need, int without) {}

    /** Workers that join, leave, register, and have other amounts free. */
    static final class Changing implements PlainWorkersView {
        private final long[][] free;
        private final long[][] slot;
        private final boolean[] pending;
        private final int[] classes;
        private final int[] revisions;
        int needsAsked;

        Changing(int limit) {
            free = new long[limit][];
            slot = new long[limit][];
            pending = new boolean[limit];
            classes = new int[limit];
            revisions = new int[limit];
        }

        void put(int worker, boolean waits, long[] amounts, long[] defaultSlot) {
            free[worker] = amounts;
            slot[worker] = defaultSlot;
            pending[worker] = waits;
        }

        /** Another class, or another worker at the index. */
        void relabel(int worker, int other) {
            classes[worker] = other;
            revisions[worker]++;
        }

        boolean fits(int worker, boolean waits, Slot wanted) {
            if (free[worker] == null || pending[worker] != waits || classes[worker] == wanted.without()) {
                return false;
            }
            long[] taken = wanted.need().length == 0 ? slot[worker] : wanted.need();
            for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
                if (taken[dimension] > free[worker][dimension]) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public int limit() {
            return free.length;
        }

        @Override
        public boolean present(int worker) {
            return free[worker] != null;
        }

        @Override
        public boolean pending(int worker) {
            return pending[worker];
        }

        @Override
        public int revision(int worker) {
            return revisions[worker];
        }

        @Override
        public long total(int worker, int dimension) {
            return free[worker][dimension];
        }

        @Override
        public long free(int worker, int dimension) {
            return free[worker][dimension];
        }
    }

    /** One slot of each of some profiles; slots of one gang are next to each other. */
    record Slots(Changing workers, List<Slot> slots, int[] gangs) implements UnconstrainedView {

        @Override
        public int size() {
            return slots.size();
        }

        @Override
        public JobId job(int entry) {
            return new JobId("job");
        }

        @Override
        public String group(int entry) {
            return "group";
        }

        @Override
        public int gang(int entry) {
            return gangs[entry];
        }

        @Override
        public int count(int entry) {
            return 1;
        }

        @Override
        public int profile(int entry) {
            return entry;
        }

        @Override
        public long amount(int entry, int dimension) {
            long[] need = slots.get(entry).need();
            return need.length == 0 ? -1 : need[dimension];
        }

        @Override
        public long need(int entry, int worker, int dimension) {
            workers.needsAsked++;
            long[] need = slots.get(entry).need();
            return need.length == 0 ? workers.slot[worker][dimension] : need[dimension];
        }

        @Override
        public int constraints(int entry) {
            return slots.get(entry).without();
        }

        @Override
        public boolean feasible(int entry, int worker) {
            return workers.classes[worker] != slots.get(entry).without();
        }

        @Override
        public long needOnSpec(int entry, int spec, int dimension) {
            throw new IndexOutOfBoundsException("spec " + spec);
        }
    }

    static final class Chosen extends PlacesOnly {
        final int[] worker;

        Chosen(int entries) {
            worker = new int[entries];
            Arrays.fill(worker, -1);
        }

        @Override
        public void place(int entry, int on, int count) {
            assertThat(worker[entry]).isEqualTo(-1);
            assertThat(count).isEqualTo(1);
            worker[entry] = on;
        }
    }

    /** Prefers workers with an even index, or treats all alike. */
    private static final class EvenFirst implements SlotPlacement.Order {
        private final WorkerSet even = new WorkerSet();
        private final boolean alike;

        EvenFirst(boolean alike) {
            this.alike = alike;
        }

        @Override
        public void changed(int worker, FreeRoom room) {
            if (worker % 2 == 0 && room.registered(worker)) {
                even.add(worker);
            } else {
                even.remove(worker);
            }
        }

        @Override
        public int next(FittingWorkers fitting) {
            int worker = alike ? -1 : fitting.firstOf(even);
            return worker < 0 ? fitting.first() : worker;
        }

        @Override
        public boolean fills() {
            return alike;
        }
    }

    private final Changing workers;
    private final SlotPlacement placement;
    private final boolean alike;
    private final Random random;

    ScannedCluster(Changing workers, boolean alike, long seed) {
        this.workers = workers;
        this.alike = alike;
        this.random = new Random(seed);
        this.placement = new SlotPlacement(workers, new EvenFirst(alike));
    }

    private int scan(Slot wanted) {
        for (int parity = 0; parity < (alike ? 1 : 2); parity++) {
            for (int worker = 0; worker < workers.limit(); worker++) {
                if ((alike || worker % 2 == parity) && workers.fits(worker, false, wanted)) {
                    return worker;
                }
            }
        }
        for (int worker = 0; worker < workers.limit(); worker++) {
            if (workers.fits(worker, true, wanted)) {
                return worker;
            }
        }
        return -1;
    }

    private void take(int worker, long[] need, int sign) {
        long[] taken = need.length == 0 ? workers.slot[worker] : need;
        long[] left = workers.free[worker].clone();
        for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
            left[dimension] -= sign * taken[dimension];
        }
        workers.free[worker] = left;
    }

    /** The worker of each slot, by a scan; slots of a gang all or none. Takes the amounts from the workers. */
    private int[] scan(List<Slot> slots, int[] gangs) {
        int[] expected = new int[slots.size()];
        Arrays.fill(expected, -1);
        int entry = 0;
        while (entry < expected.length) {
            int from = entry;
            boolean all = true;
            do {
                expected[entry] = scan(slots.get(entry));
                if (expected[entry] >= 0) {
                    take(expected[entry], slots.get(entry).need(), 1);
                } else {
                    all = false;
                }
                entry++;
            } while (all && entry < expected.length && gangs[from] >= 0 && gangs[entry] == gangs[from]);
            if (!all && gangs[from] >= 0) {
                while (entry < expected.length && gangs[entry] == gangs[from]) {
                    entry++;
                }
                giveBack(slots, expected, from, entry);
            }
        }
        return expected;
    }

    private void giveBack(List<Slot> slots, int[] expected, int from, int to) {
        for (int entry = from; entry < to; entry++) {
            if (expected[entry] >= 0) {
                take(expected[entry], slots.get(entry).need(), -1);
                expected[entry] = -1;
            }
        }
    }

    private long[] amounts(long most) {
        return new long[] {random.nextLong(most), random.nextLong(most * most), 0, random.nextLong(3)};
    }

    private int[] change(int count, long most) {
        int[] changed = random.ints(count, 0, workers.limit()).distinct().toArray();
        for (int worker : changed) {
            switch (random.nextInt(8)) {
                case 0 -> workers.free[worker] = null;
                case 1 -> workers.put(worker, true, amounts(most), amounts(most / 2));
                case 2 -> workers.pending[worker] = false;
                case 3 -> workers.slot[worker] = amounts(most / 2);
                default -> workers.put(worker, false, amounts(most), amounts(most / 2));
            }
            if (random.nextInt(3) == 0) {
                workers.relabel(worker, random.nextInt(CLASSES));
            }
        }
        return changed;
    }

    private int gang(int before) {
        if (!alike) {
            return -1;
        }
        return random.nextBoolean() ? before : random.nextInt(3) - 1;
    }

    int[] place(long[] need) {
        Chosen chosen = new Chosen(1);
        placement.place(new Slots(workers, List.of(new Slot(need, -1)), new int[] {-1}), chosen);
        return chosen.worker;
    }

    void tellAll() {
        placement.delta(IntStream.range(0, workers.limit()).toArray());
    }

    void placesAsAScan(int rounds, int kinds, long most) {
        List<Slot> known = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            placement.delta(change(random.nextInt(workers.limit() / 4), most));
            List<Slot> slots = new ArrayList<>();
            int[] gangs = new int[random.nextInt(60)];
            for (int entry = 0; entry < gangs.length; entry++) {
                if (known.size() < kinds) {
                    known.add(new Slot(
                            known.size() % 50 == 7 ? UNKNOWN : amounts(most), random.nextInt(CLASSES + 1) - 1));
                }
                slots.add(known.get(random.nextInt(known.size())));
                gangs[entry] = gang(entry == 0 ? -1 : gangs[entry - 1]);
            }
            long[][] before = workers.free.clone();
            int[] expected = scan(slots, gangs);
            long[][] after = workers.free.clone();
            System.arraycopy(before, 0, workers.free, 0, before.length);
            Chosen chosen = new Chosen(gangs.length);
            placement.place(new Slots(workers, slots, gangs), chosen);
            assertThat(chosen.worker).as("round %d", round).isEqualTo(expected);
            if (random.nextBoolean()) {
                System.arraycopy(after, 0, workers.free, 0, after.length);
                placement.delta(IntStream.range(0, after.length)
                        .filter(worker -> before[worker] != after[worker])
                        .toArray());
            }
        }
    }
}

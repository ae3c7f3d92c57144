package io.berth.policy.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.JobId;
import io.berth.testkit.PlainWorkersView;
import io.berth.testkit.UnconstrainedView;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Slots leave workers with resources that they do not request to others. */
class ScarceResourcesTest {

    private static final int CPU = 0;
    private static final int DIMENSIONS = 70;

    private static final class Pool implements PlainWorkersView {
        private final long[][] total;
        private final long[][] free;

        Pool(int limit) {
            total = new long[limit][];
            free = new long[limit][];
        }

        void put(int worker, long... amounts) {
            total[worker] = Arrays.copyOf(amounts, DIMENSIONS);
            free[worker] = total[worker].clone();
        }

        boolean fits(int worker, long[] need) {
            for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
                if (total[worker] == null || free[worker][dimension] < need[dimension]) {
                    return false;
                }
            }
            return true;
        }

        long holds(int worker, long[] need) {
            long count = Long.MAX_VALUE;
            for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
                count = need[dimension] > 0 ? Math.min(count, free[worker][dimension] / need[dimension]) : count;
            }
            return count;
        }

        @Override
        public int dimensions() {
            return DIMENSIONS;
        }

        @Override
        public int limit() {
            return total.length;
        }

        @Override
        public boolean present(int worker) {
            return total[worker] != null;
        }

        @Override
        public long total(int worker, int dimension) {
            return total[worker][dimension];
        }

        @Override
        public long free(int worker, int dimension) {
            return free[worker][dimension];
        }
    }

    private record Slot(long[] need, int count) implements UnconstrainedView {

        @Override
        public int size() {
            return 1;
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
            return -1;
        }

        @Override
        public int count(int entry) {
            return count;
        }

        @Override
        public int profile(int entry) {
            return 0;
        }

        @Override
        public long amount(int entry, int dimension) {
            return need[dimension];
        }

        @Override
        public long need(int entry, int worker, int dimension) {
            return need[dimension];
        }

        @Override
        public long needOnSpec(int entry, int spec, int dimension) {
            throw new IndexOutOfBoundsException("spec " + spec);
        }
    }

    /** Counts the slots on each worker, and takes them from the pool. */
    private static final class Counted extends PlacesOnly {
        private final Pool pool;
        private final Slot slot;
        private final SortedMap<Integer, Integer> slots = new TreeMap<>();

        Counted(Pool pool, Slot slot) {
            this.pool = pool;
            this.slot = slot;
        }

        @Override
        public void place(int entry, int worker, int count) {
            slots.merge(worker, count, Integer::sum);
            for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
                pool.free[worker][dimension] -= slot.need()[dimension] * count;
            }
        }

        int all() {
            return slots.values().stream().mapToInt(Integer::intValue).sum();
        }

        int[] workers() {
            return slots.keySet().stream().mapToInt(Integer::intValue).toArray();
        }
    }

    private static Slot slot(long... need) {
        return new Slot(Arrays.copyOf(need, DIMENSIONS), 1);
    }

    private final Pool pool = new Pool(60);

    /** Places a slot, and tells the placement of it. */
    private int place(SlotPlacement placement, Slot slot) {
        ScannedCluster.Chosen chosen = new ScannedCluster.Chosen(1);
        placement.place(slot, chosen);
        int worker = chosen.worker[0];
        if (worker >= 0) {
            for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
                pool.free[worker][dimension] -= slot.need()[dimension];
            }
            placement.delta(new int[] {worker});
        }
        return worker;
    }

    @Test
    void aSlotWithoutGpuLeavesThemToOthers() {
        pool.put(0, 10, 4);
        pool.put(1, 10);
        SlotPlacement keeping = new SlotPlacement(pool, ByUtilization.leastFirst(true));
        assertThat(place(keeping, slot(6))).isEqualTo(1);
        assertThat(place(keeping, slot(4))).isEqualTo(1);
        assertThat(place(keeping, slot(2))).isZero();
        assertThat(place(new SlotPlacement(pool, ByUtilization.leastFirst(false)), slot(2)))
                .isZero();
    }

    @Test
    void theResourceThatIsUsedMostIsTheScarcest() {
        pool.put(0, 10, 4, 4);
        pool.put(1, 10, 4, 4);
        pool.put(2, 10, 4, 0, 4);
        SlotPlacement keeping = new SlotPlacement(pool, ByUtilization.mostFirst(true));
        // The fast ones are half used, of the others there are all left.
        assertThat(place(keeping, slot(1, 4, 4))).isZero();
        assertThat(place(keeping, slot(1, 1))).isEqualTo(2);
        pool.put(2, 10, 4, 0, 4);
        pool.free[2][3] = 0;
        keeping.delta(new int[] {2});
        assertThat(place(keeping, slot(1, 1))).isEqualTo(1);
    }

    @Test
    void groupsThatAreEquallyScarceFillTogether() {
        pool.put(0, 10, 4);
        pool.put(1, 10, 4, 4);
        SlotPlacement keeping = new SlotPlacement(pool, ByUtilization.leastFirst(true));
        for (int nth = 0; nth < 8; nth++) {
            assertThat(place(keeping, slot(1))).isEqualTo(nth % 2);
        }
    }

    /** Also after workers came and left. */
    @ParameterizedTest
    @CsvSource({"true, 3, 1", "false, 3, 2", "true, 9, 3", "false, 9, 4"})
    void aWorkerIsFoundWhereAScanFindsOne(boolean mostFirst, int resources, long seed) {
        Random random = new Random(seed);
        SlotPlacement keeping =
                new SlotPlacement(pool, mostFirst ? ByUtilization.mostFirst(true) : ByUtilization.leastFirst(true));
        for (int round = 0; round < 5_000; round++) {
            change(pool, keeping, resources, random);
            Slot slot = slot(need(resources, random));
            int expected = scan(slot, mostFirst);
            assertThat(place(keeping, slot)).as("round %d", round).isEqualTo(expected);
        }
    }

    /** More combinations of resources than are told apart, and several slots in a call. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void roomIsFoundAmongManyCombinations(boolean mostFirst) {
        Pool many = new Pool(400);
        Random random = new Random(6);
        SlotPlacement keeping =
                new SlotPlacement(many, mostFirst ? ByUtilization.mostFirst(true) : ByUtilization.leastFirst(true));
        long most = 0;
        for (int round = 0; round < 3_000; round++) {
            change(many, keeping, 60, random);
            Slot slot = new Slot(Arrays.copyOf(need(60, random), DIMENSIONS), 1 + random.nextInt(40));
            long room = 0;
            for (int worker = 0; worker < many.limit(); worker++) {
                room += many.total[worker] == null ? 0 : many.holds(worker, slot.need());
            }
            Counted placed = new Counted(many, slot);
            keeping.place(slot, placed);
            assertThat(placed.all()).as("round %d", round).isEqualTo((int) Math.min(slot.count(), room));
            keeping.delta(placed.workers());
            most = Math.max(most, combinations(many));
        }
        assertThat(most).isGreaterThan(2L * ScarceResources.MAX_GROUPS);
    }

    /** A worker of the last group, which has other resources than that group began with, while another one is empty. */
    @Test
    void aWorkerThatTakesASlotStaysWhereTheCallLooksForIt() {
        int last = ScarceResources.MAX_GROUPS;
        Pool many = new Pool(last + 1);
        for (int worker = 0; worker < last - 1; worker++) {
            many.put(worker, with(1 + worker));
        }
        many.put(last - 1, with(1, 2));
        many.put(last, with(3, 4));
        for (int worker = 0; worker < last; worker++) {
            many.free[worker][CPU] = 0;
        }
        // What the last group began with is used up, so all others come before it.
        for (int worker : new int[] {0, 1, last - 1}) {
            many.free[worker] = new long[DIMENSIONS];
        }
        SlotPlacement keeping = new SlotPlacement(many, ByUtilization.leastFirst(true));
        many.total[5] = null;
        keeping.delta(new int[] {5});
        Slot slot = new Slot(Arrays.copyOf(new long[] {1}, DIMENSIONS), 3);
        Counted placed = new Counted(many, slot);
        keeping.place(slot, placed);
        assertThat(placed.slots).containsExactly(Map.entry(last, 3));
    }

    private static long[] with(int... resources) {
        long[] amounts = new long[DIMENSIONS];
        amounts[CPU] = 10;
        for (int resource : resources) {
            amounts[resource] = 4;
        }
        return amounts;
    }

    private static void change(Pool of, SlotPlacement keeping, int resources, Random random) {
        if (random.nextInt(4) == 0) {
            int worker = random.nextInt(of.limit());
            of.total[worker] = null;
            if (random.nextInt(5) > 0) {
                long[] amounts = new long[resources];
                amounts[CPU] = 20 + random.nextInt(20);
                for (int dimension = 1; dimension < resources; dimension++) {
                    amounts[dimension] = random.nextInt(4) == 0 ? 10 + random.nextInt(10) : 0;
                }
                of.put(worker, amounts);
            }
            keeping.delta(new int[] {worker});
        }
    }

    private static long[] need(int resources, Random random) {
        long[] need = new long[resources];
        need[CPU] = 1 + random.nextInt(4);
        if (random.nextBoolean()) {
            need[1 + random.nextInt(resources - 1)] = 1 + random.nextInt(3);
        }
        return need;
    }

    private static long combinations(Pool of) {
        return Arrays.stream(of.total)
                .filter(total -> total != null)
                .map(total -> Arrays.stream(total).mapToObj(all -> all > 0).toList())
                .distinct()
                .count();
    }

    private int scan(Slot slot, boolean mostFirst) {
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int worker = 0; worker < pool.limit(); worker++) {
            if (pool.fits(worker, slot.need())) {
                double step = utilization(worker, mostFirst ? 64 : 256);
                double value = 1_000 * scarceness(worker, slot.need()) + (mostFirst ? -step : step);
                if (value < least) {
                    least = value;
                    best = worker;
                }
            }
        }
        return best;
    }

    private double utilization(int worker, int steps) {
        double most = 0;
        for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
            double total = pool.total[worker][dimension];
            if (total > 0) {
                most = Math.max(most, Math.floor((total - pool.free[worker][dimension]) / total * steps));
            }
        }
        return most;
    }

    private double scarceness(int worker, long[] need) {
        double most = 0;
        for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
            if (pool.total[worker][dimension] > 0 && need[dimension] == 0) {
                double total = 0;
                double free = 0;
                for (int other = 0; other < pool.limit(); other++) {
                    if (pool.total[other] != null) {
                        total += pool.total[other][dimension];
                        free += pool.free[other][dimension];
                    }
                }
                most = Math.max(most, 1 + Math.floor((total - free) / total * 256));
            }
        }
        return most;
    }
}

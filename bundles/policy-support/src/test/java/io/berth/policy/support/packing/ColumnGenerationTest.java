package io.berth.policy.support.packing;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.ResourceProfile;
import io.berth.testkit.ArrayAdmittedView;
import io.berth.testkit.ArrayWorkersView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a plan costs at least is compared with the cheapest of all plans. */
class ColumnGenerationTest {

    private static final double[] COSTS = {1, 1.001, 10, 17.5};

    private static final class Instance {
        private final RequestedSlots requested;
        private final List<Bin> bins = new ArrayList<>();
        private final boolean alike;

        private Instance(Random random, boolean alike) {
            this.alike = alike;
            ArrayWorkersView workers = new ArrayWorkersView().worker(ResourceProfile.of(1_000, 1_000));
            ArrayAdmittedView admitted = new ArrayAdmittedView(workers);
            for (int kind = random.nextInt(3); kind >= 0; kind--) {
                admitted.add(
                        "job-" + kind,
                        ResourceProfile.of(100 * (1 + random.nextInt(6)), 100 * (1 + random.nextInt(6))),
                        1 + random.nextInt(4));
            }
            requested = Objects.requireNonNull(RequestedSlots.of(admitted, workers.dimensions()));
            for (int bin = random.nextInt(3); bin >= 0; bin--) {
                BitSet excluded = new BitSet();
                excluded.set(0, random.nextInt(5) == 0);
                bins.add(new Bin(
                        new long[] {100 * (5 + random.nextInt(8)), 100 * (5 + random.nextInt(8))},
                        excluded,
                        1 + random.nextInt(6),
                        alike ? 1 : COSTS[random.nextInt(COSTS.length)],
                        null,
                        bin));
            }
        }

        private List<int[]> patterns(Bin bin) {
            List<int[]> patterns = new ArrayList<>();
            int[] left = requested.leftOfKinds();
            int[] pattern = new int[left.length];
            while (true) {
                if (fits(bin, pattern)) {
                    patterns.add(pattern.clone());
                }
                int kind = 0;
                while (kind < pattern.length && pattern[kind] == left[kind]) {
                    pattern[kind++] = 0;
                }
                if (kind == pattern.length) {
                    return patterns;
                }
                pattern[kind]++;
            }
        }

        private boolean fits(Bin bin, int[] pattern) {
            int dimensions = requested.dimensions().length;
            long[] taken = new long[dimensions];
            for (int kind = 0; kind < pattern.length; kind++) {
                if (pattern[kind] > 0 && bin.excluded().get(kind)) {
                    return false;
                }
                for (int at = 0; at < dimensions; at++) {
                    taken[at] += requested.needs()[kind * dimensions + at] * pattern[kind];
                }
            }
            for (int at = 0; at < dimensions; at++) {
                if (taken[at] > bin.free()[at]) {
                    return false;
                }
            }
            return true;
        }

        /** By what has a place, worker after worker; infinite when the workers cannot hold everything. */
        private double leastCost() {
            int[] left = requested.leftOfKinds();
            int[] factor = new int[left.length];
            int states = 1;
            for (int kind = 0; kind < left.length; kind++) {
                factor[kind] = states;
                states *= left[kind] + 1;
            }
            double[] cost = new double[states];
            Arrays.fill(cost, Double.POSITIVE_INFINITY);
            cost[0] = 0;
            for (Bin bin : bins) {
                List<int[]> patterns = patterns(bin);
                for (int worker = 0; worker < bin.count(); worker++) {
                    double[] after = cost.clone();
                    for (int state = 0; state < states; state++) {
                        for (int[] pattern : cost[state] < Double.POSITIVE_INFINITY ? patterns : List.<int[]>of()) {
                            int next = add(state, pattern, factor, left);
                            if (next >= 0) {
                                after[next] = Math.min(after[next], cost[state] + bin.cost());
                            }
                        }
                    }
                    cost = after;
                }
            }
            return cost[states - 1];
        }

        private static int add(int state, int[] pattern, int[] factor, int[] left) {
            int next = state;
            for (int kind = 0; kind < pattern.length; kind++) {
                if (state / factor[kind] % (left[kind] + 1) + pattern[kind] > left[kind]) {
                    return -1;
                }
                next += pattern[kind] * factor[kind];
            }
            return next;
        }
    }

    /** @return whether the bound is the least cost */
    private static boolean isBound(long seed, boolean alike, int rounds) {
        Instance one = new Instance(new Random(seed), alike);
        AtomicInteger left = new AtomicInteger(rounds);
        ColumnGeneration program = new ColumnGeneration(one.requested, one.bins, () -> left.getAndDecrement() > 0);
        program.plan();
        double least = one.leastCost();
        assertThat(program.bound()).as("seed %d", seed).isGreaterThan(0);
        if (least < Double.POSITIVE_INFINITY) {
            assertThat(program.bound()).as("seed %d, alike %s", seed, one.alike).isLessThanOrEqualTo(least + 1e-6);
        }
        return program.bound() > least - 1e-6;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 1_000_000})
    void noPlanCostsLessThanTheBound(int rounds) {
        for (long seed = 1; seed <= 500; seed++) {
            isBound(seed, false, rounds);
            isBound(seed, true, rounds);
        }
    }

    @Test
    void theBoundIsMostlyTheLeastCostWhenAllWorkersCostTheSame() {
        int exact = 0;
        int plans = 0;
        for (long seed = 1; seed <= 500; seed++) {
            if (new Instance(new Random(seed), true).leastCost() < Double.POSITIVE_INFINITY) {
                plans++;
                exact += isBound(seed, true, 1_000_000) ? 1 : 0;
            }
        }
        assertThat(plans).isGreaterThan(250);
        assertThat((double) exact / plans).isGreaterThan(0.8);
    }
}

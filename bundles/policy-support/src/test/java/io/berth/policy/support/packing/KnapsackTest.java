package io.berth.policy.support.packing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The search is compared with all patterns there are. */
class KnapsackTest {

    private static final int DIMENSIONS = 3;
    private static final double ROUNDING = 1e-6;

    private static final class Instance {
        private final int kinds;
        private final long[] needs;
        private final int[] left;
        private final double[] worth;
        private final Bin bin;

        private Instance(Random random) {
            kinds = 1 + random.nextInt(4);
            needs = new long[kinds * DIMENSIONS];
            left = new int[kinds];
            worth = new double[kinds];
            BitSet excluded = new BitSet();
            for (int kind = 0; kind < kinds; kind++) {
                needs[kind * DIMENSIONS] = 1 + random.nextInt(6);
                needs[kind * DIMENSIONS + 1] = random.nextInt(6);
                needs[kind * DIMENSIONS + 2] = random.nextInt(4) / 3;
                left[kind] = 1 + random.nextInt(4);
                worth[kind] = random.nextInt(6) == 0 ? -1 : (1 + random.nextInt(12)) / 3.0;
                excluded.set(kind, random.nextInt(8) == 0);
            }
            // The third resource is one that only some workers have.
            long[] free = {5 + random.nextInt(15), random.nextInt(20), random.nextInt(2) * 3L};
            bin = new Bin(free, excluded, 1, 1, null, 0);
        }

        private boolean fits(int[] pattern) {
            for (int at = 0; at < DIMENSIONS; at++) {
                long taken = 0;
                for (int kind = 0; kind < kinds; kind++) {
                    taken += needs[kind * DIMENSIONS + at] * pattern[kind];
                }
                if (taken > bin.free()[at]) {
                    return false;
                }
            }
            return true;
        }

        private double worth(int[] pattern) {
            double all = 0;
            for (int kind = 0; kind < kinds; kind++) {
                all += Math.max(0, worth[kind]) * pattern[kind];
            }
            return all;
        }

        private double best(int kind, int[] pattern) {
            if (kind == kinds) {
                return worth(pattern);
            }
            double best = 0;
            for (int count = 0; count <= (bin.excluded().get(kind) ? 0 : left[kind]); count++) {
                pattern[kind] = count;
                if (!fits(pattern)) {
                    break;
                }
                best = Math.max(best, best(kind + 1, pattern));
            }
            pattern[kind] = 0;
            return best;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 1_000_000})
    void noPatternIsWorthMoreThanTheBound(int steps) {
        for (long seed = 1; seed <= 2_000; seed++) {
            Instance one = new Instance(new Random(seed));
            Knapsack knapsack = new Knapsack(one.kinds, DIMENSIONS, one.needs, one.left);
            int[] found = knapsack.search(one.bin, one.worth, steps).clone();
            double best = one.best(0, new int[one.kinds]);
            String what = "seed " + seed + ": " + Arrays.toString(found);
            assertThat(one.fits(found)).as(what).isTrue();
            assertThat(knapsack.bound()).as(what).isGreaterThanOrEqualTo(best - ROUNDING);
            if (steps == 1_000_000) {
                assertThat(one.worth(found)).as(what).isGreaterThanOrEqualTo(best - ROUNDING);
                assertThat(knapsack.bound()).as(what).isLessThanOrEqualTo(best + ROUNDING);
            }
        }
    }
}

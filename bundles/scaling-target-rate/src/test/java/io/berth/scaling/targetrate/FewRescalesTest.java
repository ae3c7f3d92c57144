package io.berth.scaling.targetrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** The bound lies below the best plan, which small series allow to search, and not far below. */
class FewRescalesTest {

    private static final int MOST = 4;
    private static final int LOADS = 9;
    /** Each load lasts so long, so a plan has nothing from rescaling in between. */
    private static final int MINUTES = 10;

    @Test
    void noPlanIsCheaper() {
        double gaps = 0;
        int rounds = 200;
        for (int seed = 0; seed < rounds; seed++) {
            Random random = new Random(seed);
            int[] need = new int[LOADS];
            for (int load = 0; load < LOADS; load++) {
                need[load] = 1 + random.nextInt(MOST);
            }
            int rescales = random.nextInt(4);
            int behind = random.nextInt(3);
            double best = MINUTES * search(need, 0, 0, rescales + 1, behind);
            for (int step : new int[] {1, 3, 5, 10}) {
                double bound = bound(need, step, LOADS * MINUTES, rescales, behind);
                assertThat(bound).as("seed %d, step %d", seed, step).isLessThanOrEqualTo(best + 1e-6);
                assertThat(bound(need, step, 2, rescales, behind))
                        .as("seed %d, with a rescale for nothing after two steps", seed)
                        .isLessThanOrEqualTo(bound + 1e-6);
            }
            gaps += bound(need, 1, LOADS * MINUTES, rescales, behind) / best;
        }
        assertThat(gaps / rounds).isGreaterThan(0.8);
    }

    private static double bound(int[] need, int step, int longest, int rescales, int behind) {
        int[][] minutes = new int[LOADS * MINUTES / step][MOST + 1];
        for (int minute = 0; minute < LOADS * MINUTES; minute++) {
            minutes[minute / step][need[minute / MINUTES]]++;
        }
        return new FewRescales(minutes, step, longest).taskMinutes(rescales, MINUTES * behind);
    }

    /** The fewest tasks, summed over the steps from there on. */
    private static int search(int[] need, int step, int tasks, int changes, int behind) {
        if (step == need.length) {
            return 0;
        }
        int best = 1_000_000;
        for (int next = 1; next <= MOST; next++) {
            int left = next == tasks ? changes : changes - 1;
            int late = next < need[step] ? behind - 1 : behind;
            if (left >= 0 && late >= 0) {
                best = Math.min(best, next + search(need, step + 1, next, left, late));
            }
        }
        return best;
    }
}

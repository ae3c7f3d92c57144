package io.berth.distribution.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RoomOverTimeTest {

    private static final int DIMENSIONS = 2;
    /** Nothing changes later. */
    private static final int HORIZON = 120;

    /** What is free at each time, by counting. */
    private static final class Counted {
        private final long[][] free = new long[HORIZON][DIMENSIONS];

        void add(int from, long to, long[] amounts, int sign) {
            for (int at = from; at < Math.min(to, HORIZON); at++) {
                for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
                    free[at][dimension] += sign * amounts[dimension];
                }
            }
        }

        boolean fits(long[] need, int from, long to) {
            for (int at = from; at == from || at < Math.min(to, HORIZON); at++) {
                for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
                    if (need[dimension] > 0 && free[at][dimension] < need[dimension]) {
                        return false;
                    }
                }
            }
            return true;
        }

        long earliest(long[] need, long run) {
            for (int at = 0; at < HORIZON; at++) {
                if (fits(need, at, RoomOverTime.end(at, run))) {
                    return at;
                }
            }
            return RoomOverTime.NEVER;
        }
    }

    private static long[] amounts(Random random) {
        return new long[] {random.nextInt(6), random.nextInt(3) == 0 ? random.nextInt(6) : 0};
    }

    private static long run(Random random) {
        return random.nextInt(5) == 0 ? RoomOverTime.NEVER : 1 + random.nextInt(12);
    }

    @Test
    void findsWhatCountingFinds() {
        RoomOverTime room = new RoomOverTime(DIMENSIONS);
        for (int seed = 0; seed < 3_000; seed++) {
            Random random = new Random(seed);
            Counted counted = new Counted();
            room.begin(0);
            long[] free = amounts(random);
            counted.add(0, HORIZON, free, 1);
            for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
                room.add(dimension, free[dimension]);
            }
            for (int end = 1 + random.nextInt(3); end < 30; end += random.nextInt(6)) {
                long[] ended = amounts(random);
                counted.add(end, HORIZON, ended, 1);
                room.endAt(end);
                for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
                    room.addEnded(dimension, ended[dimension]);
                }
            }
            for (int unit = 0; unit < 8; unit++) {
                long[] need = amounts(random);
                long run = run(random);
                String what = "seed " + seed + " unit " + unit + " needs " + Arrays.toString(need) + " for " + run;
                long start = room.earliest(need, run);
                assertThat(start).as(what).isEqualTo(counted.earliest(need, run));
                if (start != RoomOverTime.NEVER) {
                    room.reserve(need, start, run);
                    counted.add((int) start, RoomOverTime.end(start, run), need, -1);
                }
            }
            for (int unit = 0; unit < 8; unit++) {
                long[] need = amounts(random);
                long end = RoomOverTime.end(0, run(random));
                boolean fits = room.fits(need, end);
                assertThat(fits).as("seed %s", seed).isEqualTo(counted.fits(need, 0, end));
                assertThat(room.count(need, end, 1) > 0).isEqualTo(fits);
                if (fits) {
                    room.take(need, end);
                    counted.add(0, Math.max(1, end), need, -1);
                }
            }
        }
    }
}

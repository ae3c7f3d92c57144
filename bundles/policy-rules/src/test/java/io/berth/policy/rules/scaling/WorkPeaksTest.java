package io.berth.policy.rules.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.policy.rules.scaling.WorkPeaks.Peaks;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class WorkPeaksTest {

    private static final long MINUTE = 60_000;

    private static double most(TreeMap<Long, Double> work, long now, long millis) {
        return work.tailMap(now - millis, false).values().stream()
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(Double.NaN);
    }

    @Test
    void eachWindowHasTheMostWorkOfItsLengthAndOfAtMostHalfMore() {
        Random random = new Random(7);
        TreeMap<Long, Double> work = new TreeMap<>();
        WorkPeaks peaks = WorkPeaks.NONE;
        long now = -90 * MINUTE;
        for (int decision = 0; decision < 20_000; decision++) {
            now += 1 + random.nextLong(random.nextInt(50) == 0 ? 30 * MINUTE : MINUTE);
            double value = random.nextInt(1_000);
            work.put(now, value);
            peaks = peaks.with(now, Peaks.of(Double.NaN, value));
            for (long millis = WorkPeaks.SHORTEST_MILLIS; millis <= WorkPeaks.LONGEST_MILLIS; millis *= 2) {
                if (now - work.firstKey() < millis) {
                    assertThat(peaks.peak(now, 1, millis)).isEmpty();
                } else {
                    assertThat(peaks.peak(now, 1, millis).orElseThrow())
                            .isBetween(most(work, now, millis), most(work, now, millis + millis / 2));
                }
                assertThat(peaks.peak(now, 0, millis)).isEmpty();
            }
        }
    }

    @Test
    void aTimeBetweenTwoWindowsIsRoundedUpAndALongerOneIsNotKnown() {
        WorkPeaks peaks = WorkPeaks.NONE
                .with(0, Peaks.of(9))
                .with(15 * MINUTE, Peaks.of(4))
                .with(40 * MINUTE, Peaks.of(2));

        assertThat(peaks.peak(40 * MINUTE, 0, 5 * MINUTE)).hasValue(2);
        assertThat(peaks.peak(40 * MINUTE, 0, 21 * MINUTE)).hasValue(9);
        assertThat(peaks.peak(40 * MINUTE, 0, 41 * MINUTE)).isEmpty();
        assertThat(peaks.peak(4_000 * MINUTE, 0, WorkPeaks.LONGEST_MILLIS + 1)).isEmpty();
    }

    @Test
    void nothingIsKnownOfATimeInWhichNobodyLooked() {
        WorkPeaks peaks = WorkPeaks.NONE.with(0, Peaks.of(9));

        assertThat(peaks.peak(60 * MINUTE, 0, 5 * MINUTE)).isEmpty();
        assertThat(peaks.peak(60 * MINUTE, 0, 60 * MINUTE)).hasValue(9);
    }

    @Test
    void partsThatStayAreShared() {
        WorkPeaks before = WorkPeaks.NONE.with(0, Peaks.of(9));
        WorkPeaks after = before.with(MINUTE, Peaks.of(8));

        assertThat(after.windows().get(8)).isSameAs(before.windows().get(8));
        assertThat(Map.of(before, 1)).containsKey(WorkPeaks.NONE.with(0, Peaks.of(9)));
    }
}

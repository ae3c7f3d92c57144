package io.berth.benchmark.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.berth.benchmark.report.Report;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TailComparisonTest {

    /** Turns of 1,000 decisions, of which all but three take so long as the tail. */
    private static KeptTimes turns(long... tails) {
        KeptTimes times = new KeptTimes();
        for (long tail : tails) {
            long[] nanos = new long[1_000];
            Arrays.fill(nanos, 10);
            nanos[7] = tail;
            nanos[500] = 1_000_000;
            times.add(nanos);
        }
        return times;
    }

    @Test
    void comparesEachTurnWithTheOtherOneOfItsRound() {
        // The machine became slower and slower. In one round somebody else took it.
        TailComparison comparison =
                new TailComparison(turns(105, 210, 420, 840, 90_000), turns(100, 200, 400, 800, 1_600));

        assertThat(comparison.median()).isCloseTo(1.05, within(1e-9));
        assertThat(comparison.isMet()).isTrue();
    }

    @Test
    void missesTheAimWhenMostRoundsAreMoreThanTenPercentAbove() {
        KeptTimes alone = turns(100, 100, 100, 100);

        assertThat(new TailComparison(turns(110, 110, 90, 500), alone).isMet()).isTrue();
        assertThat(new TailComparison(turns(120, 111, 112, 50), alone).isMet()).isFalse();
    }

    @Test
    void saysHowSureTheMedianIs() {
        long[] tails = new long[100];
        Arrays.setAll(tails, round -> 100 + round);
        long[] others = new long[100];
        Arrays.fill(others, 100);

        TailComparison comparison = new TailComparison(turns(tails), turns(others));

        // The ranks 41 and 60 of 100: the number below the median is 50 with a deviation of 5.
        assertThat(comparison.low()).isCloseTo(1.40, within(1e-9));
        assertThat(comparison.high()).isCloseTo(1.59, within(1e-9));
        TailComparison two = new TailComparison(turns(100, 200), turns(100, 100));
        assertThat(two.low()).isEqualTo(1);
        assertThat(two.high()).isEqualTo(2);
    }

    @Test
    void writesTheVerdict() {
        Report report = new Report();

        assertThat(new TailComparison(turns(120), turns(100)).write(report, "beside"))
                .isFalse();

        assertThat(report.table().lines())
                .anyMatch(line -> line.matches("besideQuotient +1\\.20"))
                .anyMatch(line -> line.matches("besideWithin10Percent +missed"));
    }

    @Test
    void percentilesAreOfTheNearestRank() {
        long[] nanos = new long[2_000];
        Arrays.setAll(nanos, nth -> 2_000_000 - 1_000L * nth);
        KeptTimes times = new KeptTimes();
        times.add(nanos);
        times.add(new long[] {5_000});

        assertThat(times.size()).isEqualTo(2_001);
        assertThat(times.tails()).containsExactly(1_998_000, 5_000);
        Report report = new Report();
        times.write(report, "alone");
        assertThat(report.json())
                .contains("\"aloneP50\": 1000", "\"aloneP999\": 1998", "\"aloneP999OfTurn\": 5", "\"aloneMax\": 2000");
    }
}

package io.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DemandsView;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReclaimRoundsTest {

    private static final int MOST = 30;

    /** Admits in the order of indexes, and reclaims from the unit with most above its minimum, or never. */
    private record Policy(DemandsView demands, boolean reclaims) implements AdmissionSession {

        @Override
        public void delta(int[] changed) {
            // The view shows it.
        }

        @Override
        public void admit(AdmissionBuilder result) {
            int most = 0;
            int of = -1;
            for (int unit = 0; unit < demands.limit(); unit++) {
                int above = demands.allocated(unit, 0) - demands.minimum(unit, 0);
                if (above < 0) {
                    result.admitMinimum(unit);
                }
                int missing = demands.desired(unit, 0) - Math.max(demands.minimum(unit, 0), demands.allocated(unit, 0));
                if (missing > 0) {
                    result.admit(unit, 0, missing);
                }
                if (above > most && missing <= 0) {
                    most = above;
                    of = unit;
                }
            }
            if (reclaims && of >= 0) {
                result.reclaim(of, 0, 1, "others have less");
            }
        }

        @Override
        public void close() {
            // Nothing to release.
        }
    }

    private static int busy(int seed, boolean reclaims) {
        ReclaimRounds pool = new ReclaimRounds(new Random(seed));
        return pool.busyRounds(new Policy(pool.demands(), reclaims), MOST);
    }

    @Test
    void aPolicyThatReclaimsForEverIsFound() {
        int endless = 0;
        for (int seed = 0; seed < 100; seed++) {
            assertThat(busy(seed, false)).isZero();
            endless += busy(seed, true) == MOST ? 1 : 0;
        }
        assertThat(endless).isPositive();
    }
}

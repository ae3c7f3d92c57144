package io.berth.policy.support.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.berth.spi.ResourceProfile;
import io.berth.testkit.ArrayDemandsView;
import io.berth.testkit.RecordedAdmission;
import io.berth.testkit.RecordedAdmission.Reclaimed;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two units have five slots each, of which they need one. */
class ReclaimsTest {

    private static final ResourceProfile CORE = ResourceProfile.of(1_000, 1);
    private static final List<Integer> VICTIMS = List.of(0, 1);

    private static final Reclaims.Owners ALL = new Reclaims.Owners() {
        @Override
        public int most(int unit, long[] slot, int count) {
            return count;
        }

        @Override
        public void lose(int unit, long[] slot, int count) {}
    };

    private final ArrayDemandsView demands = new ArrayDemandsView().pool(CORE.times(10), CORE.times(0));
    private final Reclaims reclaims = new Reclaims(demands, new UnitLacks(demands));
    private final RecordedAdmission result = new RecordedAdmission();

    @BeforeEach
    void begin() {
        demands.unit("first", 0).group(0, CORE, 1, 9, 5);
        demands.unit("second", 1).group(1, CORE, 1, 9, 5);
        reclaims.begin();
    }

    private static long[] cores(int count) {
        return new long[] {1_000L * count, count, 0, 0};
    }

    private boolean makeUp(int cores) {
        return reclaims.makeUp(cores(cores), VICTIMS, ALL, unit -> "a test", result);
    }

    private static BitSet units(int... units) {
        BitSet set = new BitSet();
        for (int unit : units) {
            set.set(unit);
        }
        return set;
    }

    @Test
    void nobodyIsAskedForWhatIsOnItsWay() {
        demands.returning(0, 0, 3);
        assertThat(makeUp(3)).isTrue();
        assertThat(result.reclaimed()).isEmpty();
        assertThat(reclaims.returning()).isEqualTo(units(0));
    }

    @Test
    void othersAreAskedForTheRest() {
        demands.returning(0, 0, 1);
        assertThat(makeUp(3)).isTrue();
        assertThat(result.reclaimed())
                .extracting(Reclaimed::unit, Reclaimed::group, Reclaimed::count)
                .containsExactly(tuple(1, 0, 2));
        assertThat(reclaims.returning()).isEqualTo(units(0, 1));
    }

    @Test
    void whatAUnitHasAboveItsMinimumAndWasNotAskedForIsNotOnItsWay() {
        demands.returning(0, 0, 1);
        assertThat(makeUp(6)).isFalse();
        assertThat(result.reclaimed()).isEmpty();
        assertThat(reclaims.returning()).isEqualTo(units());
        assertThat(makeUp(5)).isTrue();
    }

    @Test
    void aRefusedRequestCountsNoLonger() {
        demands.returning(0, 0, 0);
        assertThat(makeUp(2)).isTrue();
        assertThat(result.reclaimed())
                .extracting(Reclaimed::unit, Reclaimed::count)
                .containsExactly(tuple(1, 2));
        assertThat(reclaims.returning()).as("it is not waited for").isEqualTo(units(1));
    }

    @Test
    void aUnitWhosePauseIsOverIsAskedAgain() {
        demands.returning(0, 0, 4).returnableAgain(0);
        assertThat(makeUp(2)).isTrue();
        assertThat(result.reclaimed())
                .extracting(Reclaimed::unit, Reclaimed::count)
                .containsExactly(tuple(0, 2));
    }

    @Test
    void eachGroupCountsWithItsOwnSize() {
        demands.group(0, CORE.times(2), 0, 4, 4).returning(0, 0, 1).returning(0, 1, 2);
        demands.paused(1);
        assertThat(makeUp(6)).isFalse();
        assertThat(makeUp(5)).isTrue();
    }

    @Test
    void whatIsAvailableIsOnItsWayOrMayBeAskedFor() {
        long[] available = new long[demands.dimensions()];
        reclaims.available(VICTIMS, ALL, available);
        assertThat(available).isEqualTo(cores(8));
        demands.returning(0, 0, 3);
        reclaims.available(VICTIMS, ALL, available);
        assertThat(available).isEqualTo(cores(7));
        demands.returning(0, 0, 0);
        reclaims.available(VICTIMS, ALL, available);
        assertThat(available).isEqualTo(cores(4));
    }
}

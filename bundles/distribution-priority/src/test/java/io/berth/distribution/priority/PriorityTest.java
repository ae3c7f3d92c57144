package io.berth.distribution.priority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.testkit.ArrayDemandsView;
import io.berth.testkit.DistributionPolicyContract;
import io.berth.testkit.FixedConfiguration;
import io.berth.testkit.FixedContext;
import io.berth.testkit.RecordedAdmission;
import io.berth.testkit.RecordedAdmission.Admitted;
import io.berth.testkit.storm.Storm;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PriorityTest implements DistributionPolicyContract {

    private static final ResourceProfile CORE = ResourceProfile.of(1_000, 100);
    private static final long HOUR = 3_600_000;
    private static final int STORMS = Integer.getInteger("berth.storms", 100);

    private final ArrayDemandsView demands = new ArrayDemandsView().pool(CORE.times(10), CORE.times(10));

    @Override
    public DistributionPolicyFactory factory() {
        return new PriorityFactory();
    }

    private int unit(String job, int priority, int minimum, int desired, int allocated) {
        int unit = demands.limit();
        demands.unit(job, unit).group(unit, CORE, minimum, desired, allocated).priority(unit, priority);
        return unit;
    }

    private RecordedAdmission admit(String... configuration) throws InvalidConfigurationException {
        Map<String, String> given = configuration.length == 0
                ? Map.of()
                : configuration.length == 2
                        ? Map.of(configuration[0], configuration[1])
                        : Map.of(configuration[0], configuration[1], configuration[2], configuration[3]);
        try (AdmissionSession session = factory()
                .create(FixedConfiguration.of(factory().describe(), given), FixedContext.of("pool default"))
                .open(demands)) {
            RecordedAdmission result = new RecordedAdmission();
            session.admit(result);
            assertThat(result.violation(demands)).isEmpty();
            return result;
        }
    }

    private static List<Integer> units(RecordedAdmission result) {
        return result.admitted().stream().map(Admitted::unit).toList();
    }

    @Test
    void aHigherPriorityComesFirstAndAmongEqualOnesTheEarlierSubmission() throws InvalidConfigurationException {
        unit("low", -1, 1, 1, 0);
        unit("first", 0, 1, 1, 0);
        unit("second", 0, 1, 1, 0);
        unit("high", 7, 1, 1, 0);
        assertThat(units(admit())).containsExactly(3, 1, 2, 0);
    }

    @Test
    void minimumsComeBeforeSlotsAboveThemOfTheSamePriority() throws InvalidConfigurationException {
        unit("early", 1, 1, 3, 0);
        unit("late", 1, 1, 1, 0);
        unit("high", 2, 1, 2, 1);
        assertThat(admit().admitted())
                .containsExactly(
                        new Admitted(2, 0, 1), new Admitted(0, -1, 0), new Admitted(1, -1, 0), new Admitted(0, 0, 2));
    }

    @Test
    void thePriorityOfAUnitGrowsWhileItWaits() throws InvalidConfigurationException {
        unit("high", 2, 1, 1, 0);
        unit("old", 0, 1, 1, 0);
        demands.now(3 * HOUR).waitingSince(0, 3 * HOUR).waitingSince(1, 0);
        assertThat(units(admit())).containsExactly(1, 0);
        assertThat(units(admit("aging.interval", "2 h"))).containsExactly(0, 1);
        assertThat(units(admit("aging.limit", "1"))).containsExactly(0, 1);
        assertThat(units(admit("aging.interval", "0"))).containsExactly(0, 1);
    }

    @Test
    void slotsAboveTheMinimumGainNothingByWaiting() throws InvalidConfigurationException {
        unit("old", 0, 1, 2, 0);
        unit("young", 1, 1, 1, 0);
        demands.now(5 * HOUR).waitingSince(0, 0).waitingSince(1, 5 * HOUR);
        assertThat(admit().admitted())
                .containsExactly(new Admitted(0, -1, 0), new Admitted(1, -1, 0), new Admitted(0, 0, 1));
    }

    @Test
    void aUnitWhoseRoomHigherOnesTakeSaysItsPriority() throws InvalidConfigurationException {
        unit("low", 1, 6, 6, 0);
        unit("high", 3, 6, 6, 0);
        demands.now(HOUR).waitingSince(0, 0).waitingSince(1, 0);
        RecordedAdmission result = admit();
        assertThat(units(result)).containsExactly(1, 0);
        assertThat(result.deferred()).containsOnlyKeys(0);
        assertThat(result.deferred().get(0)).contains("priority 1", "1 for its wait");
    }

    @Test
    void rejectsALimitOfAgingWithoutAging() {
        assertThatThrownBy(() -> admit("aging.interval", "0", "aging.limit", "5"))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("aging.limit is '5'");
    }

    @Test
    void asksNobodyToReturnSlotsUnlessConfigured() throws InvalidConfigurationException {
        demands.pool(CORE.times(10), CORE.times(0));
        unit("batch", 0, 1, 10, 10);
        unit("urgent", 1, 2, 2, 0);
        assertThat(admit().reclaimed()).isEmpty();
    }

    @Test
    void reclaimsAsManySlotsAsAHigherUnitLacksFromTheLowestThatWasSubmittedLast() throws InvalidConfigurationException {
        demands.pool(CORE.times(12), CORE.times(1));
        unit("middle", 1, 1, 4, 4);
        unit("early", 0, 1, 4, 4);
        unit("late", 0, 1, 3, 3);
        unit("urgent", 5, 5, 5, 0);
        RecordedAdmission result = admit("reclaim", "true");
        assertThat(result.reclaimed()).hasSize(2);
        assertThat(result.reclaimed().get(0).unit()).isEqualTo(2);
        assertThat(result.reclaimed().get(0).count()).isEqualTo(2);
        assertThat(result.reclaimed().get(1).unit()).isEqualTo(1);
        assertThat(result.reclaimed().get(1).count()).isEqualTo(2);
        assertThat(result.reclaimed().get(1).reason()).contains("job urgent", "priority 5", "this one has 0");
        assertThat(units(result)).containsExactly(3);
    }

    @Test
    void reclaimsNothingWhenItWouldNotBeEnough() throws InvalidConfigurationException {
        demands.pool(CORE.times(10), CORE.times(0));
        unit("batch", 0, 8, 10, 10);
        unit("urgent", 1, 3, 3, 0);
        assertThat(admit("reclaim", "true").reclaimed()).isEmpty();
    }

    @Test
    void reclaimsNothingFromUnitsOfTheSamePriorityHoweverLongAnotherWaits() throws InvalidConfigurationException {
        demands.pool(CORE.times(10), CORE.times(0));
        unit("batch", 1, 1, 10, 10);
        unit("old", 1, 2, 2, 0);
        demands.now(20 * HOUR).waitingSince(1, 0);
        assertThat(admit("reclaim", "true").reclaimed()).isEmpty();
    }

    @Test
    void asksNobodyElseWhileSlotsAreOnTheirWayAndKeepsTheirRoom() throws InvalidConfigurationException {
        demands.pool(CORE.times(10), CORE.times(1));
        unit("asked", 0, 1, 9, 5);
        unit("other", 0, 1, 9, 4);
        unit("urgent", 5, 3, 3, 0);
        demands.returning(0, 0, 2);
        RecordedAdmission result = admit("reclaim", "true");
        assertThat(result.reclaimed()).isEmpty();
        assertThat(units(result)).containsExactly(2);
        assertThat(result.deferred().get(1)).contains("slots are reclaimed for unit all of job urgent");
    }

    @Test
    void asksOthersForWhatAJobWasNotAskedFor() throws InvalidConfigurationException {
        demands.pool(CORE.times(10), CORE.times(1));
        unit("asked", 0, 1, 9, 5);
        unit("other", 0, 1, 9, 4);
        unit("urgent", 5, 3, 3, 0);
        demands.returning(0, 0, 1);
        assertThat(admit("reclaim", "true").reclaimed())
                .extracting(RecordedAdmission.Reclaimed::unit, RecordedAdmission.Reclaimed::count)
                .containsExactly(tuple(1, 1));
    }

    @Test
    void keepsTheRoomOfAUnitForWhichItReclaimsAfterThatFoundNone() throws InvalidConfigurationException {
        demands.pool(CORE.times(10), CORE.times(1));
        unit("batch", 0, 1, 20, 9);
        unit("urgent", 5, 3, 3, 0);
        demands.withoutRoom(1);
        assertThat(units(admit("reclaim", "true"))).isEmpty();
    }

    @Test
    void noUnitThatFitsStarvesWithoutAging() throws InvalidConfigurationException {
        noUnitThatFitsStarves("0");
    }

    @Test
    void noUnitThatFitsStarvesWithAging() throws InvalidConfigurationException {
        noUnitThatFitsStarves("10 min");
    }

    private void noUnitThatFitsStarves(String aging) throws InvalidConfigurationException {
        int bound = 40 + 3 * (Storm.MAX_RUNTIME_MINUTES + 1) + 10;
        Map<String, String> soon =
                Map.of("aging.interval", aging, "hold.after", "30 min", "hold.all.after", "10 min", "hold.for", "6 h");
        for (int seed = 0; seed < STORMS; seed++) {
            assertThat(new Storm(seed).waits(factory(), soon, 2 * bound))
                    .as("seed %s", seed)
                    .allMatch(wait -> wait <= bound);
        }
    }
}

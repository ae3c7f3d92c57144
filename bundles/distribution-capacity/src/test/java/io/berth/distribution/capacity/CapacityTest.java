package io.berth.distribution.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.testkit.DistributionPolicyContract;
import io.berth.testkit.RecordedAdmission;
import io.berth.testkit.RecordedAdmission.Admitted;
import io.berth.testkit.RecordedAdmission.Reclaimed;
import io.berth.testkit.storm.Storm;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CapacityTest extends CapacityPool implements DistributionPolicyContract {

    private static final int STORMS = Integer.getInteger("berth.storms", 100);

    @Override
    public DistributionPolicyFactory factory() {
        return new CapacityFactory();
    }

    @Test
    void theQueueThatUsesLeastOfItsGuaranteeComesFirst() throws InvalidConfigurationException {
        queue("half", "root", 4);
        queue("quarter", "root", 4);
        queue("none", "root", 0);
        unit("half", 2, 2, 2);
        unit("quarter", 1, 1, 1);
        unit("none", 1, 1, 0);
        unit("half", 1, 1, 0);
        unit("quarter", 1, 1, 0);
        assertThat(units(admit(Map.of()))).containsExactly(4, 3, 2);
    }

    @Test
    void whatIsGuaranteedComesBeforeWhatIsBorrowedAndWeightsDivideTheRest() throws InvalidConfigurationException {
        demands.queues().queue("one", "root", 1, CORE.times(2), NO_LIMIT);
        demands.queues().queue("three", "root", 3, NOTHING, NO_LIMIT);
        unit("one", 0, 100, 0);
        unit("three", 0, 100, 0);
        int[] slots = new int[2];
        int room = 10;
        for (Admitted one : admit(Map.of()).admitted()) {
            int count = Math.min(room, one.count());
            slots[one.unit()] += count;
            room -= count;
        }
        assertThat(slots).containsExactly(4, 6);
    }

    @Test
    void withinAQueuePriorityComesBeforeSubmission() throws InvalidConfigurationException {
        unit("default", 1, 1, 0);
        unit("default", 1, 1, 0);
        demands.priority(1, 1);
        assertThat(units(admit(Map.of()))).containsExactly(1, 0);
    }

    @Test
    void admitsNothingBeyondTheLimitOfAQueueAndSaysSo() throws InvalidConfigurationException {
        demands.queues().queue("adhoc", "root", 1, NOTHING, CORE.times(4));
        unit("adhoc", 2, 2, 2);
        unit("adhoc", 3, 3, 0);
        unit("adhoc", 1, 9, 0);
        RecordedAdmission result = admit(Map.of());
        assertThat(result.admitted()).containsExactly(new Admitted(2, -1, 0), new Admitted(2, 0, 1));
        assertThat(result.deferred().get(1))
                .isEqualTo("queue adhoc uses 20 % of cpu, at most 40 % is allowed, and this needs 30 % more");
    }

    @Test
    void theLimitOfAQueueHoldsForThoseBelowIt() throws InvalidConfigurationException {
        demands.queues().queue("top", "root", 1, NOTHING, CORE.times(3));
        queue("left", "top", 0);
        queue("right", "top", 0);
        unit("left", 2, 2, 0);
        unit("right", 2, 2, 0);
        RecordedAdmission result = admit(Map.of());
        assertThat(units(result)).containsExactly(0);
        assertThat(result.deferred().get(1)).contains("queue top");
    }

    @Test
    void theLimitHoldsForWhatDoesNotFitTheRoomToo() throws InvalidConfigurationException {
        demands.pool(CORE.times(10), CORE.times(1));
        demands.queues().queue("adhoc", "root", 1, NOTHING, CORE.times(4));
        unit("adhoc", 2, 2, 0);
        unit("adhoc", 3, 3, 0);
        assertThat(units(admit(Map.of()))).containsExactly(0);
    }

    @Test
    void aUnitWhoseRoomOthersTakeSaysHowItsQueueStands() throws InvalidConfigurationException {
        queue("ads", "root", 4);
        queue("etl", "root", 4);
        unit("ads", 3, 3, 3);
        unit("ads", 6, 6, 0);
        unit("etl", 4, 4, 0);
        demands.pool(CORE.times(10), CORE.times(7));
        RecordedAdmission result = admit(Map.of());
        assertThat(units(result)).containsExactly(2, 1);
        assertThat(result.deferred().get(1)).startsWith("queue ads uses 30 % of cpu, 40 % is guaranteed");
    }

    private void borrowed() {
        demands.pool(CORE.times(10), CORE.times(1));
        queue("owner", "root", 5);
        queue("much", "root", 1);
        queue("some", "root", 0);
        unit("much", 1, 6, 6);
        unit("some", 1, 3, 3);
        unit("owner", 3, 3, 0);
        demands.waitingSince(2, 0).now(MINUTE);
    }

    @Test
    void reclaimsWhatIsBorrowedFromTheQueueFurthestAboveItsGuarantee() throws InvalidConfigurationException {
        borrowed();
        RecordedAdmission result = admit(Map.of());
        assertThat(result.reclaimed()).hasSize(1);
        assertThat(result.reclaimed().get(0).unit()).isZero();
        assertThat(result.reclaimed().get(0).count()).isEqualTo(2);
        assertThat(result.reclaimed().get(0).reason())
                .contains("queue owner uses 0 % of cpu, 50 % is guaranteed")
                .contains("queue much uses 60 % of cpu, 10 % is guaranteed");
        assertThat(units(result)).containsExactly(2);
    }

    @Test
    void reclaimsNothingBeforeTheUnitHasWaitedAndAsksForACall() throws InvalidConfigurationException {
        borrowed();
        demands.now(MINUTE - 1_000);
        RecordedAdmission result = admit(Map.of());
        assertThat(result.reclaimed()).isEmpty();
        assertThat(result.reviewMillis()).hasValue(1_000);
    }

    @Test
    void reclaimsNothingWhenThatIsOff() throws InvalidConfigurationException {
        borrowed();
        assertThat(admit(Map.of("reclaim", "false")).reclaimed()).isEmpty();
    }

    @Test
    void reclaimsNothingOfAGuaranteeNorOfAMinimum() throws InvalidConfigurationException {
        demands.pool(CORE.times(10), CORE.times(0));
        queue("owner", "root", 4);
        queue("within", "root", 5);
        queue("rigid", "root", 0);
        unit("within", 1, 6, 6);
        unit("rigid", 4, 4, 4);
        unit("owner", 2, 2, 0);
        demands.waitingSince(2, 0).now(MINUTE);
        assertThat(admit(Map.of()).reclaimed()).isEmpty();
        demands.put(2, "smaller", 9).group(2, CORE, 1, 1, 0).queue(2, "owner").waitingSince(2, 0);
        assertThat(admit(Map.of()).reclaimed()).hasSize(1);
    }

    @Test
    void reclaimsNothingForAUnitBeyondTheGuaranteeOfItsQueue() throws InvalidConfigurationException {
        demands.pool(CORE.times(10), CORE.times(0));
        queue("owner", "root", 2);
        unit("default", 1, 10, 10);
        unit("owner", 3, 3, 0);
        demands.waitingSince(1, 0).now(MINUTE);
        assertThat(admit(Map.of()).reclaimed()).isEmpty();
    }

    @Test
    void aJobThatIsAskedForSlotsIsAdmittedNoneAndNobodyElseIsAskedForTheSame() throws InvalidConfigurationException {
        borrowed();
        demands.put(0, "asked", 0).group(0, CORE, 1, 9, 5).queue(0, "much").returning(0, 0, 1);
        demands.pool(CORE.times(10), CORE.times(2));
        RecordedAdmission result = admit(Map.of());
        assertThat(result.reclaimed()).isEmpty();
        assertThat(units(result)).containsExactly(2);
        assertThat(result.deferred()).containsKey(0);
    }

    @Test
    void othersAreAskedForWhatAJobWasNotAskedForOrKeeps() throws InvalidConfigurationException {
        borrowed();
        demands.returning(0, 0, 1);
        assertThat(admit(Map.of()).reclaimed())
                .as("one of two is on its way")
                .extracting(Reclaimed::unit, Reclaimed::count)
                .containsExactly(tuple(1, 1));
        demands.returning(0, 0, 0);
        assertThat(admit(Map.of()).reclaimed())
                .as("the job keeps it")
                .extracting(Reclaimed::unit, Reclaimed::count)
                .containsExactly(tuple(1, 2));
        demands.returnableAgain(0);
        assertThat(admit(Map.of()).reclaimed())
                .as("the pause is over")
                .extracting(Reclaimed::unit, Reclaimed::count)
                .containsExactly(tuple(0, 2));
    }

    @Test
    void aUnitThatWaitsForTheLimitOfItsQueueIsNotPassedForEver() throws InvalidConfigurationException {
        demands.queues().queue("adhoc", "root", 1, NOTHING, CORE.times(4));
        unit("adhoc", 2, 2, 2);
        unit("adhoc", 3, 3, 0);
        unit("adhoc", 1, 1, 0);
        unit("default", 5, 5, 0);
        demands.waitingSince(1, 0).waitingSince(2, DAY).waitingSince(3, DAY).now(DAY + 2 * 60 * MINUTE);
        assertThat(units(admit(Map.of()))).containsExactly(3);
    }

    @Test
    void rejectsATimeOfReclaimingWithoutReclaiming() {
        assertThatThrownBy(() -> admit(Map.of("reclaim", "false", "reclaim.after", "5 s")))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("reclaim.after is '5 s'");
    }

    @Test
    void noUnitThatFitsStarves() throws InvalidConfigurationException {
        int bound = 40 + 3 * (Storm.MAX_RUNTIME_MINUTES + 1) + 10;
        Map<String, String> soon = Map.of("hold.after", "30 min", "hold.all.after", "10 min", "hold.for", "6 h");
        for (int seed = 0; seed < STORMS; seed++) {
            assertThat(new Storm(seed).waits(factory(), soon, 2 * bound))
                    .as("seed %s", seed)
                    .allMatch(wait -> wait <= bound);
        }
    }
}

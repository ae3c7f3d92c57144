package io.berth.distribution.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.testkit.RecordedAdmission;
import io.berth.testkit.RecordedAdmission.Admitted;
import io.berth.testkit.RecordedAdmission.Reclaimed;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What {@code capacity} reclaims for what jobs desire, and within limits that are used up. */
class ReclaimTest extends CapacityPool {

    private static final Map<String, String> DESIRED = Map.of("reclaim.desired", "true");

    /** Queue {@code owner} has 1 of the 4 slots that are guaranteed to it, and its unit 1 desires 8. */
    private void desiresMore(ResourceProfile slot) {
        demands.pool(slot.times(10), slot.times(0));
        demands.queues().queue("owner", "root", 1, slot.times(4), NO_LIMIT);
        demands.unit("borrower", 0).group(0, CORE, 1, 90, 9).queue(0, "default");
        demands.unit("owner", 1).group(1, slot, 1, 8, 1).queue(1, "owner");
    }

    @Test
    void slotsAreAlsoReclaimedForWhatIsDesiredWithinTheGuarantee() throws InvalidConfigurationException {
        desiresMore(CORE);
        demands.runningSince(1, 0).now(MINUTE - 10);
        RecordedAdmission early = admit(DESIRED);
        assertThat(early.reclaimed()).isEmpty();
        assertThat(early.reviewMillis()).hasValue(10);
        demands.now(MINUTE);
        RecordedAdmission result = admit(DESIRED);
        assertThat(result.reclaimed())
                .extracting(Reclaimed::unit, Reclaimed::count)
                .containsExactly(tuple(0, 3));
        assertThat(result.reclaimed().get(0).reason())
                .contains("queue owner uses 10 % of cpu, 40 % is guaranteed, and jobs of it desire more");
        assertThat(result.deferred()).containsKey(0);
        assertThat(admit(Map.of()).reclaimed()).isEmpty();
        assertThatThrownBy(() -> admit(Map.of("reclaim", "false", "reclaim.desired", "true")))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("reclaim.desired is 'true'");
    }

    @Test
    void whatComesBackIsKeptInAllRoundsOfADecisionUntilItIsEnough() throws InvalidConfigurationException {
        desiresMore(CORE);
        demands.unit("other", 2).group(2, CORE, 1, 5, 1).queue(2, "default");
        // One of three has come back, and two are on their way.
        demands.allocated(0, 0, 8).returning(0, 0, 2).runningSince(1, 0).now(MINUTE);
        demands.pool(CORE.times(11), CORE);
        try (AdmissionSession session = open(DESIRED)) {
            RecordedAdmission first = admit(session);
            assertThat(first.reclaimed()).isEmpty();
            assertThat(first.admitted()).containsExactly(new Admitted(1, 0, 3));
            // The room is on several workers, none of which fits: it is kept nevertheless.
            demands.withoutRoom(1, 0);
            session.delta(new int[] {1});
            assertThat(admit(session).admitted()).isEmpty();
            demands.endDecision()
                    .pool(CORE.times(11), CORE.times(2))
                    .allocated(0, 0, 7)
                    .returning(0, 0, 1);
            session.delta(new int[] {0, 1});
            assertThat(admit(session).admitted().get(0)).isEqualTo(new Admitted(1, 0, 3));
        }
    }

    @Test
    void whatIsOnItsWayCountsBeforeAGuaranteeIsTouched() throws InvalidConfigurationException {
        demands.pool(CORE.times(15), CORE.times(0));
        queue("owner", "root", 3);
        queue("lender", "root", 10);
        unit("owner", 2, 2, 0);
        int returning = unit("lender", 7, 8, 8);
        int other = unit("lender", 1, 4, 4);
        unit("default", 3, 3, 3);
        demands.returning(returning, 0, 1).now(MINUTE);
        assertThat(admit(Map.of()).reclaimed())
                .extracting(Reclaimed::unit, Reclaimed::count)
                .containsExactly(tuple(other, 1));
        demands.put(0, "owner", 0).group(0, CORE, 3, 3, 0).queue(0, "owner").now(2 * MINUTE);
        assertThat(admit(Map.of()).reclaimed())
                .as("the lender uses 12, of which 10 are guaranteed to it")
                .isEmpty();
    }

    @Test
    void aDecisionThatIsMadeAgainReclaimsTheSame() throws InvalidConfigurationException {
        desiresMore(CORE);
        demands.runningSince(1, 0).now(MINUTE);
        try (AdmissionSession session = open(DESIRED)) {
            assertThat(admit(session).reclaimed())
                    .hasSize(1)
                    .isEqualTo(admit(session).reclaimed());
            demands.allocated(0, 0, 6).pool(CORE.times(10), CORE.times(3));
            session.delta(new int[] {0});
            assertThat(admit(session).reclaimed()).isEmpty();
        }
    }

    @Test
    void smallerSlotsAreNotReclaimedForWhatIsDesired() throws InvalidConfigurationException {
        desiresMore(CORE.times(2));
        demands.runningSince(1, 0).now(MINUTE);
        assertThat(admit(DESIRED).reclaimed()).isEmpty();
        demands.unit("large", 2).group(2, CORE.times(3), 1, 5, 4).queue(2, "default");
        assertThat(admit(DESIRED).reclaimed())
                .extracting(Reclaimed::unit, Reclaimed::count)
                .containsExactly(tuple(2, 2));
    }

    @Test
    void aUnitThatDesiresNothingTheGuaranteeCoversDoesNotKeepOthersFromIt() throws InvalidConfigurationException {
        desiresMore(CORE);
        demands.unit("small", 2).group(2, CORE, 1, 2, 1).queue(2, "owner");
        demands.put(1, "too-large", 1).group(1, CORE.times(7), 0, 1, 0).queue(1, "owner");
        demands.runningSince(1, 0).runningSince(2, 0).now(MINUTE);
        assertThat(admit(DESIRED).reclaimed())
                .extracting(Reclaimed::unit, Reclaimed::count)
                .containsExactly(tuple(0, 1));
    }

    @Test
    void aBranchThatStandsBelowThatOfTheClaimLosesNothing() throws InvalidConfigurationException {
        demands.pool(CORE.times(20), CORE.times(0));
        queue("rich", "root", 8);
        queue("poor", "root", 6);
        queue("rich-own", "rich", 4);
        demands.queues().queue("rich-rest", "rich", 4, NOTHING, NO_LIMIT);
        queue("poor-rest", "poor", 0);
        unit("rich-own", 1, 9, 1);
        unit("rich-rest", 1, 20, 12);
        int poor = unit("poor-rest", 1, 20, 7);
        demands.runningSince(0, 0).now(MINUTE);
        assertThat(admit(DESIRED).reclaimed())
                .extracting(Reclaimed::unit, Reclaimed::count)
                .containsExactly(tuple(1, 3));
        // Where nothing else is to be had, the other branch keeps what is guaranteed to it.
        demands.allocated(1, 0, 1).allocated(poor, 0, 7).pool(CORE.times(9), CORE.times(0));
        assertThat(admit(DESIRED).reclaimed())
                .extracting(Reclaimed::unit, Reclaimed::count)
                .containsExactly(tuple(poor, 1));
    }

    @Test
    void aBranchThatWouldGetItsSlotsBackIsNotAsked() throws InvalidConfigurationException {
        demands.pool(CORE.times(20), CORE.times(0));
        queue("poor", "root", 4);
        queue("poor-rest", "poor", 0);
        queue("rich", "root", 8);
        queue("rich-own", "rich", 4);
        queue("rich-rest", "rich", 0);
        unit("rich-own", 1, 9, 1);
        unit("rich-rest", 9, 9, 9);
        unit("poor-rest", 1, 20, 7);
        unit("default", 3, 3, 3);
        demands.runningSince(0, 0).now(MINUTE);
        // It uses 15 % of the pool beyond its guarantee, the other branch 10 %.
        assertThat(admit(DESIRED).reclaimed()).isEmpty();
        demands.allocated(2, 0, 9).pool(CORE.times(22), CORE.times(0));
        assertThat(admit(DESIRED).reclaimed())
                .extracting(Reclaimed::unit, Reclaimed::count)
                .containsExactly(tuple(2, 1));
    }

    @Test
    void whatIsDesiredTakesNoRoomThatAMinimumOfTheQueueNeeds() throws InvalidConfigurationException {
        desiresMore(CORE);
        demands.unit("new", 2).group(2, CORE, 2, 2, 0).queue(2, "owner").waitingSince(2, MINUTE);
        demands.allocated(0, 0, 7).pool(CORE.times(10), CORE.times(2));
        demands.runningSince(1, 0).now(MINUTE);
        RecordedAdmission result = admit(DESIRED);
        assertThat(result.admitted()).containsExactly(new Admitted(2, -1, 0), new Admitted(1, 0, 1));
        assertThat(result.reclaimed())
                .extracting(Reclaimed::unit, Reclaimed::count)
                .containsExactly(tuple(0, 1));
    }

    @Test
    void nothingIsPlannedForWhatIsDesiredWhileNothingElseThanAHeldUnitIsAdmitted()
            throws InvalidConfigurationException {
        desiresMore(CORE);
        demands.unit("held", 2).group(2, CORE, 5, 5, 0).queue(2, "default").waitingSince(2, 0);
        demands.runningSince(1, 0).now(3 * DAY + MINUTE);
        RecordedAdmission result = admit(DESIRED);
        assertThat(units(result)).containsExactly(2);
        assertThat(result.reclaimed()).isEmpty();
    }

    @Test
    void aMinimumWithinTheGuaranteeKeepsNobodyFromWorkersThatCouldBeStarted() throws InvalidConfigurationException {
        desiresMore(CORE);
        demands.unit("new", 2).group(2, CORE, 3, 3, 0).queue(2, "default").waitingSince(2, MINUTE);
        demands.unit("waits", 3).group(3, CORE, 2, 2, 0).queue(3, "owner").waitingSince(3, MINUTE);
        demands.startable(CORE.times(20)).runningSince(1, 0).now(MINUTE);
        RecordedAdmission result = admit(DESIRED);
        assertThat(result.reclaimed()).isEmpty();
        assertThat(units(result)).contains(2, 3);
    }

    @Test
    void theGuaranteeOfAQueueGoesToTheChildThatIsAdmittedFirst() throws InvalidConfigurationException {
        demands.pool(CORE.times(10), CORE.times(0));
        queue("parent", "root", 5);
        demands.queues().queue("many", "parent", 1, NOTHING, NO_LIMIT);
        demands.queues().queue("few", "parent", 1, NOTHING, NO_LIMIT);
        unit("many", 1, 9, 3);
        unit("few", 1, 9, 1);
        unit("default", 1, 6, 6);
        demands.runningSince(0, 0).runningSince(1, 0).now(MINUTE);
        RecordedAdmission result = admit(DESIRED);
        assertThat(result.reclaimed())
                .extracting(Reclaimed::unit, Reclaimed::count)
                .containsExactly(tuple(2, 1));
        assertThat(result.reclaimed().get(0).reason()).startsWith("queue parent uses 40 % of cpu, 50 % is guaranteed");
        assertThat(result.admitted()).startsWith(new Admitted(1, 0, 1));
    }

    @Test
    void slotsThatAreTooLargeForWhatOthersHaveDoNotKeepSmallerOnesWaiting() throws InvalidConfigurationException {
        demands.pool(CORE.times(11), CORE.times(0));
        queue("owner", "root", 8);
        unit("default", 1, 90, 7);
        demands.unit("large", 1)
                .group(1, CORE.times(2), 1, 2, 1)
                .group(1, CORE, 1, 2, 1)
                .queue(1, "owner");
        unit("owner", 1, 3, 1);
        demands.runningSince(1, 0).runningSince(2, 0).now(MINUTE);
        assertThat(admit(DESIRED).reclaimed())
                .extracting(Reclaimed::unit, Reclaimed::count)
                .containsExactly(tuple(0, 2));
    }

    @Test
    void roomForWhatAQueueDesiresThatComesBeforeIsNotKept() throws InvalidConfigurationException {
        demands.pool(CORE.times(20), CORE.times(2));
        queue("first", "root", 4);
        queue("second", "root", 6);
        unit("first", 1, 3, 1);
        unit("second", 2, 9, 4);
        unit("default", 1, 13, 13);
        demands.runningSince(0, 0).runningSince(1, 0).now(MINUTE);
        RecordedAdmission result = admit(DESIRED);
        assertThat(result.reclaimed())
                .extracting(Reclaimed::unit, Reclaimed::count)
                .containsExactly(tuple(2, 2));
        assertThat(result.admitted()).contains(new Admitted(0, 0, 2), new Admitted(1, 0, 2));
    }

    @Test
    void asksToBeCalledWithinTheUsualTimeWhenTheClockOfARunIsAhead() throws InvalidConfigurationException {
        desiresMore(CORE);
        demands.runningSince(1, 3 * DAY).now(MINUTE);
        assertThat(admit(DESIRED).reviewMillis()).hasValue(MINUTE);
    }

    @Test
    void aLimitThatSiblingsUsedUpIsReclaimedFromThem() throws InvalidConfigurationException {
        demands.pool(CORE.times(20), CORE.times(6));
        demands.queues().queue("parent", "root", 1, CORE.times(4), CORE.times(8));
        queue("owner", "parent", 3);
        demands.queues().queue("sibling", "parent", 1, NOTHING, NO_LIMIT);
        unit("owner", 2, 2, 0);
        unit("sibling", 1, 9, 7);
        unit("default", 1, 7, 7);
        demands.waitingSince(0, 0).now(MINUTE);
        RecordedAdmission result = admit(Map.of());
        assertThat(result.reclaimed())
                .extracting(Reclaimed::unit, Reclaimed::count)
                .containsExactly(tuple(1, 1));
        assertThat(result.deferred().get(0)).startsWith("slots are reclaimed: queue owner uses 0 %");
        // The limit leaves room for one more, which the sibling does not get.
        assertThat(units(result)).doesNotContain(0, 1);
        demands.allocated(1, 0, 6).pool(CORE.times(20), CORE.times(7));
        RecordedAdmission then = admit(Map.of());
        assertThat(then.reclaimed()).isEmpty();
        assertThat(then.admitted()).startsWith(new Admitted(0, -1, 0));
    }

    @Test
    void aUnitThatWaitsForALimitIsAdmittedNothingAboveItsMinimum() throws InvalidConfigurationException {
        ResourceProfile heap = ResourceProfile.of(0, 100);
        ResourceProfile cpu = ResourceProfile.of(1_000, 0);
        demands.pool(ResourceProfile.of(20_000, 2_000), ResourceProfile.of(20_000, 1_600));
        demands.queues().queue("parent", "root", 1, heap.times(4), ResourceProfile.of(1_000_000, 400));
        demands.queues().queue("owner", "parent", 1, heap.times(3), NO_LIMIT);
        demands.queues().queue("sibling", "parent", 1, NOTHING, NO_LIMIT);
        demands.unit("waits", 0).group(0, heap, 2, 2, 0).group(0, cpu, 1, 4, 0).queue(0, "owner");
        demands.unit("borrows", 1).group(1, heap, 1, 9, 4).queue(1, "sibling");
        demands.waitingSince(0, 0).now(MINUTE);
        RecordedAdmission result = admit(Map.of());
        assertThat(result.reclaimed())
                .extracting(Reclaimed::unit, Reclaimed::count)
                .containsExactly(tuple(1, 2));
        assertThat(units(result)).doesNotContain(0);
    }

    @Test
    void aLimitThatIsKeptForAUnitIsNotCountedTwice() throws InvalidConfigurationException {
        demands.pool(CORE.times(20), CORE.times(6));
        demands.queues().queue("parent", "root", 1, CORE.times(4), CORE.times(8));
        queue("owner", "parent", 3);
        demands.queues().queue("sibling", "parent", 1, NOTHING, NO_LIMIT);
        unit("owner", 2, 2, 0);
        unit("sibling", 1, 9, 7);
        unit("default", 1, 7, 7);
        demands.waitingSince(0, 0).now(DAY + MINUTE);
        RecordedAdmission result = admit(Map.of());
        assertThat(result.reclaimed())
                .extracting(Reclaimed::unit, Reclaimed::count)
                .containsExactly(tuple(1, 1));
    }
}

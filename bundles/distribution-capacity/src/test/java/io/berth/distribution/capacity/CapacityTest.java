package io.berth.distribution.capacity;

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

class CapacityTest implements DistributionPolicyContract {

    private static final ResourceProfile CORE = ResourceProfile.of(1_000, 100);
    private static final ResourceProfile NOTHING = ResourceProfile.ZERO;
    private static final ResourceProfile NO_LIMIT = ResourceProfile.UNKNOWN;
    private static final long MINUTE = 60_000;
    private static final long DAY = 24 * 60 * MINUTE;
    private static final int STORMS = Integer.getInteger("berth.storms", 100);

    private final ArrayDemandsView demands = new ArrayDemandsView().pool(CORE.times(10), CORE.times(10));

    @Override
    public DistributionPolicyFactory factory() {
        return new CapacityFactory();
    }

    private int unit(String queue, int minimum, int desired, int allocated) {
        int unit = demands.limit();
        demands.unit("job-" + unit, unit)
                .group(unit, CORE, minimum, desired, allocated)
                .queue(unit, queue);
        return unit;
    }

    private void queue(String name, String parent, int guaranteed) {
        demands.queues().queue(name, parent, 1, CORE.times(guaranteed), NO_LIMIT);
    }

    private RecordedAdmission admit(Map<String, String> configuration) throws InvalidConfigurationException {
        try (AdmissionSession session = open(configuration)) {
            return admit(session);
        }
    }

    private static List<Integer> units(RecordedAdmission result) {
        return result.admitted().stream().map(Admitted::unit).toList();
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

    private static final Map<String, String> DESIRED = Map.of("reclaim.desired", "true");

    /** Queue {@code owner} has 1 of the 4 slots that are guaranteed to it, and its unit 1 desires 8. */
    private void desiresMore(ResourceProfile slot) {
        demands.pool(slot.times(10), slot.times(0));
        demands.queues().queue("owner", "root", 1, slot.times(4), NO_LIMIT);
        demands.unit("borrower", 0).group(0, CORE, 1, 90, 9).queue(0, "default");
        demands.unit("owner", 1).group(1, slot, 1, 8, 1).queue(1, "owner");
    }

    private RecordedAdmission admit(AdmissionSession session) {
        RecordedAdmission result = new RecordedAdmission();
        session.admit(result);
        assertThat(result.violation(demands)).isEmpty();
        return result;
    }

    private AdmissionSession open(Map<String, String> configuration) throws InvalidConfigurationException {
        return factory()
                .create(FixedConfiguration.of(factory().describe(), configuration), FixedContext.of("pool default"))
                .open(demands);
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
                .extracting(RecordedAdmission.Reclaimed::unit, RecordedAdmission.Reclaimed::count)
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
        demands.allocated(0, 0, 8).paused(0).runningSince(1, 0).now(MINUTE);
        demands.pool(CORE.times(11), CORE);
        try (AdmissionSession session = open(DESIRED)) {
            RecordedAdmission first = admit(session);
            assertThat(first.reclaimed()).isEmpty();
            assertThat(first.admitted()).containsExactly(new Admitted(1, 0, 3));
            // The room is on several workers, none of which fits: it is kept nevertheless.
            demands.withoutRoom(1, 0);
            session.delta(new int[] {1});
            assertThat(admit(session).admitted()).isEmpty();
            demands.endDecision().pool(CORE.times(11), CORE.times(2)).allocated(0, 0, 6);
            session.delta(new int[] {0, 1});
            assertThat(admit(session).admitted().get(0)).isEqualTo(new Admitted(1, 0, 3));
        }
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
                .extracting(RecordedAdmission.Reclaimed::unit, RecordedAdmission.Reclaimed::count)
                .containsExactly(tuple(2, 2));
    }

    @Test
    void aUnitThatDesiresNothingTheGuaranteeCoversDoesNotKeepOthersFromIt() throws InvalidConfigurationException {
        desiresMore(CORE);
        demands.unit("small", 2).group(2, CORE, 1, 2, 1).queue(2, "owner");
        demands.put(1, "too-large", 1).group(1, CORE.times(7), 0, 1, 0).queue(1, "owner");
        demands.runningSince(1, 0).runningSince(2, 0).now(MINUTE);
        assertThat(admit(DESIRED).reclaimed())
                .extracting(RecordedAdmission.Reclaimed::unit, RecordedAdmission.Reclaimed::count)
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
                .extracting(RecordedAdmission.Reclaimed::unit, RecordedAdmission.Reclaimed::count)
                .containsExactly(tuple(1, 3));
        // Where nothing else is to be had, the other branch keeps what is guaranteed to it.
        demands.allocated(1, 0, 1).allocated(poor, 0, 7).pool(CORE.times(9), CORE.times(0));
        assertThat(admit(DESIRED).reclaimed())
                .extracting(RecordedAdmission.Reclaimed::unit, RecordedAdmission.Reclaimed::count)
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
                .extracting(RecordedAdmission.Reclaimed::unit, RecordedAdmission.Reclaimed::count)
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
                .extracting(RecordedAdmission.Reclaimed::unit, RecordedAdmission.Reclaimed::count)
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
    void aJobThatIsAskedForSlotsIsAdmittedNoneAndNobodyElseIsAskedForTheSame() throws InvalidConfigurationException {
        borrowed();
        demands.put(0, "asked", 0).group(0, CORE, 1, 9, 5).queue(0, "much").paused(0);
        demands.pool(CORE.times(10), CORE.times(2));
        RecordedAdmission result = admit(Map.of());
        assertThat(result.reclaimed()).isEmpty();
        assertThat(units(result)).containsExactly(2);
        assertThat(result.deferred()).containsKey(0);
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

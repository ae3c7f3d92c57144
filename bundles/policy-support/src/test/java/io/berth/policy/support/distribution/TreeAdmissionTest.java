package io.berth.policy.support.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.ResourceProfile;
import io.berth.testkit.ArrayDemandsView;
import io.berth.testkit.RecordedAdmission;
import io.berth.testkit.RecordedAdmission.Admitted;
import java.util.List;
import org.junit.jupiter.api.Test;

class TreeAdmissionTest {

    private static final ResourceProfile CORE = ResourceProfile.of(1_000, 100);
    private static final WaitLimit.Limits NEVER = new WaitLimit.Limits(0, 0, 60_000, 0);

    /** Who uses less of the first resource comes first; queues have weights. */
    private static final class Least implements TreeAdmission.Standing {

        private final ArrayDemandsView demands;

        Least(ArrayDemandsView demands) {
            this.demands = demands;
        }

        @Override
        public void begin() {}

        @Override
        public double ofQueue(int queue, boolean own, long[] used) {
            return used[0] / (own ? 1 : demands.queues().weight(queue));
        }

        @Override
        public double ofClaimant(int queue, String name, long[] used) {
            return used[0];
        }

        @Override
        public String words(int queue, String claimant, long[] used) {
            return claimant + " uses " + used[0];
        }
    }

    private final ArrayDemandsView demands = new ArrayDemandsView().pool(CORE.times(10), CORE.times(10));

    private TreeAdmission open(Claimants level) {
        return open(level, NEVER);
    }

    private TreeAdmission open(Claimants level, WaitLimit.Limits limits) {
        return new TreeAdmission(
                demands,
                new PoolShares(demands),
                limits,
                level,
                false,
                new Least(demands),
                TreeAdmission.NO_LIMIT,
                TreeAdmission.NOBODY);
    }

    private RecordedAdmission admit(Claimants level) {
        RecordedAdmission result = new RecordedAdmission();
        open(level).admit(result);
        assertThat(result.violation(demands)).isEmpty();
        return result;
    }

    private int unit(String job, String queue, int minimum, int desired, int allocated) {
        int unit = demands.limit();
        demands.unit(job, unit).group(unit, CORE, minimum, desired, allocated).queue(unit, queue);
        return unit;
    }

    @Test
    void claimantsTakeTurnsAndMinimumsComeBeforeSlotsAboveOfTheSameStanding() {
        unit("a", "none", 0, 2, 0);
        unit("b", "none", 1, 2, 0);
        assertThat(admit(Claimants.JOBS).admitted())
                .containsExactly(new Admitted(1, -1, 0), new Admitted(0, 0, 2), new Admitted(1, 0, 1));
    }

    @Test
    void queuesShareInProportionToTheirWeights() {
        demands.queues().queue("one", "root", 1).queue("three", "root", 3);
        unit("a", "one", 0, 100, 0);
        unit("b", "three", 0, 100, 0);
        demands.pool(CORE.times(8), CORE.times(8));
        List<Admitted> admitted = admit(Claimants.QUEUES).admitted();
        int[] slots = new int[2];
        int room = 8;
        for (Admitted one : admitted) {
            int count = Math.min(room, one.count());
            slots[one.unit()] += count;
            room -= count;
        }
        assertThat(slots).containsExactly(2, 6);
    }

    @Test
    void unitsDirectlyInAQueueCompeteWithTheQueuesBelowIt() {
        demands.queues().queue("top", "root", 1).queue("below", "top", 1);
        unit("own", "top", 1, 1, 0);
        unit("below", "below", 1, 1, 0);
        unit("below-too", "below", 1, 1, 0);
        unit("busy", "top", 2, 2, 2);
        assertThat(admit(Claimants.QUEUES).admitted().stream().map(Admitted::unit))
                .containsExactly(1, 2, 0);
    }

    @Test
    void aUnitThatDoesNotFitComesAfterThoseThatDoAndSaysWhyIfOthersTookItsRoom() {
        unit("a", "none", 6, 6, 0);
        unit("b", "none", 6, 6, 0);
        unit("c", "none", 11, 11, 0);
        unit("d", "none", 4, 4, 0);
        RecordedAdmission result = admit(Claimants.JOBS);
        assertThat(result.admitted().stream().map(Admitted::unit)).containsExactly(0, 3, 1, 2);
        assertThat(result.deferred()).containsOnlyKeys(1);
        assertThat(result.deferred().get(1)).isEqualTo("b uses 0");
    }

    private static final long HOUR = 3_600_000;

    /** Four of ten cores are free at hour 1, and six more at hour 3. */
    private void busyUntilHour3() {
        demands.pool(CORE.times(10), CORE.times(4)).now(HOUR);
        int unit = unit("runs", "none", 6, 6, 6);
        demands.runningSince(unit, 0).expectedRuntime(unit, 3 * HOUR);
    }

    private RecordedAdmission admitReserving() {
        RecordedAdmission result = new RecordedAdmission();
        open(Claimants.QUEUES).reservingForFirst().admit(result);
        assertThat(result.violation(demands)).isEmpty();
        return result;
    }

    @Test
    void whoWouldDelayTheFirstThatFindsNoRoomIsNotAdmitted() {
        busyUntilHour3();
        int first = unit("first", "none", 8, 8, 0);
        int ends = unit("ends", "none", 1, 1, 0);
        demands.expectedRuntime(ends, 2 * HOUR);
        int takesWhatIsLeft = unit("takes", "none", 2, 2, 0);
        demands.expectedRuntime(takesWhatIsLeft, 9 * HOUR);
        int takesMore = unit("more", "none", 1, 1, 0);
        demands.expectedRuntime(takesMore, 9 * HOUR);
        int unknown = unit("unknown", "none", 1, 1, 0);
        RecordedAdmission result = admitReserving();
        assertThat(result.admitted().stream().map(Admitted::unit)).containsExactly(ends, takesWhatIsLeft, first);
        assertThat(result.deferred()).containsOnlyKeys(takesMore, unknown);
        assertThat(result.deferred().get(takesMore))
                .startsWith("room is kept for unit all of job first, which comes first");
        assertThat(result.reviewMillis()).hasValue(2 * HOUR);
    }

    @Test
    void roomIsStillKeptInTheNextRoundForAUnitThatFoundNoPlace() {
        busyUntilHour3();
        demands.withoutRoom(unit("first", "none", 8, 8, 0));
        int later = unit("later", "none", 3, 3, 0);
        RecordedAdmission result = admitReserving();
        assertThat(result.admitted()).isEmpty();
        assertThat(result.deferred()).containsOnlyKeys(later);
    }

    @Test
    void whatIsAdmittedBeforeEndsInTimeForTheFirstThatFindsNoRoom() {
        busyUntilHour3();
        int before = unit("before", "none", 4, 4, 0);
        demands.expectedRuntime(before, HOUR);
        unit("first", "none", 10, 10, 0);
        assertThat(admitReserving().reviewMillis()).as("at hour 3, not never").hasValue(2 * HOUR);
    }

    @Test
    void aUnitThatRunsLongerThanExpectedDoesNotPass() {
        busyUntilHour3();
        int late = unit("late", "none", 0, 4, 0);
        demands.runningSince(late, 0).expectedRuntime(late, HOUR / 2);
        unit("first", "none", 8, 8, 0);
        RecordedAdmission result = admitReserving();
        assertThat(result.admitted()).contains(new Admitted(late, 0, 2)).doesNotContain(new Admitted(late, 0, 4));
    }

    @Test
    void roomIsKeptForTheNextWhenTheFirstIsLargerThanThePool() {
        busyUntilHour3();
        unit("never", "none", 11, 11, 0);
        unit("next", "none", 10, 10, 0);
        int later = unit("later", "none", 4, 4, 0);
        assertThat(admitReserving().deferred()).containsKey(later);
    }

    @Test
    void whatCouldBeStartedCountsWhenRoomIsKept() {
        busyUntilHour3();
        demands.startable(CORE.times(5));
        unit("first", "none", 15, 15, 0);
        int later = unit("later", "none", 1, 1, 0);
        RecordedAdmission result = admitReserving();
        assertThat(result.deferred()).containsOnlyKeys(later);
        assertThat(result.reviewMillis()).hasValue(2 * HOUR);
    }

    @Test
    void endsAtTheSameTimeAllCount() {
        demands.pool(CORE.times(12), CORE.times(12)).now(HOUR);
        for (int job = 0; job < 10; job++) {
            demands.expectedRuntime(unit("job-" + job, "none", 1, 1, 0), HOUR);
        }
        unit("first", "none", 4, 4, 0);
        int later = unit("later", "none", 2, 2, 0);
        assertThat(admitReserving().admitted().stream().map(Admitted::unit)).contains(later);
    }

    @Test
    void noRoomIsKeptForTheFirstWhileItIsHeldForOneThatWaitedTooLong() {
        demands.pool(CORE.times(30), CORE.times(25)).now(30 * HOUR);
        int runs = unit("runs", "none", 5, 5, 5);
        demands.runningSince(runs, 0).expectedRuntime(runs, 32 * HOUR);
        int held = unit("held", "none", 20, 25, 0);
        demands.waitingSince(held, 0).withoutRoom(held);
        unit("first", "none", 8, 8, 0);
        int small = unit("small", "none", 1, 1, 0);
        RecordedAdmission result = new RecordedAdmission();
        open(Claimants.QUEUES, new WaitLimit.Limits(24 * HOUR, 48 * HOUR, 72 * HOUR, 1))
                .reservingForFirst()
                .admit(result);
        assertThat(result.violation(demands)).isEmpty();
        assertThat(result.admitted().stream().map(Admitted::unit)).containsExactly(small);
    }

    @Test
    void roomIsKeptForOneUnitOnly() {
        busyUntilHour3();
        unit("first", "none", 5, 5, 0);
        unit("second", "none", 10, 10, 0);
        int third = unit("third", "none", 1, 1, 0);
        assertThat(admitReserving().admitted().stream().map(Admitted::unit)).contains(third);
    }

    @Test
    void noRoomIsKeptWhenItIsNotKnownWhenUnitsEnd() {
        demands.pool(CORE.times(10), CORE.times(4)).now(HOUR);
        demands.runningSince(unit("runs", "none", 6, 6, 6), 0);
        unit("first", "none", 8, 8, 0);
        unit("later", "none", 4, 4, 0);
        RecordedAdmission result = admitReserving();
        assertThat(result.admitted().stream().map(Admitted::unit)).containsExactly(2, 1);
        assertThat(result.reviewMillis()).isEmpty();
    }

    @Test
    void noRoomIsKeptForAUnitThatIsLargerThanThePool() {
        busyUntilHour3();
        unit("first", "none", 11, 11, 0);
        unit("later", "none", 4, 4, 0);
        assertThat(admitReserving().admitted().stream().map(Admitted::unit)).containsExactly(2, 1);
    }

    @Test
    void followsTheOperatorWhenQueuesChangeWithoutADelta() {
        unit("a", "left", 1, 1, 5);
        unit("b", "right", 1, 1, 0);
        unit("c", "left", 1, 1, 0);
        TreeAdmission tree = open(Claimants.QUEUES);
        demands.queues().queue("left", "root", 1).queue("right", "root", 1);
        RecordedAdmission result = new RecordedAdmission();
        tree.admit(result);
        assertThat(result.admitted().stream().map(Admitted::unit)).containsExactly(1, 2);
    }

    @Test
    void slotsOfTheUnknownProfileCountAsWhatTheDefaultSlotTakesNow() {
        demands.defaultSlot(CORE);
        demands.unit("a", 0).group(0, ResourceProfile.UNKNOWN, 0, 5, 1);
        demands.unit("b", 1).group(1, CORE, 0, 3, 2);
        TreeAdmission tree = open(Claimants.JOBS);
        demands.defaultSlot(CORE.times(3));
        RecordedAdmission result = new RecordedAdmission();
        tree.admit(result);
        assertThat(result.admitted()).first().isEqualTo(new Admitted(1, 0, 1));
    }
}

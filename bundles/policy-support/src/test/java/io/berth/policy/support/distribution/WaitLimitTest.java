package io.berth.policy.support.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.ResourceProfile;
import io.berth.testkit.ArrayDemandsView;
import io.berth.testkit.RecordedAdmission;
import io.berth.testkit.RecordedAdmission.Admitted;
import org.junit.jupiter.api.Test;

class WaitLimitTest {

    private static final ResourceProfile CORE = ResourceProfile.of(1_000, 100);
    private static final long HOUR = 3_600_000;

    private final ArrayDemandsView demands = new ArrayDemandsView().pool(CORE.times(10), CORE.times(3));
    private Room room = new Room(demands);

    private static WaitLimit.Limits limits(int units) {
        return new WaitLimit.Limits(24 * HOUR, HOUR, 12 * HOUR, units);
    }

    private void waiting(String job, int slots, long sinceHour) {
        int unit = demands.limit();
        demands.unit(job, unit).group(unit, CORE, slots, slots, 0).waitingSince(unit, sinceHour * HOUR);
    }

    private RecordedAdmission hold(int units, long hour) {
        demands.now(hour * HOUR);
        UnitLacks lacks = new UnitLacks(demands);
        room = new Room(demands);
        room.begin();
        WaitLimit limit = new WaitLimit(demands, lacks, limits(units));
        for (int unit = 0; unit < demands.limit(); unit++) {
            limit.update(unit);
        }
        RecordedAdmission result = new RecordedAdmission();
        limit.hold(room, result, (unit, lack) -> true);
        return result;
    }

    @Test
    void admitsTheUnitsThatHaveWaitedLongestFirst() {
        waiting("younger", 6, 1);
        waiting("oldest", 6, 0);
        waiting("youngest", 6, 2);
        assertThat(hold(2, 26).admitted()).containsExactly(new Admitted(1, -1, 0), new Admitted(0, -1, 0));
    }

    @Test
    void holdsNoUnitBeforeItHasWaitedLongEnoughAndAsksForACallAtThatMoment() {
        waiting("job", 6, 0);
        RecordedAdmission result = hold(1, 20);
        assertThat(result.admitted()).isEmpty();
        assertThat(result.reviewMillis()).hasValue(4 * HOUR);
        assertThat(room.allows(new long[] {3_000, 300, 0, 0}, ExpectedEnds.NEVER))
                .isTrue();
    }

    @Test
    void leavesToOthersWhatIsFreeBeyondTheHeldUnit() {
        waiting("job", 2, 0);
        hold(1, 24);
        assertThat(room.allows(new long[] {1_000, 100, 0, 0}, ExpectedEnds.NEVER))
                .isTrue();
        assertThat(room.allows(new long[] {2_000, 100, 0, 0}, ExpectedEnds.NEVER))
                .isFalse();
        assertThat(room.why()).contains("job job", "24 h", "hold.after");
    }

    @Test
    void setsNothingAsideInResourcesThatTheHeldUnitDoesNotUse() {
        demands.pool(new ResourceProfile(10_000, 1_000, 0, 500, CORE.extended()), CORE.times(1));
        waiting("job", 2, 0);
        hold(1, 24);
        assertThat(room.allows(new long[] {0, 0, 0, 500}, ExpectedEnds.NEVER)).isTrue();
        assertThat(room.allows(new long[] {1, 0, 0, 0}, ExpectedEnds.NEVER)).isFalse();
    }

    @Test
    void keepsTheRoomOfAUnitThatFoundNoneInThisDecision() {
        waiting("job", 3, 0);
        demands.withoutRoom(0);
        assertThat(hold(1, 24).admitted()).isEmpty();
        assertThat(room.allows(new long[] {1_000, 100, 0, 0}, ExpectedEnds.NEVER))
                .isFalse();
    }

    @Test
    void holdsNoUnitThatIsLargerThanThePool() {
        waiting("huge", 11, 0);
        waiting("job", 4, 1);
        assertThat(hold(1, 25).admitted()).containsExactly(new Admitted(1, -1, 0));
    }

    @Test
    void holdsAUnitThatFitsWithWorkersThatCouldBeStarted() {
        demands.startable(CORE.times(1));
        waiting("large", 11, 0);
        assertThat(hold(1, 24).admitted()).containsExactly(new Admitted(0, -1, 0));
    }

    @Test
    void admitsNothingElseWhenKeepingRoomDidNotHelp() {
        waiting("job", 2, 0);
        hold(1, 25);
        assertThat(room.allows(new long[] {0, 0, 0, 0}, ExpectedEnds.NEVER)).isFalse();
        assertThat(room.allowed(new long[] {1, 0, 0, 0}, 1, ExpectedEnds.NEVER)).isZero();
        assertThat(room.why()).contains("hold.all.after");
    }

    @Test
    void endsAHoldAndHoldsAgainWhenTheWaitHasDoubled() {
        waiting("job", 2, 0);
        assertThat(hold(1, 35).admitted()).hasSize(1);
        RecordedAdmission after = hold(1, 36);
        assertThat(after.admitted()).isEmpty();
        assertThat(after.reviewMillis()).hasValue(24 * HOUR);
        assertThat(room.allows(new long[] {3_000, 0, 0, 0}, ExpectedEnds.NEVER)).isTrue();
        assertThat(hold(1, 71).admitted()).isEmpty();
        assertThat(hold(1, 72).admitted()).hasSize(1);
        assertThat(hold(1, 84).admitted()).isEmpty();
    }

    @Test
    void theNextUnitIsHeldWhenTheHoldOfAnOlderOneHasEnded() {
        waiting("never", 10, 0);
        waiting("job", 10, 12);
        assertThat(hold(1, 35).admitted()).containsExactly(new Admitted(0, -1, 0));
        assertThat(hold(1, 36).admitted()).containsExactly(new Admitted(1, -1, 0));
    }

    @Test
    void holdsNothingWhenTheLimitIsZero() {
        waiting("job", 2, 0);
        RecordedAdmission result = hold(0, 30);
        assertThat(result.admitted()).isEmpty();
        assertThat(result.reviewMillis()).isEmpty();
    }

    /** Seven of ten cores are used; four of them by a unit that should end at hour 30. */
    private void untilHour30() {
        int unit = demands.limit();
        demands.unit("runs", unit)
                .group(unit, CORE, 4, 4, 4)
                .runningSince(unit, 0)
                .expectedRuntime(unit, 30 * HOUR);
    }

    @Test
    void whoEndsBeforeTheRoomComesPasses() {
        untilHour30();
        waiting("job", 6, 0);
        RecordedAdmission result = hold(1, 24);
        long[] all = {3_000, 300, 0, 0};
        assertThat(room.allows(all, 30 * HOUR)).isTrue();
        assertThat(room.allowed(new long[] {1_000, 100, 0, 0}, 3, 30 * HOUR)).isEqualTo(3);
        assertThat(room.allows(all, 30 * HOUR + 1)).isFalse();
        assertThat(room.allows(all, ExpectedEnds.NEVER)).isFalse();
        assertThat(result.reviewMillis()).hasValue(HOUR);
    }

    @Test
    void whoLeavesEnoughForThatTimePassesForAsLongAsItLikes() {
        untilHour30();
        waiting("job", 6, 0);
        hold(1, 24);
        long[] one = {1_000, 100, 0, 0};
        assertThat(room.allowed(one, 3, ExpectedEnds.NEVER)).isEqualTo(1);
        room.take(one, 1, 26 * HOUR);
        assertThat(room.allows(one, ExpectedEnds.NEVER)).isTrue();
        room.take(one, 1, ExpectedEnds.NEVER);
        assertThat(room.allows(one, ExpectedEnds.NEVER)).isFalse();
    }

    @Test
    void nobodyPassesWhenEndsThatAreKnownDoNotMakeTheRoom() {
        untilHour30();
        waiting("job", 8, 0);
        hold(1, 24);
        assertThat(room.allows(new long[] {1_000, 100, 0, 0}, 25 * HOUR)).isFalse();
    }

    @Test
    void nobodyPassesTwoHeldUnitsOfWhichOneNeedsItsRoomNow() {
        untilHour30();
        waiting("now", 3, 0);
        waiting("later", 4, 0);
        hold(2, 24);
        assertThat(room.allows(new long[] {1_000, 100, 0, 0}, 25 * HOUR)).isFalse();
    }

    @Test
    void nobodyPassesWhenKeepingRoomDidNotHelp() {
        untilHour30();
        waiting("job", 6, 0);
        hold(1, 25);
        assertThat(room.allows(new long[] {1_000, 100, 0, 0}, 26 * HOUR)).isFalse();
    }

    @Test
    void lengthsOfTimeAreShort() {
        assertThat(WaitLimit.words(90_000)).isEqualTo("90 s");
        assertThat(WaitLimit.words(25 * HOUR)).isEqualTo("25 h");
        assertThat(WaitLimit.words(100 * HOUR)).isEqualTo("4 d");
    }
}

package io.berth.distribution.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.testkit.DistributionPolicyContract;
import io.berth.testkit.FixedConfiguration;
import io.berth.testkit.FixedContext;
import io.berth.testkit.RecordedAdmission;
import io.berth.testkit.RecordedAdmission.Admitted;
import org.junit.jupiter.api.Test;

class BackfillTest extends BackfillScene implements DistributionPolicyContract {

    @Override
    public DistributionPolicyFactory factory() {
        return new BackfillFactory();
    }

    @Test
    void beforeAUnitHasWaitedLongOthersPassItAsInFifo() throws InvalidConfigurationException {
        pool(10, 4);
        runs(6, 1, 3);
        int large = waits(10, 23.9, 1);
        int small = waits(3, 0, 5);

        assertThat(admitted()).containsExactly(large, small);
    }

    @Test
    void aUnitPassesThePromisedOneOnlyIfItEndsBefore() throws InvalidConfigurationException {
        pool(10, 4);
        runs(6, 1, 3);
        int large = waits(10, 25, 1);
        int tooLong = waits(1, 0, 2.1);
        int inTime = waits(3, 0, 2);
        int late = waits(2, 0, 1);

        RecordedAdmission result = admit();

        assertThat(result.admitted()).containsExactly(new Admitted(inTime, -1, 0));
        assertThat(result.deferred())
                .containsEntry(large, "room is kept for it, expected at 14:00")
                .containsEntry(tooLong, "room is kept for unit all of job job-1, expected at 14:00")
                .containsKey(late);
    }

    @Test
    void aUnitPassesIfThePromisedOneDoesNotNeedItsRoom() throws InvalidConfigurationException {
        pool(12, 6);
        runs(6, 1, 3);
        waits(10, 25, 1);
        int one = waits(1, 0, 100);
        int other = waits(2, 0, 100);
        int third = waits(1, 0, 100);

        RecordedAdmission result = admit();

        assertThat(result.admitted()).containsExactly(new Admitted(one, -1, 0), new Admitted(third, -1, 0));
        assertThat(result.deferred()).containsKey(other);
    }

    @Test
    void theRoomIsExpectedWhenEnoughOfTheUnitsThatRunHaveEnded() throws InvalidConfigurationException {
        pool(10, 0);
        runs(3, 0, 30);
        runs(4, 0, 1);
        runs(3, 0, 5);
        int large = waits(7, 30, 1);

        assertThat(admit().deferred()).containsEntry(large, "room is kept for it, expected at 17:00");
    }

    @Test
    void atNightTheRoomIsExpectedOnTheNextDay() throws InvalidConfigurationException {
        pool(10, 0);
        runs(10, 0, 13);
        int large = waits(7, 30, 1);

        assertThat(admit().deferred()).containsEntry(large, "room is kept for it, expected at 1970-01-02 01:00");
    }

    @Test
    void aUnitWithoutAKnownRunTimeDoesNotPass() throws InvalidConfigurationException {
        pool(10, 4);
        runs(6, 1, 3);
        waits(10, 25, 1);
        int unknown = waits(1, 0, 0);

        assertThat(admitted()).isEmpty();
        assertThat(with("unknown.runtime", "1 h").admitted()).containsExactly(unknown);
    }

    @Test
    void aLearnedRunTimeHasAMargin() throws InvalidConfigurationException {
        pool(10, 4);
        runs(6, 1, 3);
        waits(10, 25, 1);
        int learned = waits(1, 0, 0);
        demands.learnedRuntime(learned, 3 * HOUR / 2, 4);

        assertThat(admitted()).isEmpty();
        assertThat(with("learned.margin", "1.3").admitted()).containsExactly(learned);
    }

    @Test
    void aUnitThatRunsLongerThanExpectedMovesThePromise() throws InvalidConfigurationException {
        pool(10, 4);
        runs(6, 4, 3);
        int large = waits(10, 25, 1);
        int tooLong = waits(1, 0, 0.5);
        int inTime = waits(1, 0, 0.1);
        with("overrun", "10 min");

        RecordedAdmission result = admit();

        assertThat(result.admitted()).containsExactly(new Admitted(inTime, -1, 0));
        assertThat(result.deferred())
                .containsKey(tooLong)
                .containsEntry(
                        large,
                        "room is kept for it, expected when jobs end whose run time is not known, or that run longer"
                                + " than expected");
    }

    @Test
    void roomOfAUnitWithoutAKnownRunTimeIsPromisedToo() throws InvalidConfigurationException {
        pool(10, 4);
        runs(6, 4, 0);
        waits(10, 25, 1);
        waits(1, 0, 0.5);

        assertThat(admitted()).isEmpty();
    }

    @Test
    void aUnitThatThePoolCannotHoldHoldsNobody() throws InvalidConfigurationException {
        pool(10, 4);
        runs(6, 1, 3);
        int large = waits(11, 50, 1);
        int small = waits(1, 0, 100);

        assertThat(admitted()).containsExactly(large, small);

        demands.startable(SLOT);
        assertThat(admitted()).as("a worker could be started").isEmpty();
    }

    @Test
    void workersThatCanBeStartedCountAsFree() throws InvalidConfigurationException {
        pool(10, 4);
        demands.startable(SLOT.times(6));
        runs(6, 1, 3);
        int large = waits(9, 50, 1);
        int small = waits(1, 0, 100);

        assertThat(admitted()).containsExactly(large, small);
    }

    @Test
    void asksToBeCalledWhenAPromiseBegins() throws InvalidConfigurationException {
        pool(10, 4);
        runs(6, 1, 3);
        waits(10, 20, 1);
        waits(10, 23, 1);

        assertThat(admit().reviewMillis()).hasValue(HOUR);
    }

    @Test
    void asksToBeCalledWhenTheRoomIsExpected() throws InvalidConfigurationException {
        pool(10, 4);
        runs(6, 1, 3);
        waits(10, 25, 1);

        assertThat(admit().reviewMillis()).hasValue(2 * HOUR);
    }

    @Test
    void withOneReservationTheSecondUnitMayBeDelayedAndWithAllItMayNot() throws InvalidConfigurationException {
        pool(10, 2);
        runs(8, 1, 3);
        waits(9, 27, 1);
        int second = waits(10, 26, 4);
        int third = waits(1, 0, 20);

        assertThat(admitted()).as("one slot is left beside the first").containsExactly(third);

        RecordedAdmission all = with("reservations", "all").admit();
        assertThat(all.admitted()).isEmpty();
        assertThat(all.deferred())
                .containsEntry(second, "room is kept for it, expected at 15:00")
                .containsKey(third);
    }

    @Test
    void conservativeReservationsFollowEachOther() throws InvalidConfigurationException {
        pool(10, 0);
        runs(10, 0, 1);
        int first = waits(8, 40, 1);
        int second = waits(8, 39, 2);
        int third = waits(8, 38, 1);
        int beside = waits(2, 37, 3);
        with("reservations", "all");

        assertThat(admit().deferred())
                .containsEntry(first, "room is kept for it, expected at 13:00")
                .containsEntry(second, "room is kept for it, expected at 14:00")
                .containsEntry(third, "room is kept for it, expected at 16:00")
                .containsEntry(beside, "room is kept for it, expected at 13:00");

        with("depth", "2");
        assertThat(admit().deferred())
                .containsEntry(second, "room is kept for it, expected at 14:00")
                .containsEntry(third, "its minimum does not fit into what is free");
    }

    @Test
    void unitsThatPassDoSoByRunTimeIfAskedFor() throws InvalidConfigurationException {
        pool(10, 4);
        runs(6, 1, 3);
        int large = waits(10, 2, 1);
        int unknown = waits(1, 1, 0);
        int hour = waits(4, 0.5, 1);
        int minutes = waits(1, 0, 0.1);

        assertThat(admitted()).containsExactly(large, unknown, hour, minutes);
        with("order", "shortest-first");
        assertThat(admitted()).containsExactly(minutes, large, hour, unknown);

        demands.waitingSince(large, NOW - 25 * HOUR);
        assertThat(admitted()).containsExactly(minutes);
        assertThat(admit().deferred()).containsKeys(large, hour, unknown);
    }

    @Test
    void whatFitsInTheOrderOfSubmissionIsNotPassed() throws InvalidConfigurationException {
        pool(10, 4);
        int first = waits(3, 1, 10);
        int second = waits(1, 1, 20);
        int third = waits(1, 0, 5);
        int fourth = waits(1, 0, 1);
        with("order", "shortest-first");

        assertThat(admitted()).containsExactly(first, second, fourth, third);
    }

    @Test
    void aUnitThatHasSomeOfItsMinimumComesFirst() throws InvalidConfigurationException {
        pool(10, 2);
        runs(5, 1, 3);
        waits(10, 30, 1);
        int restarts = unit(4, 4, 3, 50);
        demands.waitingSince(restarts, NOW);
        int small = waits(1, 0, 0.1);

        assertThat(admitted()).containsExactly(restarts, small);
    }

    @Test
    void slotsAboveTheMinimumTakeNothingOfWhatIsPromised() throws InvalidConfigurationException {
        pool(12, 6);
        int runs = unit(4, 9, 6, 3);
        demands.runningSince(runs, NOW - HOUR);
        waits(10, 25, 1);
        int other = unit(1, 4, 0, 100);
        demands.waitingSince(other, NOW);

        // What runs ends when the room is expected, so it may use all until then but what is left beside the promise.
        assertThat(admit().admitted())
                .containsExactly(new Admitted(runs, 0, 3), new Admitted(other, -1, 0), new Admitted(other, 0, 1));
    }

    @Test
    void aPromisedUnitOfUnknownSlotsIsTriedThoughItSeemsTooLarge() throws InvalidConfigurationException {
        pool(10, 4);
        runs(6, 1, 3);
        demands.defaultSlot(SLOT.times(2));
        int large = demands.limit();
        demands.unit("job-" + large, large).group(large, ResourceProfile.UNKNOWN, 4, 4, 0);
        demands.waitingSince(large, NOW - 25 * HOUR);
        int tooLong = waits(4, 0, 10);
        int beside = waits(4, 0, 1);

        RecordedAdmission result = admit();

        assertThat(result.admitted()).containsExactly(new Admitted(large, -1, 0), new Admitted(beside, -1, 0));
        assertThat(result.deferred()).containsKey(tooLong);
    }

    @Test
    void aSessionFollowsUnitsThatStartAndEnd() throws InvalidConfigurationException {
        pool(10, 4);
        int runs = runs(6, 1, 3);
        int large = waits(10, 25, 1);
        int small = waits(4, 0, 5);
        AdmissionSession session = factory()
                .create(FixedConfiguration.of(factory().describe(), given), FixedContext.of("pool default"))
                .open(demands);
        RecordedAdmission before = new RecordedAdmission();
        session.admit(before);
        assertThat(before.admitted()).isEmpty();

        demands.remove(runs);
        pool(10, 10);
        session.delta(new int[] {runs});
        RecordedAdmission after = new RecordedAdmission();
        session.admit(after);
        assertThat(after.admitted()).containsExactly(new Admitted(large, -1, 0));
        assertThat(after.deferred()).containsEntry(small, "units that have waited longer take what is free");
    }
}

package io.berth.distribution.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.ResourceProfile;
import io.berth.testkit.RecordedAdmission;
import io.berth.testkit.RecordedAdmission.Admitted;
import org.junit.jupiter.api.Test;

/** Promises of units that have waited for days, and of units that find no place in what is free. */
class StrictPromiseTest extends BackfillScene {

    @Test
    void unitsThatEndInTimePassAUnitThatHasWaitedForDays() throws InvalidConfigurationException {
        pool(12, 6);
        runs(6, 2, 3);
        waits(10, 73, 1);
        int tooLong = waits(3, 0, 2);
        int inTime = waits(3, 0, 1);
        int beside = waits(2, 0, 100);

        RecordedAdmission result = admit();

        assertThat(result.admitted()).containsExactly(new Admitted(inTime, -1, 0), new Admitted(beside, -1, 0));
        assertThat(result.deferred())
                .containsEntry(
                        tooLong,
                        "nothing that takes what it needs, and does not end in time, starts before unit all of job job-1,"
                                + " which has waited for 73 h");
    }

    @Test
    void inALongBacklogUnitsThatEndInTimeStillPass() throws InvalidConfigurationException {
        pool(12, 6);
        runs(6, 2, 3);
        for (int waiting = 0; waiting < 20; waiting++) {
            waits(10, 100 - waiting, 1);
        }
        int first = waits(4, 75, 0.5);
        int second = waits(2, 74, 0.5);

        assertThat(admitted()).containsExactly(first, second);
    }

    @Test
    void whenItWaitsForUnitsThatRunTooLongNobodyPassesByItsRunTime() throws InvalidConfigurationException {
        pool(12, 6);
        runs(6, 4, 3);
        waits(10, 73, 1);
        int shortest = waits(3, 0, 0.01);
        int beside = waits(2, 0, 0);

        RecordedAdmission result = admit();

        assertThat(result.admitted()).containsExactly(new Admitted(beside, -1, 0));
        assertThat(result.deferred()).containsKey(shortest);
    }

    @Test
    void unitsThatMayLastTakeAtMostWhatItDoesNotNeed() throws InvalidConfigurationException {
        pool(12, 5);
        runs(5, 80, 81);
        runs(2, 0.5, 0);
        waits(10, 74, 1);
        int unknown = waits(1, 0, 0);
        int inTime = waits(5, 0, 1);

        assertThat(admitted()).containsExactly(inTime);
        assertThat(admit().deferred()).containsKey(unknown);
    }

    @Test
    void whenItFindsNoPlaceNobodyStartsThatWouldBeTheLastToEnd() throws InvalidConfigurationException {
        pool(12, 6);
        int runs = runs(6, 1, 3);
        int large = waits(4, 73, 1);
        int last = waits(1, 0, 2.1);
        int before = waits(5, 0, 2);

        RecordedAdmission result = admit();
        assertThat(result.admitted()).as("if it fits").containsExactly(new Admitted(large, -1, 0));
        assertThat(result.reviewMillis()).as("others get what is left").hasValue(1_000);

        demands.withoutRoom(large);
        assertThat(admitted()).containsExactly(before);
        assertThat(admit().deferred()).containsKey(last);

        demands.remove(runs);
        pool(12, 12);
        assertThat(admitted()).as("an empty pool cannot hold it").containsExactly(last, before);
    }

    @Test
    void whenItFindsNoPlaceAndNoEndIsKnownNobodyStarts() throws InvalidConfigurationException {
        pool(12, 6);
        runs(6, 1, 0);
        int large = waits(4, 73, 1);
        waits(1, 0, 0.1);
        demands.withoutRoom(large);

        assertThat(admitted()).isEmpty();
    }

    @Test
    void thoseThatStartedWhileItFoundNoPlaceDoNotMakeRoomForOnesThatLast() throws InvalidConfigurationException {
        pool(12, 2);
        runs(4, 100, 104);
        int passed = runs(6, 0.5, 1);
        waits(7, 73, 1);
        int lasts = waits(1, 0, 4.1);
        int ends = waits(1, 0, 4);

        assertThat(admitted()).containsExactly(ends);
        assertThat(admit().deferred()).containsKey(lasts);

        demands.remove(passed);
        pool(12, 8);
        assertThat(admit().admitted()).contains(new Admitted(2, -1, 0));
    }

    @Test
    void roomThatIsFreeButNotWhereItIsNeededIsKeptFromTheNextEndOn() throws InvalidConfigurationException {
        pool(10, 6);
        runs(2, 1, 3);
        runs(2, 1, 50);
        int large = waits(4, 25, 1);
        demands.withoutRoom(large);
        int tooLong = waits(5, 0, 2.1);
        int small = waits(2, 0, 100);
        int inTime = waits(4, 0, 2);

        RecordedAdmission result = admit();

        assertThat(result.admitted()).containsExactly(new Admitted(small, -1, 0), new Admitted(inTime, -1, 0));
        assertThat(result.deferred())
                .containsKey(tooLong)
                .containsEntry(large, "room is kept for it, which is free, but not where its slots fit");
    }

    @Test
    void othersUseWhatTheStrictlyPromisedUnitDoesNotUse() throws InvalidConfigurationException {
        demands.pool(ResourceProfile.of(10_000, 100), ResourceProfile.of(5_000, 100));
        int runs = unit(0, 0, 0, 0);
        demands.group(runs, ResourceProfile.of(1_000, 0), 5, 5, 5);
        int large = demands.limit();
        demands.unit("job-" + large, large).group(large, ResourceProfile.of(1_000, 0), 3, 3, 0);
        demands.waitingSince(large, NOW - 73 * HOUR);
        int other = demands.limit();
        demands.unit("job-" + other, other).group(other, ResourceProfile.of(0, 50), 1, 1, 0);
        demands.waitingSince(other, NOW);

        assertThat(admitted()).containsExactly(large, other);
    }

    @Test
    void aPromiseEndsWhenItWasStrictForLong() throws InvalidConfigurationException {
        pool(10, 4);
        runs(6, 1, 3);
        int large = waits(10, (1 + 2 + 4) * 24 + 1, 1);
        int small = waits(1, 0, 100);

        assertThat(admitted()).containsExactly(large, small);
    }

    @Test
    void aPromiseIsGivenAgainWhenTheWaitHasDoubled() throws InvalidConfigurationException {
        pool(10, 4);
        runs(6, 1, 3);
        int large = waits(10, 14 * 24 - 1, 1);
        int small = waits(1, 0, 100);

        assertThat(admitted()).containsExactly(large, small);
        assertThat(admit().reviewMillis()).hasValue(HOUR);

        demands.waitingSince(large, NOW - 14 * 24 * HOUR);
        assertThat(admitted()).isEmpty();
    }
}

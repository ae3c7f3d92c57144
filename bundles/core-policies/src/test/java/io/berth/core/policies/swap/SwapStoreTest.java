package io.berth.core.policies.swap;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.api.operations.PolicyOperations.SwapDetails;
import io.berth.core.api.operations.SwapVerdict;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.PlacementPlanner.Commit;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import io.berth.core.policies.MemoryStore;
import io.berth.core.policies.meters.Meters;
import io.berth.spi.PolicyKind;
import io.berth.spi.ha.MetadataStore;
import io.berth.spi.ha.Versioned;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SwapStoreTest {

    private final MemoryStore disk = new MemoryStore();

    private static SwapLog log() {
        return new SwapLog(new SystemClock(), new Meters());
    }

    private static SwapLog log(long startedMillis) {
        return new SwapLog(
                new Clock() {
                    @Override
                    public long nanos() {
                        return 0;
                    }

                    @Override
                    public long wallMillis() {
                        return startedMillis;
                    }
                },
                new Meters());
    }

    private SwapStore attached(SwapLog log) {
        SwapStore store = new SwapStore(log);
        store.attach(disk);
        return store;
    }

    private static Swap swap(SwapLog log, String owner) {
        log.happened(PolicyKind.MATCHING, PolicyEvent.USE, "anna", 3);
        return log.swapped(
                PolicyKind.MATCHING,
                owner,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false,
                new LedgerState(7, 2, 3, 1, 0),
                3);
    }

    private static List<SwapDetails> all(SwapLog log) {
        return log.find(Optional.empty(), SwapLog.MAX_COUNT);
    }

    private void damage(String key) throws IOException {
        Versioned record = disk.read(key).orElseThrow();
        byte[] bytes = record.value();
        bytes[bytes.length / 2] ^= 1;
        disk.write(key, record.version(), bytes);
    }

    @Test
    void restoresEachRecordAfterARestart() {
        SwapLog log = log();
        SwapStore store = attached(log);
        for (int count = 0; count < 250; count++) {
            swap(log, "pool " + count);
        }
        Swap last = swap(log, "pool last");
        log.update(last, swap -> swap.decided(new PolicyIdentity(PolicyKind.MATCHING, "spread", "b", "1", 4, 2), 99));
        LedgerState before = new LedgerState(7, 2, 3, 1, 0);
        log.update(
                last,
                swap -> swap.committed(Optional.of(new Commit(List.of(), 0, 0, "", before, before, 500)), 500, 100));
        store.flush();

        SwapLog next = log();
        attached(next);

        assertThat(all(next)).hasSize(251).isEqualTo(all(log));
        assertThat(all(next).get(0).ledger().verdict()).isEqualTo(SwapVerdict.Plain.NOTHING_CHANGED);
        assertThat(all(next).get(0).addedDelayMicros()).isEqualTo(400);
    }

    @Test
    void continuesTheNumbersOfEarlierProcesses() {
        SwapLog log = log();
        SwapStore store = attached(log);
        swap(log, "first life");
        store.flush();

        SwapLog next = log();
        Swap early = swap(next, "before the store came");
        SwapStore nextStore = attached(next);
        swap(next, "after it came");
        next.update(early, swap -> swap.opened(new LedgerState(1, 1, 1, 0, 0)));
        nextStore.flush();
        SwapLog third = log();
        attached(third);

        assertThat(all(third)).extracting(SwapDetails::number).containsExactly(3L, 2L, 1L);
        assertThat(all(third))
                .extracting(SwapDetails::owner)
                .containsExactly("after it came", "before the store came", "first life");
        assertThat(all(third).get(1).ledger().opened().slots()).isEqualTo(1);
    }

    @Test
    void f14_aLeaderThatLeadsAgainReadsWhatAnotherOneWroteMeanwhile() {
        SwapLog first = log(1_000);
        SwapStore firstStore = attached(first);
        Swap written = swap(first, "first leads");
        firstStore.detach(disk);
        SwapLog second = log(2_000);
        SwapStore secondStore = attached(second);
        swap(second, "second leads");
        swap(second, "second still leads");
        secondStore.detach(disk);
        swap(first, "written by nobody");
        first.update(written, swap -> swap.opened(new LedgerState(1, 1, 1, 0, 0)));

        firstStore.attach(disk);
        swap(first, "first leads again");
        firstStore.flush();

        SwapLog third = log(3_000);
        attached(third);
        assertThat(all(first)).isEqualTo(all(third));
        assertThat(all(third)).extracting(SwapDetails::number).containsExactly(5L, 4L, 3L, 2L, 1L);
        assertThat(all(third))
                .extracting(SwapDetails::owner)
                .containsExactly(
                        "first leads again", "written by nobody", "second still leads", "second leads", "first leads");
        assertThat(all(third).get(4).ledger().opened().slots()).isEqualTo(1);
    }

    @Test
    void losesOnlyTheDamagedSegment() throws IOException {
        SwapLog log = log();
        SwapStore store = attached(log);
        for (int count = 1; count <= 300; count++) {
            swap(log, "pool " + count);
        }
        store.flush();
        damage("policies/swaps/matching/1");

        SwapLog next = log();
        SwapStore nextStore = attached(next);
        assertThat(all(next)).hasSize(200);
        assertThat(all(next))
                .extracting(SwapDetails::owner)
                .contains("pool 100", "pool 201")
                .doesNotContain("pool 101", "pool 200");
        swap(next, "after it");
        nextStore.flush();
        SwapLog third = log();
        attached(third);
        assertThat(all(third)).hasSize(201);
        assertThat(all(third)).extracting(SwapDetails::number).doesNotHaveDuplicates();
    }

    @Test
    void usesNoNumberTwiceWhenTheNewestRecordsAreDamaged() throws IOException {
        SwapLog log = log();
        SwapStore store = attached(log);
        for (int count = 1; count <= 250; count++) {
            swap(log, "pool " + count);
        }
        store.flush();
        damage("policies/swaps/matching/2");
        SwapLog next = log();
        attached(next);
        assertThat(swap(next, "after it").get().number()).isGreaterThan(250);
    }

    @Test
    void writesABoundedNumberOfSegmentsAtOnce() {
        SwapLog log = log();
        SwapStore store = attached(log);
        for (int count = 0; count < 10 * SwapSegments.SEGMENT; count++) {
            swap(log, "pool");
        }
        assertThat(disk.writes).isZero();
        store.flush();
        assertThat(disk.writes).isEqualTo(SwapStore.MAX_WRITES);
        store.flushAll();
        assertThat(disk.writes).isEqualTo(10);
        store.flush();
        assertThat(disk.writes).isEqualTo(10);
    }

    @Test
    void deletesTheOldestRecordsFromTheStoreToo() throws IOException {
        SwapLog log = log();
        SwapStore store = attached(log);
        for (int count = 0; count < SwapLog.MAX_COUNT; count++) {
            swap(log, "pool");
        }
        store.flushAll();
        assertThat(disk.keys("policies/swaps/")).hasSize(SwapLog.MAX_COUNT / SwapSegments.SEGMENT);
        for (int count = 0; count < SwapSegments.SEGMENT; count++) {
            swap(log, "pool");
        }
        store.flushAll();
        assertThat(disk.keys("policies/swaps/"))
                .hasSize(SwapLog.MAX_COUNT / SwapSegments.SEGMENT)
                .doesNotContain("policies/swaps/matching/0");
    }

    @Test
    void writesLaterWhatCouldNotBeWritten() {
        SwapLog log = log();
        SwapStore store = attached(log);
        swap(log, "pool");
        disk.full = true;
        store.flush();
        disk.full = false;
        store.flush();
        SwapLog next = log();
        attached(next);
        assertThat(all(next)).hasSize(1);
    }

    @Test
    void writesEverythingWhenTheStoreIsDetached() throws IOException {
        SwapLog log = log();
        SwapStore store = attached(log);
        for (int count = 0; count < 10 * SwapSegments.SEGMENT; count++) {
            swap(log, "pool");
        }
        store.detach(disk);
        assertThat(disk.keys("policies/swaps/")).hasSize(10);
        swap(log, "while there is none");
        store.flush();
        assertThat(disk.keys("policies/swaps/")).hasSize(10);
        MemoryStore other = new MemoryStore();
        store.attach(other);
        store.flushAll();
        assertThat(((MetadataStore) other).keys("policies/swaps/")).hasSize(11);
    }
}

package io.berth.core.policies.pools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.policies.MemoryStore;
import io.berth.core.policies.pools.PastUse.Use;
import io.berth.core.policies.pools.PastUseStore.Account;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PastUseStoreTest {

    private static PastUse use(long wallMillis) {
        return new PastUse(
                wallMillis,
                List.of("cpu", "heap"),
                new TreeMap<>(Map.of(
                        "root", new Use(new double[] {1.5, 2}, new long[] {7, 8}),
                        "etl", new Use(new double[] {0, 1e12}, new long[] {0, 1L << 40}))),
                new TreeMap<>(Map.of("ann", new Use(new double[] {3, 4}, new long[] {5, 6}))));
    }

    private static void assertSame(PastUse one, PastUse other) {
        assertThat(one.wallMillis()).isEqualTo(other.wallMillis());
        assertThat(one.dimensions()).isEqualTo(other.dimensions());
        assertThat(one.queues().keySet()).isEqualTo(other.queues().keySet());
        one.queues().forEach((name, use) -> assertSame(use, other.queues().get(name)));
        one.submitters()
                .forEach((name, use) -> assertSame(use, other.submitters().get(name)));
    }

    private static void assertSame(Use one, Use other) {
        assertThat(one.past()).isEqualTo(other.past());
        assertThat(one.now()).isEqualTo(other.now());
    }

    private static PastUse before(MemoryStore metadata) {
        PastUseStore next = new PastUseStore();
        next.attach(metadata);
        return next.open("default").before().orElseThrow();
    }

    @Test
    void theNextLeaderFindsWhatWasWrittenLast() {
        MemoryStore metadata = new MemoryStore();
        PastUseStore before = new PastUseStore();
        before.attach(metadata);
        Account account = before.open("default");
        account.publish(use(1));
        before.flush();
        account.publish(use(2));
        before.open("other").publish(use(3));
        before.detach(metadata);

        PastUseStore after = new PastUseStore();
        after.attach(metadata);
        Account later = after.open("default");
        assertSame(later.before().orElseThrow(), use(2));
        assertThat(later.takeForeign()).as("the planner knows it").isEmpty();
        assertSame(after.open("other").before().orElseThrow(), use(3));
        later.publish(use(4));
        after.flush();
        assertSame(before(metadata), use(4));
    }

    @Test
    void withoutAStoreNothingIsLostThatCanBeKept() {
        MemoryStore metadata = new MemoryStore();
        PastUseStore store = new PastUseStore();
        store.open("default").publish(use(1));
        store.flush();
        store.attach(metadata);
        store.flush();
        assertSame(before(metadata), use(1));
    }

    @Test
    void aRunningPlannerIsNotGivenItsOwnRecord() {
        MemoryStore metadata = new MemoryStore();
        PastUseStore store = new PastUseStore();
        store.attach(metadata);
        Account account = store.open("default");
        assertThat(account.before()).isEmpty();
        account.publish(use(1));
        store.detach(metadata);
        store.attach(metadata);
        assertThat(account.takeForeign()).isEmpty();
        metadata.full = true;
        account.publish(use(2));
        store.flush();
        store.attach(metadata);
        assertThat(account.takeForeign()).isEmpty();
    }

    @Test
    void theNextPlannerOfThisProcessContinuesWithTheLatest() {
        PastUseStore store = new PastUseStore();
        Account first = store.open("default");
        first.publish(use(1));
        first.publish(use(2));
        assertSame(store.open("default").before().orElseThrow(), use(2));
        first.publish(use(3));
        assertSame(store.open("default").before().orElseThrow(), use(2));
    }

    @Test
    void aRecordThatARunningPlannerDoesNotKnowIsNotReplaced() {
        MemoryStore metadata = new MemoryStore();
        PastUseStore other = new PastUseStore();
        other.attach(metadata);
        other.open("default").publish(use(5));
        other.flush();
        PastUseStore store = new PastUseStore();
        Account account = store.open("default");
        assertThat(account.before()).as("no store yet").isEmpty();
        account.publish(use(6));
        store.attach(metadata);
        account.publish(use(7));
        store.flush();
        assertSame(before(metadata), use(5));
        assertSame(account.takeForeign().orElseThrow(), use(5));
        assertThat(account.takeForeign()).isEmpty();
        account.publish(use(8));
        store.flush();
        assertSame(before(metadata), use(8));
    }

    @Test
    void aFailedWriteIsTriedAgain() {
        MemoryStore metadata = new MemoryStore();
        PastUseStore store = new PastUseStore();
        store.attach(metadata);
        metadata.full = true;
        store.open("default").publish(use(1));
        store.flush();
        metadata.full = false;
        store.flush();
        assertSame(before(metadata), use(1));
    }

    @Test
    void whatCannotBeReadNowIsReadLaterAndNotReplaced() {
        MemoryStore metadata = new MemoryStore();
        PastUseStore other = new PastUseStore();
        other.attach(metadata);
        other.open("default").publish(use(1));
        other.flush();
        metadata.unreadable = true;
        PastUseStore store = new PastUseStore();
        store.attach(metadata);
        Account account = store.open("default");
        account.publish(use(2));
        store.flush();
        metadata.unreadable = false;
        store.flush();
        assertSame(account.takeForeign().orElseThrow(), use(1));
    }

    @Test
    void aRecordThatIsTooLargeKeepsTheSubmittersWhoUsedMost() throws IOException {
        Map<String, Use> submitters = new TreeMap<>();
        for (int number = 0; number < 1_000; number++) {
            submitters.put("s" + number, new Use(new double[] {number, 0}, new long[] {0, 0}));
        }
        PastUse large = new PastUse(1, List.of("cpu", "heap"), new TreeMap<>(), new TreeMap<>(submitters));
        PastUse read = PastUse.read(large.bytes(10_000));
        assertThat(large.bytes(10_000)).hasSizeLessThanOrEqualTo(10_000);
        assertThat(read.submitters()).hasSizeGreaterThan(50).containsKey("s999").doesNotContainKey("s0");
        PastUse queues = new PastUse(1, List.of("cpu", "heap"), new TreeMap<>(submitters), new TreeMap<>());
        assertThatThrownBy(() -> queues.bytes(10_000))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("at most 10000 are allowed");
    }

    @Test
    void aDamagedRecordIsForgottenAndReplaced() throws IOException {
        MemoryStore metadata = new MemoryStore();
        metadata.write("use/default", 0, new byte[] {7, 1});
        PastUseStore store = new PastUseStore();
        store.attach(metadata);
        Account account = store.open("default");
        assertThat(account.before()).isEmpty();
        account.publish(use(1));
        store.flush();
        assertSame(before(metadata), use(1));
    }

    @Test
    void aTornRecordIsNotRead() throws IOException {
        byte[] whole = use(1).bytes(1 << 20);
        for (int length = 0; length < whole.length; length++) {
            byte[] torn = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> PastUse.read(torn)).isInstanceOf(IOException.class);
        }
        assertThatThrownBy(() -> PastUse.read(Arrays.copyOf(whole, whole.length + 1)))
                .isInstanceOf(IOException.class);
    }
}

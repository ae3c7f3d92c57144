package io.berth.core.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.berth.core.api.operations.PolicyOperations.UseResult;
import io.berth.core.api.time.SystemClock;
import io.berth.core.policies.meters.Meters;
import io.berth.core.policies.registry.Choices;
import io.berth.core.policies.swap.SwapLog;
import io.berth.core.policies.swap.SwapStore;
import io.berth.spi.PolicyKind;
import io.berth.spi.ha.MetadataStores;
import io.berth.spi.ha.SupersededException;
import io.berth.spi.ha.Versioned;
import io.berth.spi.ha.WriteResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Several processes share a store. A leader has the records of policies open, a standby does not. */
class LeaderRecordsTest {

    private final Disk disk = new Disk();

    /** A process with a policy host. */
    private final class Process {
        final Choices choices = new Choices(new SystemClock(), Map.of(), (kind, choice) -> {}, (kind, choice) -> {});
        final LeaderRecords records =
                new LeaderRecords(choices, new SwapStore(new SwapLog(new SystemClock(), new Meters())), Runnable::run);

        Process() {
            records.storeAdded(disk);
        }

        String choice() {
            return choices.name(PolicyKind.MATCHING);
        }

        UseResult use(String name) {
            return choices.use(PolicyKind.MATCHING, name, OptionalLong.empty(), "a test");
        }
    }

    @Test
    void theNextLeaderReadsTheChoiceAndThePreviousLeaderIsSuperseded() throws Exception {
        Process first = new Process();
        Process second = new Process();
        first.records.startLeading("resource-manager", 7);
        assertThat(disk.opened).containsExactly(7L);
        first.use("spread");
        assertThat(second.choice()).isEmpty();

        second.records.startLeading("resource-manager", 8);
        assertThat(second.choice()).isEqualTo("spread");
        second.use("first-fit");
        assertThat(catchThrowable(() -> first.use("other")))
                .hasMessageContaining("cannot be kept")
                .hasMessageContaining("superseded");
        assertThat(first.choice()).isEqualTo("spread");

        Process third = new Process();
        third.records.startLeading("resource-manager", 9);
        assertThat(third.choice()).isEqualTo("first-fit");
    }

    @Test
    void aRegainedRoleOpensTheRecordsAgainWhileAnotherRoleIsHeld() throws Exception {
        Process first = new Process();
        first.records.startLeading("dispatcher", 3);
        AutoCloseable lead = first.records.startLeading("resource-manager", 5);
        lead.close();
        Process second = new Process();
        AutoCloseable meanwhile = second.records.startLeading("resource-manager", 6);
        second.use("spread");
        meanwhile.close();

        first.records.startLeading("resource-manager", 7);

        assertThat(first.choice()).isEqualTo("spread");
        assertThat(first.use("first-fit")).isInstanceOf(UseResult.Changed.class);
    }

    @Test
    void eachGreaterEpochOpensTheRecordsAndTheLastRoleClosesThem() throws Exception {
        Process process = new Process();
        AutoCloseable dispatcher = process.records.startLeading("dispatcher", 3);
        AutoCloseable masters = process.records.startLeading("job-masters", 9);
        assertThat(disk.opened).containsExactly(3L, 9L);
        dispatcher.close();
        assertThat(process.use("spread")).isInstanceOf(UseResult.Changed.class);
        assertThat(disk.open).isTrue();
        masters.close();
        assertThat(disk.open).isFalse();
        assertThat(process.use("first-fit")).isInstanceOf(UseResult.Changed.class);
    }

    @Test
    void recordsOfAGreaterEpochAreOpenedOnceAnotherRoleHasAnEvenGreaterEpoch() {
        new Process().records.startLeading("resource-manager", 100);
        Process next = new Process();
        next.records.startLeading("dispatcher", 91);
        assertThat(disk.opened).containsExactly(100L);
        next.records.startLeading("resource-manager", 101);
        assertThat(disk.opened).containsExactly(100L, 101L);
    }

    @Test
    void aStoreThatIsAddedLateIsOpenedAndARemovedStoreIsClosed() {
        Process process = new Process();
        process.records.storeRemoved(disk);
        process.records.startLeading("resource-manager", 5);
        assertThat(disk.opened).isEmpty();
        process.records.storeAdded(disk);
        assertThat(disk.opened).containsExactly(5L);
        process.records.storeRemoved(disk);
        assertThat(disk.open).isFalse();
    }

    /** The store that all processes share. */
    private static final class Disk implements MetadataStores {

        private final MemoryStore records = new MemoryStore();
        private final List<Long> opened = new ArrayList<>();
        private long newest;
        private boolean open;

        @Override
        public Term open(String part, long epoch) throws IOException {
            assertThat(part).isEqualTo("policies");
            if (epoch < newest) {
                throw new SupersededException("superseded by " + newest);
            }
            newest = epoch;
            opened.add(epoch);
            open = true;
            return new Part(epoch);
        }

        private final class Part implements Term {

            private final long epoch;

            private Part(long epoch) {
                this.epoch = epoch;
            }

            private MemoryStore own() throws IOException {
                if (epoch != newest) {
                    throw new SupersededException("superseded by " + newest);
                }
                return records;
            }

            @Override
            public Optional<Versioned> read(String key) throws IOException {
                return own().read(key);
            }

            @Override
            public WriteResult write(String key, long expectedVersion, byte[] value) throws IOException {
                return own().write(key, expectedVersion, value);
            }

            @Override
            public WriteResult delete(String key, long expectedVersion) throws IOException {
                return own().delete(key, expectedVersion);
            }

            @Override
            public List<String> keys(String prefix) throws IOException {
                return own().keys(prefix);
            }

            @Override
            public int maxValueBytes() {
                return records.maxValueBytes();
            }

            @Override
            public void close() {
                open = false;
            }
        }
    }
}

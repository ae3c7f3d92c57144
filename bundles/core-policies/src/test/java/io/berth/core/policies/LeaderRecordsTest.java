package io.berth.core.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.berth.core.api.operations.PolicyOperations.UseResult;
import io.berth.core.api.time.SystemClock;
import io.berth.core.policies.meters.Meters;
import io.berth.core.policies.pools.PastUse;
import io.berth.core.policies.pools.PastUseStore;
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
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Several processes share a store. A leader has the records of policies open, a standby does not. */
class LeaderRecordsTest {

    private final Disk disk = new Disk();

    /** A process with a policy host. */
    private final class Process {
        final Choices choices = new Choices(new SystemClock(), Map.of(), (kind, choice) -> {}, (kind, choice) -> {});
        final PastUseStore pastUse = new PastUseStore();
        final LeaderRecords records = new LeaderRecords(
                choices, new SwapStore(new SwapLog(new SystemClock(), new Meters())), pastUse, Runnable::run);

        Process() {
            records.storeAdded(disk);
        }

        /** A planner begins, and finds what was recorded at this moment. */
        PastUseStore.Account plans(Long... moment) {
            PastUseStore.Account account = pastUse.open("default");
            assertThat(account.before().map(PastUse::wallMillis).stream()).containsExactly(moment);
            return account;
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
        assertThat(disk.part("policies").opened).containsExactly(7L);
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
        assertThat(disk.part("policies").opened).containsExactly(3L, 9L);
        dispatcher.close();
        assertThat(process.use("spread")).isInstanceOf(UseResult.Changed.class);
        assertThat(disk.part("policies").open).isTrue();
        masters.close();
        assertThat(disk.part("policies").open).isFalse();
        assertThat(process.use("first-fit")).isInstanceOf(UseResult.Changed.class);
    }

    @Test
    void recordsOfAGreaterEpochAreOpenedOnceAnotherRoleHasAnEvenGreaterEpoch() {
        new Process().records.startLeading("resource-manager", 100);
        Process next = new Process();
        next.records.startLeading("dispatcher", 91);
        assertThat(disk.part("policies").opened).containsExactly(100L);
        next.records.startLeading("resource-manager", 101);
        assertThat(disk.part("policies").opened).containsExactly(100L, 101L);
    }

    @Test
    void aStoreThatIsAddedLateIsOpenedAndARemovedStoreIsClosed() {
        Process process = new Process();
        process.records.storeRemoved(disk);
        process.records.startLeading("resource-manager", 5);
        assertThat(disk.part("policies").opened).isEmpty();
        process.records.storeAdded(disk);
        assertThat(disk.part("policies").opened).containsExactly(5L);
        process.records.storeRemoved(disk);
        assertThat(disk.part("policies").open).isFalse();
    }

    @Test
    void whatQueuesUsedBelongsToTheLeadersOfTheResourceManager() throws Exception {
        Process first = new Process();
        Process second = new Process();
        AutoCloseable lead = first.records.startLeading("resource-manager", 5);
        second.records.startLeading("dispatcher", 9);
        first.plans().publish(used(1));
        lead.close();
        second.records.startLeading("resource-manager", 6);
        second.plans(1L);
    }

    @Test
    void whoRegainsTheResourceManagerContinuesWithWhatTheOtherRecorded() throws Exception {
        Process first = new Process();
        Process second = new Process();
        AutoCloseable lead = first.records.startLeading("resource-manager", 5);
        first.records.startLeading("dispatcher", 5);
        first.plans().publish(used(1));
        lead.close();
        AutoCloseable meanwhile = second.records.startLeading("resource-manager", 6);
        second.plans(1L).publish(used(2));
        meanwhile.close();
        first.records.startLeading("resource-manager", 7);
        first.plans(2L);
    }

    @Test
    void aStoreThatComesBackDoesNotGiveAPlannerItsOwnRecord() {
        Process process = new Process();
        process.records.startLeading("resource-manager", 5);
        PastUseStore.Account planner = process.plans();
        planner.publish(used(1));
        process.records.storeRemoved(disk);
        process.records.storeAdded(disk);
        process.records.startLeading("dispatcher", 8);
        assertThat(planner.takeForeign()).isEmpty();
        process.plans(1L);
    }

    private static PastUse used(long wallMillis) {
        return new PastUse(wallMillis, List.of("cpu"), new TreeMap<>(), new TreeMap<>());
    }

    /** The store that all processes share. */
    private static final class Disk implements MetadataStores {

        private final SortedMap<String, Part> parts = new TreeMap<>();

        private Part part(String name) {
            return parts.computeIfAbsent(name, first -> new Part());
        }

        @Override
        public Term open(String part, long epoch) throws IOException {
            return part(part).open(epoch);
        }
    }

    private static final class Part {

        private final MemoryStore records = new MemoryStore();
        private final List<Long> opened = new ArrayList<>();
        private long newest;
        private boolean open;

        private MetadataStores.Term open(long epoch) throws IOException {
            if (epoch < newest) {
                throw new SupersededException("superseded by " + newest);
            }
            newest = epoch;
            opened.add(epoch);
            open = true;
            return new PartTerm(epoch);
        }

        private final class PartTerm implements MetadataStores.Term {

            private final long epoch;

            private PartTerm(long epoch) {
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

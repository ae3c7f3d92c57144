package io.berth.worker.store;

import static io.berth.worker.WorkerFixture.JOB;
import static io.berth.worker.WorkerFixture.slot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileAllocationStoreTest {

    @TempDir
    private Path folder;

    private FileAllocationStore store;

    @BeforeEach
    void open() {
        store = opened("w-1");
    }

    private FileAllocationStore opened(String worker) {
        return new FileAllocationStore(folder.resolve("allocations"), new WorkerId(worker));
    }

    private Path file() {
        return folder.resolve("allocations").resolve("slots");
    }

    private static SlotRequest allocation(long number) {
        EndpointRef jobMaster = new EndpointRef(
                new RpcAddress("host.example", 7077),
                EndpointName.jobMaster(JOB),
                new FencingToken(1L << 40, new UUID(number, -3)));
        ResourceProfile profile =
                new ResourceProfile(1_500, 1L << 30, 5, 7, new TreeMap<>(Map.of("gpu", 2L, "net work", 9L)));
        return new SlotRequest(slot(number), JOB, jobMaster, "unit 1 % \u00e9", "", profile, 77);
    }

    @Test
    void whatIsWrittenIsLoadedByTheNextProcess() throws IOException {
        store.write(List.of(allocation(1), allocation(2)));

        assertThat(opened("w-1").load()).containsExactly(allocation(1), allocation(2));
    }

    @Test
    void eachWriteReplacesThePreviousOne() throws IOException {
        store.write(List.of(allocation(1), allocation(2)));
        store.write(List.of(allocation(2)));
        assertThat(store.load()).containsExactly(allocation(2));

        store.write(List.of());

        assertThat(store.load()).isEmpty();
    }

    @Test
    void nothingIsLoadedWhenNothingWasWritten() throws IOException {
        assertThat(store.load()).isEmpty();
    }

    @Test
    void f41_aTruncatedRecordIsIgnoredAndTheOthersAreUsed() throws IOException {
        store.write(List.of(allocation(1), allocation(2), allocation(3)));
        byte[] whole = Files.readAllBytes(file());

        for (int length = 0; length < whole.length; length++) {
            Files.write(file(), java.util.Arrays.copyOf(whole, length));
            List<SlotRequest> loaded = store.load();
            assertThat(loaded)
                    .isEqualTo(
                            List.of(allocation(1), allocation(2), allocation(3)).subList(0, loaded.size()));
            // The last byte is the end of the line, which carries no data.
            assertThat(loaded.size()).isLessThanOrEqualTo(length < whole.length - 1 ? 2 : 3);
        }
    }

    @Test
    void f41_aFlippedBitNeverCreatesAnotherAllocation() throws IOException {
        store.write(List.of(allocation(1), allocation(2)));
        byte[] whole = Files.readAllBytes(file());

        for (int bit = 0; bit < whole.length * 8; bit += 7) {
            byte[] damaged = whole.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(file(), damaged);
            assertThat(List.of(allocation(1), allocation(2))).containsAll(store.load());
        }
    }

    @Test
    void theAllocationsOfAnotherWorkerAreIgnored() throws IOException {
        store.write(List.of(allocation(1)));

        assertThat(opened("w-2").load()).isEmpty();
    }

    @Test
    void anUnfinishedFileOfAnEarlierWriteIsIgnored() throws IOException {
        store.write(List.of(allocation(1)));
        Files.writeString(folder.resolve("allocations").resolve("slots.part"), "half a rec");

        assertThat(store.load()).containsExactly(allocation(1));
        store.write(List.of(allocation(2)));
        assertThat(store.load()).containsExactly(allocation(2));
    }

    @Test
    void aWriteFailsWhenTheFolderCannotBeCreated() throws IOException {
        Files.writeString(folder.resolve("allocations"), "a file in the way");

        assertThatThrownBy(() -> store.write(List.of(allocation(1)))).isInstanceOf(IOException.class);
    }

    @Test
    void f23_aSessionIsNewerThanThePreviousOneEvenWhenTheClockWentBack() throws IOException {
        assertThat(store.nextSession(1_000_000)).isEqualTo(1_000_000);

        assertThat(opened("w-1").nextSession(5)).isEqualTo(1_000_001);
        assertThat(opened("w-1").nextSession(2_000_000)).isEqualTo(2_000_000);
    }

    @Test
    void f41_aDamagedRecordOfTheLastSessionIsIgnored() throws IOException {
        store.nextSession(1_000);
        Files.writeString(folder.resolve("allocations").resolve("session"), "0 berth-session-1 99999999");

        assertThat(store.nextSession(2_000)).isEqualTo(2_000);
    }
}

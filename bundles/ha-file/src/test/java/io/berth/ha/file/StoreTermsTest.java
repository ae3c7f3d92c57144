package io.berth.ha.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.spi.ha.MetadataStores.Term;
import io.berth.spi.ha.SupersededException;
import io.berth.spi.ha.Versioned;
import io.berth.spi.ha.WriteResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A part of the store with one leader after another, in this process and in others. */
@Timeout(60)
class StoreTermsTest {

    private static final FileMetadataStore.Limits LIMITS = new FileMetadataStore.Limits(1_048_576, 100);

    @TempDir
    private Path directory;

    private FileMetadataStore open(long epoch) throws IOException {
        return FileMetadataStore.open(directory, epoch, LIMITS);
    }

    private List<String> folders() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void f21_laterLeaderSeesWhatWasAcknowledgedAndThePreviousOneCanNoLongerReadOrChange() throws Exception {
        try (FileMetadataStore deposed = open(7)) {
            deposed.write("jobs/a", 0, new byte[] {1});
            deposed.write("jobs/b", 0, new byte[] {2});
            try (FileMetadataStore leader = open(9)) {
                assertThat(leader.read("jobs/a")).contains(new Versioned(1, new byte[] {1}));
                String message = "belongs to epoch 9, this is epoch 7";
                assertThatThrownBy(() -> deposed.write("jobs/a", 1, new byte[1]))
                        .isInstanceOf(SupersededException.class)
                        .hasMessageContaining(message);
                assertThatThrownBy(() -> deposed.write("jobs/new", 0, new byte[1]))
                        .isInstanceOf(SupersededException.class)
                        .hasMessageContaining(message);
                assertThatThrownBy(() -> deposed.delete("jobs/b", 2))
                        .isInstanceOf(SupersededException.class)
                        .hasMessageContaining(message);
                assertThatThrownBy(() -> deposed.read("jobs/absent"))
                        .isInstanceOf(SupersededException.class)
                        .hasMessageContaining(message);
                assertThatThrownBy(() -> deposed.keys(""))
                        .isInstanceOf(SupersededException.class)
                        .hasMessageContaining(message);
                assertThat(leader.keys("")).containsExactly("jobs/a", "jobs/b");
                assertThat(leader.write("jobs/a", 1, new byte[] {3})).isEqualTo(new WriteResult.Written(3));
            }
        }
        assertThat(folders()).containsExactly("term-0000000000000009");
        try (FileMetadataStore next = open(10)) {
            assertThat(next.read("jobs/a")).contains(new Versioned(3, new byte[] {3}));
            assertThat(next.damagedFiles()).isEmpty();
        }
    }

    @Test
    void f21_writeInProgressWhenItsLeaderIsReplacedHasNoEffect() throws Exception {
        try (FileMetadataStore deposed = open(1)) {
            deposed.write("a", 0, new byte[] {1});
            Path folder = directory.resolve("term-0000000000000001");
            RecordDirectory itsFolder = RecordDirectory.at(folder);
            // The file that a process leaves when it is paused during a write.
            Files.write(folder.resolve(".unfinished-0000000000000002"), new byte[9]);
            try (FileMetadataStore leader = open(2)) {
                RecordName name = new RecordName("a", 2, false);
                assertThatThrownBy(() -> itsFolder.write(name, RecordFormat.encode("a", 2, new byte[] {7})))
                        .isInstanceOf(IOException.class);
                assertThat(leader.write("a", 1, new byte[] {2})).isEqualTo(new WriteResult.Written(2));
            }
        }
        try (FileMetadataStore next = open(3)) {
            assertThat(next.read("a")).contains(new Versioned(2, new byte[] {2}));
        }
        try (Stream<Path> files = Files.list(directory.resolve("term-0000000000000003"))) {
            assertThat(files.map(file -> file.getFileName().toString())).allMatch(name -> name.startsWith("a@"));
        }
    }

    @Test
    void anEarlierLeaderThatComesLateIsRejected() throws Exception {
        open(5).close();
        assertThatThrownBy(() -> open(4))
                .isInstanceOf(SupersededException.class)
                .hasMessageContaining("belongs to epoch 5, this is epoch 4")
                .hasMessageContaining("must share that of the election");
        assertThat(folders()).containsExactly("term-0000000000000005");
    }

    @Test
    void theSameLeaderMayOpenItAgain() throws Exception {
        try (FileMetadataStore store = open(5)) {
            store.write("a", 0, new byte[] {1});
        }
        try (FileMetadataStore store = open(5)) {
            assertThat(store.read("a")).contains(new Versioned(1, new byte[] {1}));
        }
    }

    @Test
    void emptyFolderLeftByACrashIsIgnored() throws Exception {
        try (FileMetadataStore store = open(5)) {
            store.write("a", 0, new byte[] {1});
        }
        Files.createDirectory(directory.resolve("term-0000000000000004"));
        try (FileMetadataStore store = open(6)) {
            assertThat(store.read("a")).contains(new Versioned(1, new byte[] {1}));
        }
        assertThat(folders()).containsExactly("term-0000000000000004", "term-0000000000000006");
    }

    @Test
    void partStartsInAnEmptyFolderAndNeverInOneWithOtherFiles() throws Exception {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        try (FileMetadataStore store = FileMetadataStore.open(empty, 3, LIMITS)) {
            assertThat(store.keys("")).isEmpty();
        }
        Path foreign = Files.createDirectory(directory.resolve("foreign"));
        Files.createFile(foreign.resolve("notes.txt"));
        assertThatThrownBy(() -> FileMetadataStore.open(foreign, 3, LIMITS))
                .hasMessageContaining("no folder of an epoch (term-EPOCH)");
        assertThat(foreign).isDirectoryContaining("glob:**/notes.txt");
        Files.delete(foreign.resolve("notes.txt"));
        FileMetadataStore.open(foreign, 3, LIMITS).close();
        assertThat(folders()).containsExactly("empty", "foreign");
    }

    @Test
    void f14_ofManyLeadersThatOpenAtOnceTheGreatestWinsAndNothingWrittenIsLost() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try {
            for (int round = 0; round < 500; round++) {
                Path part = directory.resolve("part-" + round);
                List<Callable<Long>> openers = new ArrayList<>();
                for (long epoch = 1; epoch <= 6; epoch++) {
                    long mine = epoch;
                    openers.add(() -> {
                        try (FileMetadataStore store = FileMetadataStore.open(part, mine, LIMITS)) {
                            store.write("of-" + mine, 0, new byte[1]);
                            return mine;
                        } catch (SupersededException late) {
                            return 0L;
                        }
                    });
                }
                List<String> acknowledged = new ArrayList<>();
                for (Future<Long> opened : threads.invokeAll(openers)) {
                    if (opened.get() > 0) {
                        acknowledged.add("of-" + opened.get());
                    }
                }
                assertThat(acknowledged).contains("of-6");
                try (FileMetadataStore last = FileMetadataStore.open(part, 6, LIMITS)) {
                    assertThat(last.keys("")).containsAll(acknowledged);
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void partsAreSeparateAndClosedWithTheStores() throws Exception {
        FileMetadataStores stores = FileMetadataStores.in(directory, LIMITS);
        Term jobs = stores.open("dispatcher", 3);
        Term policies = stores.open("policies", 1);
        jobs.write("a", 0, new byte[] {1});
        assertThat(policies.read("a")).isEqualTo(Optional.empty());
        assertThat(folders()).containsExactly("dispatcher", "policies");
        stores.close();
        assertThatThrownBy(() -> jobs.read("a")).hasMessageContaining("is closed");
        assertThatThrownBy(() -> stores.open("policies", 2)).hasMessageContaining("are closed");
        for (String part : List.of("", "../up", "A", "a/b")) {
            assertThatThrownBy(() -> stores.open(part, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("allowed are 1 to 64 characters");
        }
        assertThatThrownBy(() -> stores.open("a", 0)).hasMessageContaining("allowed are epochs from 1");
    }

    @Test
    void nothingAcknowledgedIsLostWhenTheProcessIsKilledWhileItWrites() throws Exception {
        for (int round = 0; round < 5; round++) {
            long acknowledged = 0;
            try (StoreProcess writer = StoreProcess.start(directory, 2 * round + 1, "write")) {
                assertThat(writer.line()).isEqualTo("open");
                for (int line = 0; line < 20 + 7 * round; line++) {
                    acknowledged = Long.parseLong(writer.line());
                }
                writer.kill();
                for (String line = writer.line(); line != null; line = writer.line()) {
                    acknowledged = Math.max(acknowledged, line.isEmpty() ? 0 : Long.parseLong(line));
                }
            }
            try (FileMetadataStore store = open(2 * round + 2)) {
                assertThat(store.damagedFiles()).isEmpty();
                assertThat(count(store)).isGreaterThanOrEqualTo(acknowledged);
            }
        }
    }

    @Test
    void f21_processThatIsPausedDuringAWriteDoesNoHarmWhenItContinues() throws Exception {
        for (int round = 0; round < 5; round++) {
            try (StoreProcess paused = StoreProcess.start(directory, 2 * round + 1, "write")) {
                assertThat(paused.line()).isEqualTo("open");
                long acknowledged = 0;
                for (int line = 0; line < 20 + 7 * round; line++) {
                    acknowledged = Long.parseLong(paused.line());
                }
                paused.signal("STOP");
                try (FileMetadataStore leader = open(2 * round + 2)) {
                    assertThat(leader.damagedFiles()).isEmpty();
                    long found = count(leader);
                    long version = leader.read("counter").orElseThrow().version();
                    paused.signal("CONT");
                    String last = "";
                    for (String line = paused.line(); line != null; line = paused.line()) {
                        if (!line.startsWith("io.berth")) {
                            acknowledged = Long.parseLong(line);
                        }
                        last = line;
                    }
                    assertThat(last).contains("SupersededException", "belongs to epoch " + (2 * round + 2));
                    assertThat(found).isGreaterThanOrEqualTo(acknowledged);
                    assertThat(leader.read("counter").orElseThrow().version()).isEqualTo(version);
                    assertThat(leader.delete("counter", version)).isEqualTo(new WriteResult.Written(0));
                }
            }
        }
    }

    private static long count(FileMetadataStore store) throws IOException {
        Versioned record = store.read("counter").orElseThrow();
        String value = new String(record.value(), StandardCharsets.US_ASCII);
        String count = value.substring(0, value.indexOf(';'));
        assertThat(value).isEqualTo((count + ";").repeat(500));
        return Long.parseLong(count);
    }
}

package io.berth.runtime.dataflow.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Counter;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.Pair;
import io.berth.dataflow.api.Text;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSinkTest {

    @TempDir
    Path directory;

    private record Context(String vertex, int subtask, int parallelism, long epoch, long execution)
            implements OperatorContext {
        @Override
        public String jobId() {
            return "job-1";
        }

        @Override
        public String jobName() {
            return "job";
        }

        @Override
        public int maxParallelism() {
            return 128;
        }

        @Override
        public String attempt() {
            return subtask + "-" + epoch + "-" + execution;
        }

        @Override
        public Optional<String> secret(String name) {
            return Optional.empty();
        }

        @Override
        public Counter counter(String name) {
            return amount -> {};
        }
    }

    private FileSink sink(int subtask, int parallelism, int execution) throws IOException {
        return sink("counts.tsv", new Context("out", subtask, parallelism, 1, execution));
    }

    private FileSink sink(String file, Context context) throws IOException {
        FileSink sink = (FileSink) new FileSinkFactory()
                .create(new Configuration("file-sink", Map.of("path", directory.toString(), "file", file)));
        sink.open(context);
        return sink;
    }

    private Pair<FileSink, List<byte[]>> write(int parallelism, int execution) throws IOException {
        return write("counts.tsv", "out", parallelism, 1, execution);
    }

    /** Writes one line per subtask. Returns the committables, and the first sink to commit with. */
    private Pair<FileSink, List<byte[]>> write(String file, String vertex, int parallelism, long epoch, int execution)
            throws IOException {
        List<byte[]> committables = new ArrayList<>();
        List<FileSink> sinks = new ArrayList<>();
        for (int subtask = 0; subtask < parallelism; subtask++) {
            FileSink sink = sink(file, new Context(vertex, subtask, parallelism, epoch, execution));
            sink.write(new Pair<>(Text.of("word"), (long) subtask));
            sink.endOfInput();
            committables.add(sink.prepareCommit());
            sinks.add(sink);
        }
        for (FileSink sink : sinks) {
            sink.close();
        }
        return new Pair<>(sinks.get(0), committables);
    }

    private List<String> visible() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.startsWith("."))
                    .sorted()
                    .toList();
        }
    }

    private List<String> temporary() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".tmp"))
                    .toList();
        }
    }

    @Test
    void whatWasPreparedAfterTheOutputWasPublishedIsRemoved() throws IOException {
        Pair<FileSink, List<byte[]>> published = write(2, 1);
        published.first().commit(published.second());
        FileSink late = sink(0, 2, 2);
        late.write(new Pair<>(Text.of("again"), 1L));
        late.endOfInput();
        late.prepareCommit();
        assertThat(temporary()).hasSize(1);

        published.first().discard();
        late.discard();
        late.close();

        assertThat(temporary()).isEmpty();
        assertThat(visible()).containsExactly("counts-0.tsv", "counts-1.tsv");
        assertThat(Files.readString(directory.resolve("counts-0.tsv"))).isEqualTo("word\t0\n");
    }

    @Test
    void nothingIsVisibleBeforeTheCommitAndOneFileWithThePlainNameAfterIt() throws IOException {
        Pair<FileSink, List<byte[]>> written = write(1, 1);
        assertThat(visible()).isEmpty();
        written.first().commit(written.second());
        assertThat(visible()).containsExactly("counts.tsv");
        assertThat(Files.readString(directory.resolve("counts.tsv"))).isEqualTo("word\t0\n");
        assertThat(temporary()).isEmpty();
    }

    @Test
    void commitAgainChangesNothing() throws IOException {
        Pair<FileSink, List<byte[]>> written = write(3, 1);
        written.first().commit(written.second());
        written.first().commit(written.second());
        sink(2, 3, 2).commit(written.second());
        assertThat(visible()).containsExactly("counts-0.tsv", "counts-1.tsv", "counts-2.tsv");
        assertThat(Files.readString(directory.resolve("counts-2.tsv"))).isEqualTo("word\t2\n");
    }

    @Test
    void rerunWithOtherParallelismReplacesAllFilesOfTheJob() throws IOException {
        Files.writeString(directory.resolve("counts-9.tsv"), "of somebody else");
        Pair<FileSink, List<byte[]>> first = write(3, 1);
        first.first().commit(first.second());
        Pair<FileSink, List<byte[]>> second = write(2, 2);
        second.first().commit(second.second());
        assertThat(visible()).containsExactly("counts-0.tsv", "counts-1.tsv", "counts-9.tsv");
        Pair<FileSink, List<byte[]>> third = write(1, 3);
        third.first().commit(third.second());
        assertThat(visible()).containsExactly("counts-9.tsv", "counts.tsv");
    }

    @Test
    void rejectsAnExecutionThatContinuesAfterALaterOneHasCommitted() throws IOException {
        Pair<FileSink, List<byte[]>> paused = write(1, 1);
        Pair<FileSink, List<byte[]>> later = write(2, 2);
        later.first().commit(later.second());
        assertThatThrownBy(() -> paused.first().commit(paused.second()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("execution 1.2 of the job has committed");
        assertThat(visible()).containsExactly("counts-0.tsv", "counts-1.tsv");
    }

    @Test
    void theNextCommitFinishesAnInterruptedOne() throws IOException {
        Pair<FileSink, List<byte[]>> first = write(3, 1);
        // The first of three renames has happened, then the process died.
        assertThatThrownBy(() -> {
                    Files.delete(directory.resolve(".berth-job-1.out.1.1.1-1-1.tmp"));
                    first.first().commit(first.second());
                })
                .isInstanceOf(IOException.class)
                .hasMessageContaining("neither the written file nor the result exists");
        Pair<FileSink, List<byte[]>> second = write(1, 2);
        second.first().commit(second.second());
        assertThat(visible()).containsExactly("counts.tsv");
        assertThat(temporary()).isEmpty();
    }

    @Test
    void aFileOfAnotherRunIsNoResultOfALostOne() throws IOException {
        Files.writeString(directory.resolve("counts.tsv"), "of another run");
        Pair<FileSink, List<byte[]>> first = write(1, 1);
        Files.delete(directory.resolve(".berth-job-1.out.1.1.0-1-1.tmp"));
        assertThatThrownBy(() -> first.first().commit(first.second()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the written file is gone, and the result is another one");
        Pair<FileSink, List<byte[]>> second = write(1, 2);
        second.first().commit(second.second());
        Pair<FileSink, List<byte[]>> third = write(1, 3);
        Files.delete(directory.resolve(".berth-job-1.out.1.3.0-1-3.tmp"));
        assertThatThrownBy(() -> third.first().commit(third.second()))
                .as("the result is of execution 2")
                .hasMessageContaining("the result is another one");
    }

    @Test
    void aRunAfterAKillBetweenTwoRenamesDuplicatesNothing() throws IOException {
        int execution = 0;
        for (int parallelism : List.of(1, 2, 3, 5)) {
            Path obstacle = directory.resolve("counts-1.tsv");
            Pair<FileSink, List<byte[]>> killed = write(3, ++execution);
            // A file that cannot be replaced stands for a process that ends after the first of three renames.
            Files.createDirectories(obstacle.resolve("full"));
            assertThatThrownBy(() -> killed.first().commit(killed.second())).isInstanceOf(IOException.class);
            Files.delete(obstacle.resolve("full"));
            Files.delete(obstacle);
            assertThat(visible()).containsExactly("counts-0.tsv");

            Pair<FileSink, List<byte[]>> again = write(parallelism, ++execution);
            again.first().commit(again.second());
            List<String> lines = new ArrayList<>();
            for (String name : visible()) {
                lines.addAll(Files.readAllLines(directory.resolve(name)));
            }
            assertThat(visible()).hasSize(parallelism);
            assertThat(lines).doesNotHaveDuplicates().hasSize(parallelism);
            assertThat(temporary()).isEmpty();
            for (String name : visible()) {
                Files.delete(directory.resolve(name));
            }
        }
    }

    @Test
    void verticesWithSimilarNamesKeepTheirHiddenFilesApart() throws IOException {
        List<String> vertices = List.of("out.a", "out_a", "out__a", "out_002ea");
        List<Pair<FileSink, List<byte[]>>> written = new ArrayList<>();
        for (String vertex : vertices) {
            written.add(write(vertex, vertex, 1, 1, 1));
        }
        assertThat(temporary()).hasSize(vertices.size());
        for (Pair<FileSink, List<byte[]>> each : written) {
            each.first().commit(each.second());
        }
        assertThat(visible()).containsExactlyInAnyOrderElementsOf(vertices);
    }

    @Test
    void aSecondVertexOfTheJobDoesNotReplaceAPublishedFileOfTheFirst() throws IOException {
        Pair<FileSink, List<byte[]>> first = write("counts.tsv", "first", 1, 1, 1);
        Pair<FileSink, List<byte[]>> second = write("counts.tsv", "second", 1, 1, 1);
        first.first().commit(first.second());
        assertThatThrownBy(() -> second.first().commit(second.second()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("counts.tsv: another file-sink of this job has written this file")
                .hasMessageContaining(".berth-job-1.first");
        first.first().commit(first.second());
        assertThat(visible()).containsExactly("counts.tsv");
    }

    @Test
    void aTaskOfAFormerJobMasterNeitherWritesNorDeletesNorCommitsFilesOfTheNextOne() throws IOException {
        FileSink paused = sink("counts.tsv", new Context("out", 0, 1, 1, 1));
        paused.write(Text.of("old"));
        FileSink next = sink("counts.tsv", new Context("out", 0, 1, 2, 1));
        next.write(Text.of("new"));
        next.endOfInput();
        List<byte[]> committables = List.of(next.prepareCommit());
        paused.write(Text.of("old"));
        paused.close();

        Pair<FileSink, List<byte[]>> old = write("counts.tsv", "out", 3, 1, 2);
        old.first().commit(old.second());

        next.commit(committables);
        assertThat(visible()).containsExactly("counts.tsv");
        assertThat(Files.readString(directory.resolve("counts.tsv"))).isEqualTo("new\n");
        assertThatThrownBy(() -> old.first().commit(old.second()))
                .hasMessageContaining("execution 2.1 of the job has committed; execution 1.2 is older");
    }

    @Test
    void firstExecutionOfTheNextJobMasterCommitsAfterALaterOneOfTheLast() throws IOException {
        Pair<FileSink, List<byte[]>> seventh = write("counts.tsv", "out", 1, 1, 7);
        seventh.first().commit(seventh.second());
        Pair<FileSink, List<byte[]>> again = write("counts.tsv", "out", 2, 2, 1);
        again.first().commit(again.second());
        assertThat(visible()).containsExactly("counts-0.tsv", "counts-1.tsv");
    }

    @Test
    void commitRemovesTheHiddenFilesOfEarlierExecutionsThatContinueInTheirCommit() throws IOException {
        Pair<FileSink, List<byte[]>> paused = write(1, 1);
        Pair<FileSink, List<byte[]>> failing = write(1, 2);
        // A file that cannot be replaced stands for a process that ends before its first rename.
        Files.createDirectories(directory.resolve("counts.tsv/full"));
        assertThatThrownBy(() -> failing.first().commit(failing.second())).isInstanceOf(IOException.class);
        assertThat(temporary()).containsExactly(".berth-job-1.out.1.2.0-1-2.tmp");
        assertThat(paused.second()).hasSize(1);
    }

    @Test
    void doesNotWriteIntoAnExistingHiddenFile() throws IOException {
        FileSink writing = sink(0, 1, 1);
        assertThatThrownBy(() -> sink(0, 1, 1)).isInstanceOf(FileAlreadyExistsException.class);
        writing.write(Text.of("x"));
        writing.endOfInput();
        writing.commit(List.of(writing.prepareCommit()));
        assertThat(Files.readString(directory.resolve("counts.tsv"))).isEqualTo("x\n");
    }

    @Test
    void closeWithoutCommitRemovesTheTemporaryFile() throws IOException {
        FileSink sink = sink(0, 1, 1);
        sink.write(Text.of("x"));
        assertThat(temporary()).hasSize(1);
        sink.close();
        assertThat(temporary()).isEmpty();
    }

    @Test
    void rejectsAWrongFileName() {
        for (String name : List.of("a/b", ".hidden", "", "a\nb")) {
            assertThatThrownBy(() -> new FileSinkFactory()
                            .create(new Configuration("file-sink", Map.of("path", "/x", "file", name))))
                    .hasMessageContaining("file is '" + name + "'");
        }
    }
}

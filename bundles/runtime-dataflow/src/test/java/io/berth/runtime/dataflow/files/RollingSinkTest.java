package io.berth.runtime.dataflow.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.time.Clock;
import io.berth.dataflow.api.CommittingSink;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Sink;
import io.berth.runtime.dataflow.TestContext;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RollingSinkTest {

    @TempDir
    Path directory;

    private static final class ManualClock implements Clock {
        private long millis;

        @Override
        public long nanos() {
            return millis * 1_000_000;
        }

        @Override
        public long wallMillis() {
            return millis;
        }
    }

    private final ManualClock clock = new ManualClock();

    private Sink<Object> sink(Map<String, String> settings, TestContext context) throws Exception {
        Map<String, String> all = new TreeMap<>(settings);
        all.put("path", directory.toString());
        Sink<Object> sink = new FileSinkFactory(clock).create(new Configuration("file-sink", all));
        sink.open(context);
        return sink;
    }

    private List<String> names(boolean hidden) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(".") == hidden)
                    .sorted()
                    .toList();
        }
    }

    @Test
    void aPartIsPublishedWhenItIsFull() throws Exception {
        Sink<Object> sink = sink(Map.of("roll.bytes", "10", "file", "log.txt"), new TestContext(1, 2, 3));
        sink.write("12345");
        assertThat(names(false)).isEmpty();
        assertThat(names(true)).hasSize(1);
        sink.write("678");
        assertThat(names(false)).containsExactly("log-job-1-1-1-3-000001.txt");
        assertThat(names(true)).isEmpty();
        sink.write("last");
        sink.endOfInput();
        sink.close();
        assertThat(names(false)).containsExactly("log-job-1-1-1-3-000001.txt", "log-job-1-1-1-3-000002.txt");
        assertThat(Files.readString(directory.resolve("log-job-1-1-1-3-000001.txt")))
                .isEqualTo("12345\n678\n");
        assertThat(Files.readString(directory.resolve("log-job-1-1-1-3-000002.txt")))
                .isEqualTo("last\n");
        assertThat(names(true)).isEmpty();
    }

    @Test
    void aPartIsPublishedWhenItIsOldAlsoWhenNoRecordComes() throws Exception {
        Sink<Object> sink = sink(Map.of("roll.ms", "1000"), new TestContext(0, 1, 1));
        clock.millis = 5_000;
        sink.write("a");
        clock.millis = 5_999;
        sink.betweenRecords();
        assertThat(names(false)).isEmpty();
        clock.millis = 6_000;
        sink.betweenRecords();
        assertThat(names(false)).containsExactly("part-job-1-0-1-1-000001.txt");
        clock.millis = 60_000;
        sink.betweenRecords();
        sink.endOfInput();
        assertThat(names(false)).as("no empty part").hasSize(1);
    }

    @Test
    void anAttemptThatDiesLeavesNoHalfPart() throws Exception {
        Sink<Object> killed = sink(Map.of("roll.bytes", "3"), new TestContext(0, 1, 1));
        killed.write("abc");
        killed.write("x");
        assertThat(names(true)).hasSize(1);
        // The process is gone: nothing closes the sink.
        Sink<Object> other = sink(Map.of("roll.bytes", "3"), new TestContext(0, 1, 2));
        assertThat(names(true)).isEmpty();
        assertThat(names(false)).containsExactly("part-job-1-0-1-1-000001.txt");
        other.write("abc");
        assertThat(names(false)).containsExactly("part-job-1-0-1-1-000001.txt", "part-job-1-0-1-2-000001.txt");
        assertThatThrownBy(() -> killed.write("yz"))
                .as("an attempt that was replaced publishes nothing")
                .isInstanceOf(IOException.class);
        assertThat(names(false)).hasSize(2);
        other.close();
    }

    @Test
    void aPartReplacesNoFile() throws Exception {
        Files.writeString(directory.resolve("part-job-1-0-1-1-000001.txt"), "of another one");
        Sink<Object> sink = sink(Map.of("roll.bytes", "3"), new TestContext(0, 1, 1));
        assertThatThrownBy(() -> sink.write("abc"))
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessageContaining("is not replaced");
        sink.close();
        assertThat(Files.readString(directory.resolve("part-job-1-0-1-1-000001.txt")))
                .isEqualTo("of another one");
    }

    @Test
    void aFailedAttemptRemovesItsOpenPart() throws Exception {
        Sink<Object> sink = sink(Map.of("roll.bytes", "100"), new TestContext(0, 1, 1));
        sink.write("x");
        sink.close();
        assertThat(names(true)).isEmpty();
        assertThat(names(false)).isEmpty();
    }

    @Test
    void withoutALimitTheSinkCommitsAtTheEnd() throws Exception {
        Sink<Object> sink = sink(Map.of(), new TestContext(0, 1, 1));
        assertThat(sink).isInstanceOf(CommittingSink.class);
        sink.close();
        assertThatThrownBy(() -> sink(Map.of("roll.ms", "5"), new TestContext(0, 1, 1)))
                .hasMessageContaining("roll.ms is '5'; allowed: a whole number from 100 to 86400000");
    }
}

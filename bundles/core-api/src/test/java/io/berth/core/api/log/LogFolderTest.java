package io.berth.core.api.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.berth.core.api.task.AttemptId;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFolderTest {

    private static final JobId JOB = new JobId("words-1");
    private static final WorkerId WORKER = new WorkerId("w-1");

    @TempDir
    Path logs;

    private LogFolder folder;

    @BeforeEach
    void open() {
        folder = LogFolder.in(logs, WORKER);
    }

    private TaskLogDetails create(String name, int subtask, String... vertices) throws IOException {
        TaskLogDetails details = new TaskLogDetails(
                WORKER,
                name,
                new AttemptId(JOB, vertices[0], subtask, 7, 2, 1),
                List.of(vertices),
                Long.parseLong(name.substring(0, 13)),
                0,
                0);
        folder.create(details);
        return details;
    }

    private void part(String name, long offset, String text) throws IOException {
        Files.writeString(LogFolder.part(folder.task(JOB, name), offset), text);
    }

    private LogPart read(String name, long from, int limit) throws IOException {
        return folder.read(LogRequest.ofTask(JOB, name, from, limit));
    }

    private static String text(LogPart part) {
        return new String(part.content(), StandardCharsets.UTF_8);
    }

    @Test
    void listsTheLogsOfTheTasksThatAreMeant() throws IOException {
        String first = LogFolder.name(1_000, 1);
        String second = LogFolder.name(2_000, 2);
        TaskLogDetails source = create(first, 0, "source", "split");
        create(second, 3, "count");
        part(first, 0, "12345");
        part(second, 100, "1");

        assertThat(folder.list(LogFilter.of(JOB))).hasSize(2).contains(source.spanning(0, 5));
        assertThat(folder.list(new LogFilter(JOB, Optional.of("split"), Optional.empty())))
                .extracting(TaskLogDetails::log)
                .containsExactly(first);
        assertThat(folder.list(new LogFilter(JOB, Optional.of("count"), Optional.of(3))))
                .extracting(TaskLogDetails::start, TaskLogDetails::end)
                .containsExactly(tuple(100L, 101L));
        assertThat(folder.list(new LogFilter(JOB, Optional.of("count"), Optional.of(2))))
                .isEmpty();
        assertThat(folder.list(LogFilter.of(new JobId("other")))).isEmpty();
    }

    @Test
    void leavesOutWhatIsNotComplete() throws IOException {
        String begun = LogFolder.name(1_000, 1);
        create(begun, 0, "source");
        Files.createDirectories(folder.task(JOB, LogFolder.name(2_000, 2)));
        Files.createDirectories(folder.task(JOB, "stranger"));

        assertThat(folder.all()).isEmpty();
        assertThat(LogFolder.in(logs, new WorkerId("nobody")).all()).isEmpty();
    }

    @Test
    void readsOverThePartsOfALog() throws IOException {
        String name = LogFolder.name(1_000, 1);
        create(name, 0, "source");
        part(name, 10, "abcde");
        part(name, 15, "fgh");

        assertThat(text(read(name, 0, 100))).isEqualTo("abcdefgh");
        assertThat(read(name, 0, 100))
                .extracting(LogPart::from, LogPart::next, LogPart::end)
                .containsExactly(10L, 18L, 18L);
        assertThat(text(read(name, 13, 4))).isEqualTo("defg");
        assertThat(read(name, 13, 4).next()).isEqualTo(17);
        assertThat(text(read(name, -2, 100))).isEqualTo("gh");
        assertThat(text(read(name, -200, 100))).isEqualTo("abcdefgh");
        assertThat(read(name, 900, 100))
                .extracting(LogPart::found, LogPart::from, LogPart::next)
                .containsExactly(true, 18L, 18L);
    }

    @Test
    void readsOverAPartWhoseEndIsMissingOrTooLong() throws IOException {
        String name = LogFolder.name(1_000, 1);
        create(name, 0, "source");
        part(name, 0, "abc");
        part(name, 10, "defXX");
        part(name, 13, "ghi");

        assertThat(text(read(name, 0, 100))).isEqualTo("abc");
        LogPart next = read(name, 3, 100);
        assertThat(text(next)).isEqualTo("defghi");
        assertThat(next).extracting(LogPart::from, LogPart::next, LogPart::end).containsExactly(10L, 16L, 16L);
    }

    @Test
    void neverCutsACharacter() throws IOException {
        String name = LogFolder.name(1_000, 1);
        create(name, 0, "source");
        part(name, 0, "abcü€😀x");

        assertThat(text(read(name, 0, 4))).isEqualTo("abc");
        assertThat(text(read(name, 3, 4))).isEqualTo("ü");
        assertThat(text(read(name, 5, 6))).isEqualTo("€");
        assertThat(text(read(name, 8, 4))).isEqualTo("😀");
        // From the middle of a character.
        assertThat(read(name, -3, 10))
                .extracting(LogPart::from, LogFolderTest::text)
                .containsExactly(12L, "x");
    }

    @Test
    void bytesThatAreNoTextAreReadAsTheyAre() throws IOException {
        String name = LogFolder.name(1_000, 1);
        create(name, 0, "source");
        Files.write(LogFolder.part(folder.task(JOB, name), 0), new byte[] {(byte) 0xff, (byte) 0x80, 1, (byte) 0xff});

        long at = 0;
        for (int reads = 0; at < 4 && reads < 4; reads++) {
            at = read(name, at, 4).next();
        }

        assertThat(at).isGreaterThanOrEqualTo(3);
    }

    @Test
    void findsNothingOutsideOfItsFolder() throws IOException {
        Files.createDirectories(logs.resolve("secret"));
        Files.writeString(LogFolder.part(logs.resolve("secret"), 0), "hunter2");

        assertThat(read("../../../secret", 0, 100)).isSameAs(LogPart.NONE);
        assertThat(read(LogFolder.name(1, 1), 0, 100).found()).isFalse();
        assertThat(folder.read(LogRequest.ofWorker(0, 100)).found()).isFalse();
    }
}

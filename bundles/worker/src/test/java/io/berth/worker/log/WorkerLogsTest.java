package io.berth.worker.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.log.LogFilter;
import io.berth.core.api.log.LogFolder;
import io.berth.core.api.log.LogPart;
import io.berth.core.api.log.LogRequest;
import io.berth.core.api.log.TaskLogDetails;
import io.berth.core.api.task.AttemptId;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerLogsTest {

    private static final JobId JOB = new JobId("words");
    private static final WorkerId WORKER = new WorkerId("w-1");
    private static final long TASK_BYTES = 8 << 10;
    private static final long TASKS_BYTES = 64 << 10;
    private static final long OWN_BYTES = 4 << 10;

    @TempDir
    Path folder;

    private final ManualTime time = new ManualTime();
    private final ByteArrayOutputStream before = new ByteArrayOutputStream();
    private WorkerLogs logs;
    private PrintStream out;
    private PrintStream lines;

    @BeforeEach
    void open() throws IOException {
        logs = new WorkerLogs(WORKER, new LogSettings(folder, TASK_BYTES, TASKS_BYTES, OWN_BYTES), time);
        out = new PrintStream(logs.prints(before), true, StandardCharsets.UTF_8);
        lines = new PrintStream(logs.lines(before), true, StandardCharsets.UTF_8);
    }

    @AfterEach
    void close() {
        logs.close();
    }

    private TaskLog task(int subtask) {
        return logs.begin(new AttemptId(JOB, "count", subtask, 1, 1), List.of("count", "sink"));
    }

    /** Reads what is on disk after all of it was written. */
    private String text(int subtask) throws IOException {
        logs.close();
        TaskLogDetails log = logs.list(LogFilter.of(JOB)).logs().stream()
                .filter(one -> one.attempt().subtask() == subtask)
                .findFirst()
                .orElseThrow();
        return text(LogRequest.ofTask(JOB, log.log(), 0, LogFolder.MAX_READ));
    }

    private String own() throws IOException {
        logs.close();
        return text(LogRequest.ofWorker(0, LogFolder.MAX_READ));
    }

    private String text(LogRequest request) throws IOException {
        LogPart part = logs.read(request);
        assertThat(part.next()).isEqualTo(part.end());
        return new String(part.content(), StandardCharsets.UTF_8);
    }

    private static void inThread(Runnable action) {
        Thread thread = new Thread(action);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void whatAThreadPrintsBelongsToItsTask() throws IOException {
        TaskLog one = task(1);
        TaskLog two = task(2);

        out.println("of nobody");
        one.run(() -> out.println("of one: \u20ac"));
        two.run(() -> {
            out.println("of two");
            one.run(() -> out.println("of one again"));
            out.println("of two again");
        });

        assertThat(text(1)).isEqualTo("of one: \u20ac\nof one again\n");
        assertThat(text(2)).isEqualTo("of two\nof two again\n");
        assertThat(own()).isEqualTo("of nobody\n");
        assertThat(before.toString(StandardCharsets.UTF_8)).isEqualTo("of nobody\n");
    }

    @Test
    void threadsThatATaskStartsBelongToItUntilItsEnd() throws IOException {
        TaskLog one = task(1);
        List<Runnable> later = new ArrayList<>();

        one.run(() -> inThread(() -> {
            out.println("of its thread");
            inThread(() -> out.println("of the thread of its thread"));
        }));
        one.run(() -> later.add(() -> out.println("of a thread of the test")));
        inThread(() -> later.forEach(Runnable::run));
        one.run(() -> {
            one.end();
            out.println("after its end");
        });

        assertThat(text(1)).isEqualTo("of its thread\nof the thread of its thread\n");
        assertThat(own()).isEqualTo("of a thread of the test\nafter its end\n");
    }

    @Test
    void linesOfTheLoggingLibraryAreInBothLogs() throws IOException {
        task(1).run(() -> lines.println("a line"));
        lines.println("another line");

        assertThat(text(1)).isEqualTo("a line\n");
        assertThat(own()).isEqualTo("a line\nanother line\n");
        assertThat(before.toString(StandardCharsets.UTF_8)).isEqualTo("a line\nanother line\n");
    }

    @Test
    void whatWasPrintedBeforeIsThere() throws IOException {
        task(1).run(() -> out.println("just now"));

        TaskLogDetails log = logs.list(LogFilter.of(JOB)).logs().get(0);
        assertThat(log.end()).isEqualTo(9);
        assertThat(text(LogRequest.ofTask(JOB, log.log(), 0, LogFolder.MAX_READ)))
                .isEqualTo("just now\n");
    }

    @Test
    void aTaskThatSaysNothingHasNoFiles() throws IOException {
        task(1).end();

        assertThat(own()).isEmpty();
        assertThat(logs.list(LogFilter.of(JOB)).logs()).isEmpty();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void keepsTheNewestPartOfALongLog() throws IOException {
        TaskLog one = task(1);
        for (int line = 0; line < 4_000; line++) {
            int number = line;
            one.run(() -> out.println("line " + number));
        }
        one.end();

        String text = text(1);
        TaskLogDetails log = logs.list(LogFilter.of(JOB)).logs().get(0);

        assertThat(text).endsWith("line 3998\nline 3999\n");
        assertThat(log.end() - log.start()).isBetween(TASK_BYTES / 2, TASK_BYTES);
        assertThat(log.start()).isPositive();
        assertThat(text).hasSize((int) (log.end() - log.start()));
        // An offset means the same before and after parts were removed.
        LogPart part = logs.read(LogRequest.ofTask(JOB, log.log(), log.end() - 10, 100));
        assertThat(new String(part.content(), StandardCharsets.UTF_8)).isEqualTo("line 3999\n");
    }

    @Test
    void removesTheLogsOfTheTasksThatEndedFirst() throws IOException {
        for (int subtask = 0; subtask < 20; subtask++) {
            TaskLog task = task(subtask);
            task.run(() -> out.print("x".repeat(3_000)));
            task.end();
        }
        logs.close();

        List<Integer> kept = logs.list(LogFilter.of(JOB)).logs().stream()
                .map(log -> log.attempt().subtask())
                .toList();

        assertThat(kept).containsExactly(15, 16, 17, 18, 19);
    }

    @Test
    void logsOfRunningTasksStayWithinTheBoundOfAll() throws IOException {
        List<TaskLog> tasks = new ArrayList<>();
        for (int subtask = 0; subtask < 12; subtask++) {
            tasks.add(task(subtask));
        }
        for (int round = 0; round < 10; round++) {
            tasks.forEach(task -> task.run(() -> out.print("y".repeat(2_000))));
        }
        logs.close();

        long bytes;
        try (Stream<Path> files = Files.walk(folder)) {
            bytes = files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
        assertThat(bytes).isBetween(1L, TASKS_BYTES);
    }

    @Test
    void aProcessThatIsStartedAgainKeepsTheLogsOfTheFormerOne() throws IOException {
        task(1).run(() -> out.println("before"));
        lines.println("own before");
        logs.close();

        open();
        lines.println("own after");

        assertThat(text(1)).isEqualTo("before\n");
        assertThat(own()).isEqualTo("own before\nown after\n");
    }

    @Test
    void aDiskThatTakesNothingCostsTextAndNoTask() throws IOException {
        // A file where the folder of all tasks should be.
        Path workerFolder = Files.createDirectories(folder.resolve("w-1"));
        Path inTheWay = Files.writeString(workerFolder.resolve("tasks"), "");
        TaskLog one = task(1);

        one.run(() -> out.print("lost"));
        flushed("first");
        Files.delete(inTheWay);
        one.run(() -> out.println("there"));

        assertThat(text(1))
                .isEqualTo("[berth: 4 bytes of output are missing here, because the disk did not take them in time]\n"
                        + "there\n");
    }

    @Test
    void aFolderThatWasRemovedIsCreatedAgain() throws IOException {
        TaskLog one = task(1);
        one.run(() -> out.println("first"));
        flushed("written");
        try (Stream<Path> tree = Files.walk(folder.resolve("w-1"))) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
        // The file that is still open takes the first half; nobody can read it.
        one.run(() -> out.print("x".repeat((int) TASK_BYTES / 2)));
        one.run(() -> out.println("last"));

        assertThat(text(1)).endsWith("last\n");
    }

    /** Waits until what was printed before is written, as far as it can be. */
    private void flushed(String marker) {
        lines.println(marker);
        await().atMost(20, TimeUnit.SECONDS)
                .until(() -> new String(
                                logs.read(LogRequest.ofWorker(0, LogFolder.MAX_READ))
                                        .content(),
                                StandardCharsets.UTF_8)
                        .contains(marker));
    }
}

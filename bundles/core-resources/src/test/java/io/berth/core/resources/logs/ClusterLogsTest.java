package io.berth.core.resources.logs;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.log.LogFilter;
import io.berth.core.api.log.LogFolder;
import io.berth.core.api.log.LogList;
import io.berth.core.api.log.LogPart;
import io.berth.core.api.log.LogRequest;
import io.berth.core.api.log.TaskLogDetails;
import io.berth.core.api.task.AttemptId;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterLogsTest {

    private static final JobId JOB = new JobId("words");
    private static final long HOUR = 3_600_000;

    @TempDir
    Path logs;

    private final TestCluster cluster = new TestCluster();
    private final FakeWorker alive = new FakeWorker("w-1", 1);

    @BeforeEach
    void register() {
        cluster.logs = logs;
        cluster.register(alive, "local", "small");
    }

    private static TaskLogDetails log(String worker, long created) {
        return new TaskLogDetails(
                new WorkerId(worker),
                LogFolder.name(created, 1),
                new AttemptId(JOB, "count", 0, 1, 1),
                List.of("count"),
                created,
                0,
                4);
    }

    /** A worker that has left a log on this machine. */
    private TaskLogDetails gone(String worker, long created, String text) throws IOException {
        TaskLogDetails details = log(worker, created).spanning(0, text.length());
        LogFolder folder = LogFolder.in(logs, details.worker());
        folder.create(details);
        Files.writeString(LogFolder.part(folder.task(JOB, details.log()), 0), text);
        return details;
    }

    private LogList list() {
        return cluster.call(cluster.manager.listLogs(LogFilter.of(JOB)));
    }

    private LogPart read(TaskLogDetails log) {
        return cluster.call(
                cluster.manager.readLog(log.worker(), LogRequest.ofTask(JOB, log.log(), 0, LogFolder.MAX_READ)));
    }

    private static String text(LogPart part) {
        return new String(part.content(), StandardCharsets.UTF_8);
    }

    @Test
    void listsTheLogsOfWorkersThatAreThereAndOfThoseThatAreGone() throws IOException {
        alive.logs = new LogList(List.of(log("w-1", 5_000)), 2, List.of());
        TaskLogDetails older = gone("w-0", 1_000, "older");
        TaskLogDetails newer = gone("w-2", 9_000, "newer");
        // What the worker itself answers counts.
        gone("w-1", 3_000, "own");

        assertThat(list()).isEqualTo(new LogList(List.of(older, log("w-1", 5_000), newer), 2, List.of()));
    }

    @Test
    void namesWorkersThatDoNotAnswer() {
        alive.mute = true;
        CompletableFuture<LogList> list =
                cluster.manager.listLogs(LogFilter.of(JOB)).toCompletableFuture();

        cluster.time.advance(2_000);
        assertThat(list).isNotDone();
        cluster.time.advance(2_000);

        assertThat(list).isCompletedWithValue(new LogList(List.of(), 0, List.of(alive.id)));
    }

    @Test
    void readsFromTheWorkerOrFromItsFilesAfterItsEnd() throws IOException {
        alive.part = new LogPart(true, 3, 5, 5, "hi".getBytes(StandardCharsets.UTF_8));
        TaskLogDetails left = gone("w-0", 1_000, "left behind");

        assertThat(text(read(log("w-1", 1)))).isEqualTo("hi");
        assertThat(text(read(left))).isEqualTo("left behind");
        assertThat(read(log("nobody", 1)).found()).isFalse();
    }

    @Test
    void readsTheFilesOfAWorkerThatDoesNotAnswer() throws IOException {
        TaskLogDetails left = gone("w-1", 1_000, "before it hung");
        alive.mute = true;
        CompletableFuture<LogPart> there = cluster.manager
                .readLog(alive.id, LogRequest.ofTask(JOB, left.log(), 0, LogFolder.MAX_READ))
                .toCompletableFuture();
        CompletableFuture<LogPart> nowhere =
                cluster.manager.readLog(alive.id, LogRequest.ofWorker(0, 100)).toCompletableFuture();

        cluster.time.advance(4_000);

        assertThat(there).isCompletedWithValueMatching(part -> text(part).equals("before it hung"));
        assertThat(nowhere).isCompletedExceptionally();
    }

    @Test
    void removesOldLogsAndThenTheOldestUntilAllFit() throws IOException {
        long now = 1_000 * HOUR;
        Set<WorkerId> alive = Set.of(new WorkerId("w-0"), new WorkerId("nowhere"));
        for (int hours = 1; hours <= 9; hours++) {
            Path folder = logs.resolve("w-" + hours);
            gone("w-" + hours, 1_000, "x".repeat(1_000));
            touch(folder, now - hours * HOUR - 1);
        }
        gone("w-0", 1_000, "x".repeat(9_000));
        touch(logs.resolve("w-0"), now - 20 * HOUR);
        Path stranger = Files.createDirectories(logs.resolve("just-started"));
        touch(stranger, now - 60_000);

        new HostLogs(logs, new LogBounds(1L << 30, 8 * HOUR)).prune(now, alive);
        assertThat(workers()).containsExactly("just-started", "w-0", "w-1", "w-2", "w-3", "w-4", "w-5", "w-6", "w-7");

        new HostLogs(logs, new LogBounds(13_000, 8 * HOUR)).prune(now, alive);
        assertThat(workers()).containsExactly("just-started", "w-0", "w-1", "w-2", "w-3");

        // One that is or may be alive is never removed.
        new HostLogs(logs, new LogBounds(1, 1)).prune(now, alive);
        assertThat(workers()).containsExactly("just-started", "w-0");
    }

    @Test
    void keepsTheLogsOfWorkersThatAreRegistered() throws IOException {
        gone("w-0", 1_000, "x");
        gone("w-1", 1_000, "x");
        for (String worker : List.of("w-0", "w-1")) {
            touch(logs.resolve(worker), cluster.clock.wallMillis() - LogBounds.DEFAULTS.maxAgeMillis() - 1_000);
        }

        assertThat(cluster.call(cluster.manager.pruneLogs())).isTrue();

        assertThat(workers()).containsExactly("w-1");
    }

    /** @param millis whole seconds when negative, or the JDK sets 0 */
    private static void touch(Path folder, long millis) throws IOException {
        try (Stream<Path> tree = Files.walk(folder)) {
            for (Path path : tree.toList()) {
                Files.setLastModifiedTime(path, FileTime.fromMillis(millis));
            }
        }
    }

    private List<String> workers() throws IOException {
        try (Stream<Path> folders = Files.list(logs)) {
            return folders.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }
}

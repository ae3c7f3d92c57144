package io.berth.worker.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.berth.core.api.log.LogFolder;
import io.berth.core.api.log.TaskLogDetails;
import io.berth.core.api.task.AttemptId;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nothing takes from the queue unless the test does: a disk that hangs. */
@Timeout(60)
class LogQueueTest {

    private static final WorkerId WORKER = new WorkerId("w");
    private static final byte[] PIECE = new byte[LogQueue.MAX_ITEM_BYTES];

    private final LogQueue queue = new LogQueue();
    private final LogFile one = file(1);
    private final LogFile two = file(2);

    private static LogFile file(int subtask) {
        return LogFile.ofTask(
                LogFolder.in(Path.of("unused"), WORKER),
                new TaskLogDetails(
                        WORKER,
                        "log-" + subtask,
                        new AttemptId(new JobId("job"), "count", subtask, 1, 1),
                        List.of("count"),
                        1,
                        0,
                        0));
    }

    private void add(LogFile file, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        queue.add(file, bytes, 0, bytes.length, false);
    }

    @Test
    void joinsWhatFollowsEachOtherInOneLog() throws InterruptedException {
        add(one, "a");
        add(one, "b");
        add(two, "c");
        add(one, "d");
        queue.end(one);
        add(one, "e");

        assertThat(queue.take())
                .extracting(
                        LogQueue.Item::log, item -> item.text().toString(StandardCharsets.UTF_8), LogQueue.Item::last)
                .containsExactly(
                        tuple(one, "ab", false), tuple(two, "c", false), tuple(one, "d", false), tuple(one, "", true));
    }

    @Test
    void takesNothingForALogThatHasEnded() throws InterruptedException {
        assertThat(queue.add(one, PIECE, 0, 1, false)).isTrue();
        queue.end(one);
        queue.end(one);
        assertThat(queue.add(one, PIECE, 0, 1, true)).isFalse();
        assertThat(queue.add(two, PIECE, 0, 1, true)).isTrue();

        assertThat(queue.take())
                .extracting(LogQueue.Item::log, LogQueue.Item::last)
                .containsExactly(tuple(one, false), tuple(one, true), tuple(two, false));
    }

    @Test
    void dropsAndCountsWhatDoesNotFit() throws InterruptedException {
        for (int piece = 0; piece < LogQueue.MAX_BYTES / PIECE.length; piece++) {
            queue.add(one, PIECE, 0, PIECE.length, false);
        }
        add(two, "12345");
        add(two, "67");
        List<LogQueue.Item> full = queue.take();
        add(two, "not yet");
        full.forEach(queue::written);
        add(two, "again");

        assertThat(full).noneMatch(item -> item.log() == two);
        assertThat(queue.take())
                .extracting(item -> item.text().toString(StandardCharsets.UTF_8), LogQueue.Item::dropped)
                .containsExactly(tuple("again", 14L));
    }

    @Test
    void holdsABoundedNumberOfItemsOfAFewBytes() throws InterruptedException {
        for (int item = 0; item < LogQueue.MAX_ITEMS + 10; item++) {
            add(item % 2 == 0 ? one : two, "x");
        }
        List<LogQueue.Item> full = queue.take();
        assertThat(full).hasSize(LogQueue.MAX_ITEMS);

        full.forEach(queue::written);
        add(one, "again");
        assertThat(queue.take()).extracting(LogQueue.Item::dropped).containsExactly(5L);
    }

    @Test
    void aTaskWaitsForASlowDiskOnlyOnceAndNotForLong() throws InterruptedException {
        for (int piece = 0; piece < LogQueue.MAX_BYTES / PIECE.length; piece++) {
            queue.add(one, PIECE, 0, PIECE.length, true);
        }
        // Each that waited its full time would take 50 ms: this would last longer than the test may.
        for (int line = 0; line < 100_000; line++) {
            queue.add(two, PIECE, 0, 10, true);
        }
        queue.end(two);

        List<LogQueue.Item> items = queue.take();
        assertThat(items.get(items.size() - 1).dropped()).isEqualTo(1_000_000);
    }

    @Test
    void aTaskThatIsCanceledDoesNotWait() throws InterruptedException {
        for (int piece = 0; piece < LogQueue.MAX_BYTES / PIECE.length; piece++) {
            queue.add(one, PIECE, 0, PIECE.length, true);
        }
        Thread.currentThread().interrupt();
        queue.add(two, PIECE, 0, 10, true);

        assertThat(Thread.interrupted()).isTrue();
        queue.end(two);
        List<LogQueue.Item> items = queue.take();
        assertThat(items.get(items.size() - 1).dropped()).isEqualTo(10);
    }

    @Test
    void isFinishedWhenItIsClosedAndEmpty() throws InterruptedException {
        add(one, "a");
        queue.close();
        add(one, "too late");

        assertThat(queue.isFinished()).isFalse();
        assertThat(queue.take()).hasSize(1);
        assertThat(queue.isFinished()).isTrue();
        assertThat(queue.take()).isEmpty();
    }
}

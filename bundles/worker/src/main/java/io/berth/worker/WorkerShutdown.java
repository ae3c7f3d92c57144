package io.berth.worker;

import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.time.MainThread;
import io.berth.spi.WorkerId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a worker: it leaves the ResourceManager and cancels its tasks; the process may end after the last task, or
 * after two seconds. Confined to the main thread of the TaskExecutor.
 */
final class WorkerShutdown {

    /** The process ends as requested. */
    static final int EXIT_DONE = 0;
    /** There was no ResourceManager for longer than allowed. */
    static final int EXIT_NO_RESOURCE_MANAGER = 6;
    /** The ResourceManager rejected the worker. */
    static final int EXIT_REJECTED = 4;
    /** A task does not end: only the end of the process frees its resources. */
    static final int EXIT_TASK_STUCK = 5;

    private static final Logger LOG = LoggerFactory.getLogger(WorkerShutdown.class);
    private static final long CANCEL_MILLIS = 2_000;
    private static final long ANSWER_MILLIS = 100;

    private final WorkerId worker;
    private final MainThread mainThread;
    private final BooleanSupplier anyTaskAlive;
    private final Function<String, CompletionStage<Acknowledge>> leave;
    private final Runnable cancelTasks;
    private final IntConsumer process;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private boolean announced;
    private boolean begun;

    /**
     * @param leave leaves the ResourceManager, with the cause
     * @param process ends the process with an exit code
     */
    WorkerShutdown(
            WorkerId worker,
            MainThread mainThread,
            BooleanSupplier anyTaskAlive,
            Runnable cancelTasks,
            Function<String, CompletionStage<Acknowledge>> leave,
            IntConsumer process) {
        this.worker = worker;
        this.mainThread = mainThread;
        this.anyTaskAlive = anyTaskAlive;
        this.cancelTasks = cancelTasks;
        this.leave = leave;
        this.process = process;
    }

    /** Whether the worker accepts nothing new. */
    boolean isAnnounced() {
        return announced;
    }

    /** Whether the worker is ending, so that nothing of it is stored. */
    boolean hasBegun() {
        return begun;
    }

    /** Ends the process shortly after, so that an answer can leave first. Idempotent. */
    void announce(String cause) {
        if (announced) {
            return;
        }
        announced = true;
        mainThread.schedule(ANSWER_MILLIS, () -> process(EXIT_DONE, cause));
    }

    /** Ends the worker, then the process. */
    void process(int code, String cause) {
        begin(cause);
        ended.whenComplete((nothing, failure) -> process.accept(code));
    }

    /** Ends the worker. Idempotent. */
    void begin(String cause) {
        mainThread.assertCurrent();
        announced = true;
        if (begun) {
            return;
        }
        begun = true;
        LOG.info("worker {}: ending: {}", worker, cause);
        cancelTasks.run();
        mainThread.schedule(CANCEL_MILLIS, () -> ended.complete(null));
        mainThread.whenComplete(leave.apply(cause), (acknowledged, failure) -> taskEnded());
    }

    /** Called when a task has ended, or there was none. */
    void taskEnded() {
        if (begun && !anyTaskAlive.getAsBoolean()) {
            ended.complete(null);
        }
    }

    /** Completes when nothing of the worker runs. */
    CompletionStage<Void> ended() {
        return ended;
    }
}

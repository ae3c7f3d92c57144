package io.berth.worker.connection;

import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMasterGateway.TaskUpdate;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.time.Backoff;
import io.berth.core.api.time.MainThread;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the state updates of tasks to one JobMaster: in order, each until it is acknowledged or the JobMaster is gone.
 * Confined to the main thread of the TaskExecutor.
 */
public final class TaskUpdates {

    private static final Logger LOG = LoggerFactory.getLogger(TaskUpdates.class);
    private static final long ATTEMPT_MILLIS = 5_000;
    private static final int MAX_REFUSALS = 10;

    private static final Set<RpcException.Kind> REFUSED =
            EnumSet.of(RpcException.Kind.REFUSED, RpcException.Kind.FAILED);

    private final JobMasterGateway jobMaster;
    private final MainThread mainThread;
    private final Consumer<TaskUpdate> onAcknowledged;
    private final Consumer<Throwable> onFailure;
    private final Queue<TaskUpdate> queue = new ArrayDeque<>();
    private final Backoff pauses = new Backoff(50, 2_000);
    private int refusals;
    private boolean sending;
    private boolean closed;

    /** @param onFailure receives each failed call; may close this */
    TaskUpdates(
            JobMasterGateway jobMaster,
            MainThread mainThread,
            Consumer<TaskUpdate> onAcknowledged,
            Consumer<Throwable> onFailure) {
        this.jobMaster = jobMaster;
        this.mainThread = mainThread;
        this.onAcknowledged = onAcknowledged;
        this.onFailure = onFailure;
    }

    public void add(TaskUpdate update) {
        mainThread.assertCurrent();
        if (!closed) {
            queue.add(update);
            send();
        }
    }

    /** The JobMaster is gone: waiting updates are dropped. */
    void close() {
        closed = true;
        queue.clear();
    }

    private void send() {
        if (sending || queue.isEmpty()) {
            return;
        }
        sending = true;
        TaskUpdate update = queue.element();
        mainThread.whenComplete(
                mainThread.within(ATTEMPT_MILLIS, "update of task " + update.attempt(), jobMaster.updateTask(update)),
                (acknowledged, failure) -> {
                    if (closed) {
                        return;
                    }
                    if (failure == null) {
                        settled(update);
                    } else {
                        repeat(update, failure);
                    }
                });
    }

    private void settled(TaskUpdate update) {
        sending = false;
        refusals = 0;
        pauses.reset();
        queue.remove();
        onAcknowledged.accept(update);
        send();
    }

    private void repeat(TaskUpdate update, Throwable failure) {
        onFailure.accept(failure);
        if (closed) {
            return;
        }
        if (Failures.isGone(failure)) {
            LOG.info(
                    "task {}: {} not reported, its JobMaster is gone: {}",
                    update.attempt(),
                    update.state(),
                    Failures.text(failure));
            close();
            return;
        }
        if (Failures.kind(failure).filter(REFUSED::contains).isPresent() && ++refusals >= MAX_REFUSALS) {
            // Later updates must not wait without limit; the JobMaster learns the state from the next task report.
            LOG.error(
                    "task {}: {} dropped, the JobMaster refuses it: {}",
                    update.attempt(),
                    update.state(),
                    Failures.text(failure));
            settled(update);
            return;
        }
        long pause = pauses.next();
        LOG.warn(
                "task {}: {} not acknowledged: {}; next attempt in {} ms",
                update.attempt(),
                update.state(),
                Failures.text(failure),
                pause);
        mainThread.schedule(pause, () -> {
            if (!closed) {
                sending = false;
                send();
            }
        });
    }
}

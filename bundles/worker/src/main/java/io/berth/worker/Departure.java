package io.berth.worker;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.gateway.WorkerLeaves;
import io.berth.core.api.time.Clock;
import io.berth.spi.WorkerId;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Why the worker leaves, kept for the next ResourceManager. The worker itself does nothing about it. Confined to the main
 * thread of the TaskExecutor.
 */
final class Departure {

    private static final Logger LOG = LoggerFactory.getLogger(Departure.class);

    private final WorkerId worker;
    private final Clock clock;
    private final NumberedMessages messages = new NumberedMessages();
    private WorkerLeaves leaving = WorkerLeaves.NONE;
    private long saidMillis;

    Departure(WorkerId worker, Clock clock) {
        this.worker = worker;
        this.clock = clock;
    }

    /** Keeps it, unless a later message of the same ResourceManager has arrived before. */
    void set(ResourceManagerId from, long number, WorkerLeaves leaves) {
        if (!messages.isNews(from, number)) {
            return;
        }
        List<String> reasons = leaves.reasons();
        if (reasons.equals(leaving.reasons())) {
            LOG.debug("worker {}: was informed again whether it leaves", worker);
        } else {
            LOG.info(
                    "worker {}: {}",
                    worker,
                    reasons.isEmpty() ? "no longer leaves" : "leaves: " + String.join("; ", reasons));
        }
        leaving = leaves;
        saidMillis = clock.millis();
    }

    /** What is left of it now. */
    WorkerLeaves left() {
        return new WorkerLeaves(
                leaving.drained().map(this::left), leaving.announced().map(this::left));
    }

    private WorkerLeave left(WorkerLeave leave) {
        return leave.hasDeadline()
                ? new WorkerLeave(leave.millis() - (clock.millis() - saidMillis), leave.reason(), leave.byBackend())
                : leave;
    }
}

package io.berth.worker;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.time.Clock;
import io.berth.spi.WorkerId;
import java.util.Optional;
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
    private Optional<WorkerLeave> leaving = Optional.empty();
    private long saidMillis;
    private Optional<ResourceManagerId> sender = Optional.empty();
    private long lastNumber;

    Departure(WorkerId worker, Clock clock) {
        this.worker = worker;
        this.clock = clock;
    }

    /** Keeps it, unless a later message of the same ResourceManager has arrived before. */
    void set(ResourceManagerId from, long number, Optional<WorkerLeave> leave) {
        boolean same = sender.filter(from::equals).isPresent();
        if (same && number <= lastNumber) {
            return;
        }
        sender = Optional.of(from);
        lastNumber = number;
        if (leave.map(WorkerLeave::reason).equals(leaving.map(WorkerLeave::reason))) {
            LOG.debug("worker {}: was informed again whether it leaves", worker);
        } else {
            LOG.info(
                    "worker {}: {}",
                    worker,
                    leave.map(why -> "leaves: " + why.reason()).orElse("no longer leaves"));
        }
        leaving = leave;
        saidMillis = clock.millis();
    }

    /** What is left of it now. */
    Optional<WorkerLeave> left() {
        return leaving.map(leave -> leave.hasDeadline()
                ? new WorkerLeave(leave.millis() - (clock.millis() - saidMillis), leave.reason(), leave.byBackend())
                : leave);
    }
}

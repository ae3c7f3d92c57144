package io.berth.runtime.process;

import io.berth.core.api.process.ProcessSettings.Health;
import io.berth.runtime.process.TaskLog.Stream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the health command of a task now and then, on a thread of its own, until the task ends. */
final class HealthCheck {

    private static final Logger LOG = LoggerFactory.getLogger(HealthCheck.class);
    private static final long OUTPUT_MILLIS = 1_000;
    private static final TaskLog NOWHERE = (stream, text) -> {};

    private final String task;
    private final Health settings;
    private final Starter starter;
    private final Consumer<String> unhealthy;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicLong failures = new AtomicLong();
    private final Thread thread;
    private Optional<ProcessGroup> running = Optional.empty();

    /** Starts the command. */
    interface Starter {
        ProcessGroup start() throws IOException;
    }

    /** @param unhealthy receives what is wrong, once, when the command failed too often */
    HealthCheck(String task, Health settings, Starter starter, Consumer<String> unhealthy) {
        this.task = task;
        this.settings = settings;
        this.starter = starter;
        this.unhealthy = unhealthy;
        this.thread = new Thread(this::run, "berth-runtime-process-health-" + task);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** How often the command has failed. */
    long failures() {
        return failures.get();
    }

    /** Ends the checks, and one that runs with them. */
    void close() {
        ended.countDown();
        Optional<ProcessGroup> now;
        synchronized (this) {
            now = running;
        }
        now.ifPresent(ProcessGroup::kill);
    }

    private void run() {
        int inARow = 0;
        try {
            while (!ended.await(settings.intervalMillis(), TimeUnit.MILLISECONDS)) {
                Optional<String> failure = check();
                inARow = failure.isPresent() ? inARow + 1 : 0;
                if (failure.isPresent() && ended.getCount() > 0) {
                    failures.incrementAndGet();
                    LOG.info("task {}: health command failed, {} times in a row: {}", task, inARow, failure.get());
                    if (inARow >= settings.failuresMax()) {
                        unhealthy.accept("the health command failed " + inARow + " times in a row: " + failure.get());
                        return;
                    }
                }
            }
        } catch (InterruptedException interrupted) {
            // Nobody interrupts this thread.
            Thread.currentThread().interrupt();
        }
    }

    /** What is wrong; empty when the process is well. */
    private Optional<String> check() throws InterruptedException {
        // Not under the lock: the start waits for the directory, which may hang.
        ProcessGroup group;
        try {
            group = starter.start();
        } catch (IOException | RuntimeException | Error failure) {
            return Optional.of("it did not start: " + failure.getMessage());
        }
        try {
            synchronized (this) {
                running = Optional.of(group);
            }
            if (ended.getCount() == 0) {
                return Optional.empty();
            }
            OutputPump out = OutputPump.start(group.output(), Stream.OUT, NOWHERE, thread.getName() + "-out");
            OutputPump errors = OutputPump.start(group.errors(), Stream.ERR, NOWHERE, thread.getName() + "-err");
            if (!group.waitFor(settings.timeoutMillis())) {
                return Optional.of("it has not ended within " + settings.timeoutMillis() + " ms");
            }
            if (group.exitCode() == 0) {
                return Optional.empty();
            }
            out.join(OUTPUT_MILLIS);
            errors.join(OUTPUT_MILLIS);
            List<String> last = errors.last(1).isEmpty() ? out.last(1) : errors.last(1);
            return Optional.of(
                    ExitText.code(group.exitCode()) + (last.isEmpty() ? "" : ", its last line is: " + last.get(0)));
        } catch (RuntimeException | Error failure) {
            // Such as one for want of memory: this thread has to make the next check.
            return Optional.of("it cannot be watched: " + failure);
        } finally {
            group.kill();
            synchronized (this) {
                running = Optional.empty();
            }
        }
    }
}

package io.berth.runtime.dataflow.task;

import io.berth.core.api.task.FailureKind;
import io.berth.core.api.task.TaskContext;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskHandle;
import io.berth.core.api.task.TaskMetrics;
import io.berth.core.api.task.TaskMetrics.Activity;
import io.berth.core.api.task.TaskMetrics.OperatorMetrics;
import io.berth.core.api.time.Clock;
import io.berth.runtime.dataflow.exchange.Exchange;
import io.berth.runtime.dataflow.exchange.input.ExchangeException;
import io.berth.runtime.dataflow.exchange.result.ResultException;
import io.berth.runtime.dataflow.measure.WaitTimes;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One task: a thread that runs a chain of operators from its inputs or source to its outputs. It ends when its input
 * has ended and the consumers of its pipelined edges have read everything, when it is canceled, or when something fails. Then it has released
 * everything. The methods of the handle are thread-safe.
 */
public final class DataflowTask implements TaskHandle {

    private static final Logger LOG = LoggerFactory.getLogger(DataflowTask.class);

    private final TaskDeployment deployment;
    private final TaskContext context;
    private final Exchange exchange;
    private final Clock clock;
    private final ScheduledExecutorService timer;
    private final TaskSettings settings;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private final CompletableFuture<List<Committable>> toCommit = new CompletableFuture<>();
    private final CountDownLatch ending = new CountDownLatch(1);
    private final TaskCounters counters = new TaskCounters();
    private final TaskOutputs outputs;
    private final Thread thread;
    private Optional<OperatorChain> chain = Optional.empty();
    private Optional<TaskInputs> inputs = Optional.empty();
    private final WaitTimes waits;
    private final SourceProgress progress = new SourceProgress();
    /** The counts of the running operators; later the last ones. */
    private volatile Supplier<Counts> counts = () -> Counts.NONE;

    private volatile boolean canceled;
    private volatile boolean setUp;
    private long lastFlush;

    /** A task that is not started yet. */
    public DataflowTask(
            TaskDeployment deployment,
            TaskContext context,
            Exchange exchange,
            Clock clock,
            ScheduledExecutorService timer,
            TaskSettings settings) {
        this.deployment = deployment;
        this.context = context;
        this.exchange = exchange;
        this.clock = clock;
        this.timer = timer;
        this.settings = settings;
        this.waits = new WaitTimes(clock::nanos);
        this.outputs = new TaskOutputs(exchange, deployment, waits);
        this.thread = new Thread(this::run, "berth-runtime-dataflow-task-" + deployment.attempt());
        thread.setDaemon(true);
    }

    /** Starts the task's thread. */
    public void start() {
        thread.start();
    }

    @Override
    public CompletionStage<Outcome> outcome() {
        return outcome.minimalCompletionStage();
    }

    @Override
    public TaskMetrics metrics() {
        Counts now = counts.get();
        return new TaskMetrics(now.operators(), now.exchangedIn(), now.exchangedOut(), counters.values(), activity());
    }

    /** Before the task is set up, no record flows that a rate could tell of. */
    private Optional<Activity> activity() {
        if (!setUp) {
            return Optional.empty();
        }
        long elapsed = waits.elapsedNanos();
        return Optional.of(new Activity(
                elapsed / 1_000,
                waits.idle().nanosUntil(elapsed) / 1_000,
                waits.backPressured().nanosUntil(elapsed) / 1_000,
                progress.recordsLeft(),
                progress.lagMillis()));
    }

    @Override
    public void commit(List<Committable> committables) {
        toCommit.complete(List.copyOf(committables));
    }

    @Override
    public void cancel() {
        if (canceled || outcome.isDone()) {
            return;
        }
        canceled = true;
        ending.countDown();
        interrupt(clock.millis());
    }

    // User code may swallow an interrupt, so it is repeated until the thread has ended.
    private void interrupt(long since) {
        if (outcome.isDone()) {
            return;
        }
        thread.interrupt();
        long waited = clock.millis() - since;
        if (waited >= settings.cancelMillis()) {
            StringBuilder stack = new StringBuilder();
            for (StackTraceElement frame : thread.getStackTrace()) {
                stack.append("\n    at ").append(frame);
            }
            LOG.error(
                    "Task {} has not ended {} ms after it was canceled; it is interrupted again. It stands{}",
                    deployment.attempt(),
                    waited,
                    stack);
            timer.schedule(() -> interrupt(clock.millis()), 1, TimeUnit.SECONDS);
        } else {
            timer.schedule(() -> interrupt(since), 1, TimeUnit.SECONDS);
        }
    }

    private void run() {
        Outcome result;
        try {
            work();
            outputs.publish();
            result = new Outcome.Finished();
        } catch (Throwable thrown) {
            result = judge(thrown);
        }
        // A late interrupt must not disturb the clean-up below.
        Thread.interrupted();
        String reason = result instanceof Outcome.Failed failed
                ? "its producer failed: " + failed.cause()
                : result instanceof Outcome.Canceled ? "its producer was canceled" : "its producer has finished";
        cleanUp(reason);
        LOG.info("Task {} ended: {}", deployment.attempt(), result);
        outcome.complete(result);
    }

    private Outcome judge(Throwable thrown) {
        if (canceled) {
            return new Outcome.Canceled();
        }
        boolean consequence = thrown instanceof ExchangeException;
        String cause = thrown instanceof OperatorFailure || thrown instanceof ResultException || consequence
                ? String.valueOf(thrown.getMessage())
                : OperatorFailure.describe(thrown);
        if (consequence) {
            LOG.info("Task {} lost its input: {}", deployment.attempt(), cause);
        } else {
            LOG.warn("Task {} failed", deployment.attempt(), thrown);
        }
        if (thrown instanceof ExchangeException lost) {
            return new Outcome.Failed(cause, FailureKind.CONSEQUENCE, "", lost.lost());
        }
        return new Outcome.Failed(
                cause,
                Permanence.of(thrown, setUp) ? FailureKind.PERMANENT : FailureKind.TRANSIENT,
                OperatorFailure.stack(thrown));
    }

    private void cleanUp(String reason) {
        // A failure of one part must not prevent the others from releasing what they hold.
        for (Runnable part : List.<Runnable>of(
                this::keepCounts,
                () -> inputs.ifPresent(TaskInputs::close),
                () -> outputs.release(reason),
                () -> chain.ifPresent(OperatorChain::close))) {
            try {
                part.run();
            } catch (Throwable thrown) {
                LOG.error("Task {}: clean-up failed", deployment.attempt(), thrown);
            }
        }
        // The handle may live longer; it must not keep the classes of the job.
        chain = Optional.empty();
        inputs = Optional.empty();
        thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
    }

    private void work() throws InterruptedException {
        Operators operators = new Operators(context);
        thread.setContextClassLoader(DataflowTask.class.getClassLoader());
        outputs.open(deployment, operators);
        OperatorChain made = new OperatorChain(deployment, operators, context, counters, outputs);
        chain = Optional.of(made);
        TaskOutputs.Counts written = outputs.counts();
        count(made, () -> 0, written);
        thread.setContextClassLoader(made.workLoader());
        if (made.source().isPresent() != deployment.inputs().isEmpty()) {
            throw new IllegalArgumentException("task " + deployment.attempt() + " has "
                    + deployment.inputs().size() + " inputs and "
                    + (made.source().isPresent() ? "a" : "no") + " source; allowed: one or the other");
        }
        lastFlush = clock.nanos();
        if (made.source().isPresent()) {
            made.open();
            new SourceLoop(this, context, made.source().get(), made.head(outputs.collector())).run();
        } else {
            TaskInputs gate = new TaskInputs(deployment, operators, exchange, waits, made);
            inputs = Optional.of(gate);
            count(made, gate::exchanged, written);
            made.open();
            readInputs(gate);
        }
        made.endOfInput();
        outputs.end();
        commit(made);
    }

    /** From now on records flow. */
    void isSetUp() {
        setUp = true;
    }

    private void readInputs(TaskInputs gate) throws InterruptedException {
        gate.open();
        isSetUp();
        while (!gate.ended()) {
            boolean read = gate.read(TimeUnit.MILLISECONDS.toNanos(settings.flushMillis()));
            afterStep(!read);
        }
    }

    private void commit(OperatorChain made) throws InterruptedException {
        List<Committable> committables = made.prepareCommit();
        if (committables.isEmpty()) {
            return;
        }
        context.readyToCommit(committables);
        waits.idle().begin();
        try {
            List<Committable> all = toCommit.get();
            waits.idle().end();
            made.commit(all);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /**
     * Called between two steps of work: ends the task if it is canceled, and sends buffers that have waited too long.
     *
     * @return whether buffers were sent
     */
    boolean afterStep(boolean idle) {
        if (canceled) {
            throw new TaskCanceledException();
        }
        long now = clock.nanos();
        if (idle || now - lastFlush >= TimeUnit.MILLISECONDS.toNanos(settings.flushMillis())) {
            lastFlush = now;
            chain.ifPresent(OperatorChain::betweenRecords);
            outputs.flush();
            return true;
        }
        return false;
    }

    /** Waits for {@code stage}, and sends buffers meanwhile. */
    <T> T await(CompletionStage<T> stage, String what) throws InterruptedException {
        CompletableFuture<T> future = stage.toCompletableFuture();
        while (true) {
            waits.idle().begin();
            try {
                return future.get(settings.flushMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                // Sending may have to wait for the consumers, which is no idle time.
                waits.idle().end();
                afterStep(true);
            } catch (ExecutionException e) {
                Throwable cause = Objects.requireNonNull(e.getCause());
                throw new IllegalStateException(what + " failed: " + OperatorFailure.describe(cause), cause);
            } finally {
                waits.idle().end();
            }
        }
    }

    /** Lets {@code millis} pass, and sends buffers. */
    void pause(int millis) throws InterruptedException {
        afterStep(true);
        waits.idle().begin();
        try {
            if (ending.await(millis, TimeUnit.MILLISECONDS)) {
                throw new TaskCanceledException();
            }
        } finally {
            waits.idle().end();
        }
    }

    int subtask() {
        return deployment.attempt().subtask();
    }

    /** What the source of the task knows of its progress. */
    SourceProgress progress() {
        return progress;
    }

    private void count(OperatorChain made, LongSupplier exchangedIn, TaskOutputs.Counts written) {
        counts = () -> new Counts(
                made.metrics(written.emitted().getAsLong()),
                exchangedIn.getAsLong(),
                written.exchanged().getAsLong());
    }

    /** From now on the counts no longer refer to the operators. */
    private void keepCounts() {
        Counts last = counts.get();
        counts = () -> last;
    }

    /** The counts of one moment. */
    private record Counts(List<OperatorMetrics> operators, long exchangedIn, long exchangedOut) {

        private static final Counts NONE = new Counts(List.of(), 0, 0);
    }
}

package io.berth.runtime.dataflow.task;

import io.berth.core.api.task.FailureKind;
import io.berth.core.api.task.TaskContext;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskHandle;
import io.berth.core.api.task.TaskMetrics;
import io.berth.core.api.time.Clock;
import io.berth.runtime.dataflow.exchange.Exchange;
import io.berth.runtime.dataflow.exchange.input.ExchangeException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One task: a thread that runs a chain of operators from its inputs or source to its outputs. It ends when its input
 * has ended and its consumers have read everything, when it is canceled, or when something fails. Then it has released
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
    private volatile TaskMetrics published;
    private volatile boolean canceled;
    private boolean setUp;
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
        this.outputs = new TaskOutputs(exchange, deployment);
        this.published = new TaskMetrics(List.of(), 0, 0, new TreeMap<>());
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
        TaskMetrics last = published;
        return new TaskMetrics(last.operators(), last.exchangedIn(), last.exchangedOut(), counters.values());
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
        String cause = thrown instanceof OperatorFailure || consequence
                ? String.valueOf(thrown.getMessage())
                : OperatorFailure.describe(thrown);
        if (consequence) {
            LOG.info("Task {} lost its input: {}", deployment.attempt(), cause);
        } else {
            LOG.warn("Task {} failed", deployment.attempt(), thrown);
        }
        if (consequence) {
            return new Outcome.Failed(cause, FailureKind.CONSEQUENCE);
        }
        return new Outcome.Failed(cause, Permanence.of(thrown, setUp) ? FailureKind.PERMANENT : FailureKind.TRANSIENT);
    }

    private void cleanUp(String reason) {
        // A failure of one part must not prevent the others from releasing what they hold.
        for (Runnable part : List.<Runnable>of(
                this::publish,
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
        OperatorChain made = new OperatorChain(deployment, operators, context, counters, outputs.collector());
        chain = Optional.of(made);
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
            TaskInputs gate = new TaskInputs(deployment, operators, exchange, made.head(outputs.collector()));
            inputs = Optional.of(gate);
            made.open();
            readInputs(gate);
        }
        made.endOfInput();
        outputs.end();
        publish();
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
        try {
            made.commit(toCommit.get());
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /**
     * Called between two steps of work: ends the task if it is canceled, and sends buffers that have waited too long.
     */
    void afterStep(boolean idle) {
        if (canceled) {
            throw new TaskCanceledException();
        }
        publish();
        long now = clock.nanos();
        if (idle || now - lastFlush >= TimeUnit.MILLISECONDS.toNanos(settings.flushMillis())) {
            lastFlush = now;
            outputs.flush();
        }
    }

    /** Waits for {@code stage}, and sends buffers meanwhile. */
    <T> T await(CompletionStage<T> stage, String what) throws InterruptedException {
        CompletableFuture<T> future = stage.toCompletableFuture();
        while (true) {
            try {
                return future.get(settings.flushMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                afterStep(true);
            } catch (ExecutionException e) {
                Throwable cause = Objects.requireNonNull(e.getCause());
                throw new IllegalStateException(what + " failed: " + OperatorFailure.describe(cause), cause);
            }
        }
    }

    /** Lets {@code millis} pass, and sends buffers. */
    void pause(int millis) throws InterruptedException {
        afterStep(true);
        if (ending.await(millis, TimeUnit.MILLISECONDS)) {
            throw new TaskCanceledException();
        }
    }

    int subtask() {
        return deployment.attempt().subtask();
    }

    private void publish() {
        published = new TaskMetrics(
                chain.map(each -> each.metrics(outputs.emitted())).orElse(List.of()),
                inputs.map(TaskInputs::exchanged).orElse(0L),
                outputs.exchanged(),
                published.counters());
    }
}

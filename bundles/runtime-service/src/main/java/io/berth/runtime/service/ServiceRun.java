package io.berth.runtime.service;

import io.berth.core.api.rpc.Failures;
import io.berth.core.api.task.FailureKind;
import io.berth.core.api.task.TaskContext;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskDeployment.ChainedOperator;
import io.berth.core.api.task.TaskHandle;
import io.berth.core.api.task.TaskMetrics;
import io.berth.core.api.task.TaskMetrics.OperatorMetrics;
import io.berth.core.api.time.Timers;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.ConfigurationException;
import io.berth.dataflow.api.PermanentException;
import io.berth.dataflow.api.service.ServiceFactory;
import io.berth.dataflow.api.service.ServiceTask;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One task: a service from its start to its stop, on one thread. It ends when the service says so, when its health checks fail
 * too often, or when it is canceled; then it is stopped. The methods of the handle are thread-safe and do not block.
 */
final class ServiceRun implements TaskHandle {

    private static final Logger LOG = LoggerFactory.getLogger(ServiceRun.class);
    private static final int MAX_DEPTH = 20;

    private final TaskDeployment deployment;
    private final TaskContext context;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    /** Why the service is to be stopped. */
    private final CompletableFuture<Outcome> end = new CompletableFuture<>();

    private final RunContext runContext;
    private final Thread thread;
    private final Calls calls;

    ServiceRun(TaskDeployment deployment, TaskContext context, Timers timers) {
        this.deployment = deployment;
        this.context = context;
        this.runContext = new RunContext(
                deployment,
                context,
                failure -> end.complete(failure.map(cause -> failed("", cause)).orElseGet(Outcome.Finished::new)));
        this.thread = new Thread(this::run, "berth-runtime-service-task-" + deployment.attempt());
        thread.setDaemon(true);
        this.calls = new Calls(deployment.attempt().toString(), thread, timers, this::stuck);
    }

    /** Its thread can run nothing else, so the outcome may never come: the worker has to act. */
    private void stuck(String what) {
        end.complete(new Outcome.Failed(name() + what, FailureKind.TRANSIENT));
        context.stuck(name() + what);
    }

    void start() {
        thread.start();
    }

    @Override
    public void cancel() {
        if (end.complete(new Outcome.Canceled())) {
            calls.interrupt();
        }
    }

    @Override
    public CompletionStage<Outcome> outcome() {
        return outcome.minimalCompletionStage();
    }

    @Override
    public TaskMetrics metrics() {
        return new TaskMetrics(
                List.of(new OperatorMetrics(deployment.attempt().chain(), 0, 0)), 0, 0, runContext.counters());
    }

    private void run() {
        ChainedOperator operator = deployment.operators().get(0);
        try {
            Configuration configuration = new Configuration(operator.operator(), operator.configuration());
            ServiceSettings settings = ServiceSettings.of(configuration);
            // Also getting the factory runs code of the job.
            Optional<ServiceTask> service =
                    unlessEnded("create", settings.startMillis(), () -> create(operator, configuration));
            if (service.isPresent()) {
                serve(service.get(), settings);
            }
        } catch (Throwable thrown) {
            end.complete(failed("", thrown));
        }
        thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
        Outcome result = end.join();
        LOG.info("task {} ended: {}", deployment.attempt(), result);
        outcome.complete(result);
    }

    private ServiceTask create(ChainedOperator operator, Configuration configuration) throws Exception {
        ServiceFactory factory = factory(operator);
        thread.setContextClassLoader(context.classLoader(operator.operator()));
        return factory.create(configuration);
    }

    /** Makes a call; empty when the task has ended before. When it ends during the call, that is interrupted. */
    private <T> Optional<T> unlessEnded(String what, long millis, Callable<T> call) throws Exception {
        return calls.call(what, millis, () -> end.isDone() ? Optional.empty() : Optional.of(call.call()));
    }

    private ServiceFactory factory(ChainedOperator operator) {
        Object found = context.operator(operator.operator())
                .orElseThrow(() -> new PermanentException("it is not in the job's bundles"));
        if (found instanceof ServiceFactory factory) {
            return factory;
        }
        throw new PermanentException(
                "it is a " + found.getClass().getName() + ", not a ServiceFactory of this runtime's API");
    }

    /** Completes {@link #end} at the latest when the service has stopped. */
    private void serve(ServiceTask service, ServiceSettings settings) {
        try {
            Optional<String> started = unlessEnded("start", settings.startMillis(), () -> {
                service.start(runContext);
                return "";
            });
            if (started.isEmpty()) {
                return;
            }
            LOG.info("task {}: its service has started", deployment.attempt());
            watch(service, settings);
        } catch (Throwable thrown) {
            end.complete(failed("start failed: ", thrown));
        }
        try {
            calls.call("stop", settings.stopMillis(), () -> {
                service.stop();
                return "";
            });
        } catch (Throwable thrown) {
            LOG.warn("task {}: its service did not stop cleanly", deployment.attempt(), thrown);
        }
    }

    private void watch(ServiceTask service, ServiceSettings settings) throws InterruptedException {
        int failures = 0;
        while (!hasEndedWithin(settings.healthIntervalMillis())) {
            Optional<String> wrong = check(service, settings);
            failures = wrong.isPresent() ? failures + 1 : 0;
            if (wrong.isPresent()) {
                runContext.counter("health.failures").add(1);
                LOG.info(
                        "task {}: health check failed, {} times in a row: {}",
                        deployment.attempt(),
                        failures,
                        wrong.get());
                if (failures >= settings.healthFailuresMax()) {
                    String text = "the health check failed " + failures + " times in a row: " + wrong.get();
                    end.complete(new Outcome.Failed(name() + text, FailureKind.TRANSIENT));
                }
            }
        }
    }

    private boolean hasEndedWithin(long millis) throws InterruptedException {
        try {
            end.get(millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException notYet) {
            return false;
        } catch (ExecutionException never) {
            throw new IllegalStateException("the end of a service never fails", never);
        }
    }

    private Optional<String> check(ServiceTask service, ServiceSettings settings) {
        try {
            Optional<String> wrong = unlessEnded("health", settings.healthMillis(), service::health)
                    .flatMap(found -> found);
            return end.isDone() ? Optional.empty() : wrong;
        } catch (Throwable thrown) {
            return end.isDone() ? Optional.empty() : Optional.of(text(thrown));
        }
    }

    private String name() {
        return "service '" + deployment.operators().get(0).operator() + "': ";
    }

    private Outcome failed(String what, Throwable thrown) {
        return new Outcome.Failed(
                name() + what + text(thrown),
                isPermanent(thrown) ? FailureKind.PERMANENT : FailureKind.TRANSIENT,
                Failures.stack(thrown));
    }

    /** What the service threw may be user code: its message is read where that is safe. */
    private static String text(Throwable thrown) {
        return thrown instanceof PermanentException || thrown instanceof TimeoutException
                ? String.valueOf(thrown.getMessage())
                : Failures.stack(thrown).lines().findFirst().orElse("");
    }

    private static boolean isPermanent(Throwable thrown) {
        Throwable cause = thrown;
        for (int depth = 0; depth < MAX_DEPTH && cause != null; depth++) {
            if (cause instanceof PermanentException || cause instanceof ConfigurationException) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }
}

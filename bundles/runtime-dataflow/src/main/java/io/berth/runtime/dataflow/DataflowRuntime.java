package io.berth.runtime.dataflow;

import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.RuntimeSettings;
import io.berth.core.api.task.TaskContext;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskHandle;
import io.berth.core.api.task.TaskRuntime;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import io.berth.core.security.ClusterSecurity;
import io.berth.runtime.dataflow.exchange.Exchange;
import io.berth.runtime.dataflow.exchange.ExchangeSettings;
import io.berth.runtime.dataflow.task.DataflowTask;
import io.berth.runtime.dataflow.task.TaskSettings;
import io.berth.spi.JobId;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The task runtime {@code dataflow}. It runs operators written against the dataflow API, and exchanges their records
 * with other workers. Thread-safe.
 */
@Component(service = TaskRuntime.class, property = "berth.runtime=dataflow")
public final class DataflowRuntime implements TaskRuntime {

    /** Framework property with the id of this worker; peers use it in their logs. */
    private static final String WORKER_ID = "berth.worker.id";

    /** Framework property with the host at which the worker listens. */
    private static final String HOST = "berth.worker.host";

    private static final String LOOPBACK = "127.0.0.1";

    /** Framework property with the settings, one {@code KEY=VALUE} in each line. */
    private static final String SETTINGS = "berth.worker.runtime";

    /** Framework property with the folder of the worker process. */
    private static final String WORK = "berth.worker.work";

    /** The folder of stored results in it. */
    private static final String RESULTS = "results";

    private static final int EXIT_BAD_ARGUMENTS = 2;

    private static final Logger LOG = LoggerFactory.getLogger(DataflowRuntime.class);

    private final Clock clock = new SystemClock();
    private final Set<DataflowTask> tasks = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor timer;
    private final Exchange exchange;
    private final TaskSettings settings;

    /**
     * Starts the exchange.
     *
     * @param exit ends the process with an exit code
     */
    @Activate
    public DataflowRuntime(
            BundleContext bundle,
            @Reference(target = "(berth.worker.role=exit)") IntConsumer exit,
            @Reference ClusterSecurity security) {
        this(workerId(bundle), settings(bundle.getProperty(SETTINGS), exit), results(bundle), host(bundle), security);
    }

    private DataflowRuntime(
            String workerId, RuntimeSettings settings, Optional<Path> results, String host, ClusterSecurity security) {
        this(
                new Exchange(workerId, ExchangeSettings.of(settings, results), threads(settings), host, security),
                TaskSettings.of(settings));
    }

    DataflowRuntime(String workerId, ExchangeSettings exchangeSettings, TaskSettings taskSettings, int threads) {
        this(new Exchange(workerId, exchangeSettings, threads), taskSettings);
    }

    private DataflowRuntime(Exchange exchange, TaskSettings taskSettings) {
        this.settings = taskSettings;
        this.exchange = exchange;
        this.timer = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "berth-runtime-dataflow-timer");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /**
     * A runtime with default settings and without a framework, for a worker of a test. {@link #close} ends it.
     *
     * @param results folder for results of blocking edges
     */
    public static DataflowRuntime alone(String workerId, Path results) {
        return new DataflowRuntime(
                workerId, RuntimeSettings.DEFAULTS, Optional.of(results), LOOPBACK, ClusterSecurity.NONE);
    }

    private static String workerId(BundleContext bundle) {
        String id = bundle.getProperty(WORKER_ID);
        return id == null ? "pid-" + ProcessHandle.current().pid() : id;
    }

    private static String host(BundleContext bundle) {
        return Optional.ofNullable(bundle.getProperty(HOST)).orElse(LOOPBACK);
    }

    private static Optional<Path> results(BundleContext bundle) {
        return Optional.ofNullable(bundle.getProperty(WORK)).map(work -> Path.of(work, RESULTS));
    }

    /** @param lines as the launcher hands them over; null without a launcher */
    static RuntimeSettings settings(@Nullable String lines, IntConsumer exit) {
        try {
            return RuntimeSettings.of(lines == null ? List.of() : lines.lines().toList());
        } catch (IllegalArgumentException refused) {
            LOG.error("the worker does not start: {}; correct its options --runtime", refused.getMessage());
            exit.accept(EXIT_BAD_ARGUMENTS);
            throw refused;
        }
    }

    private static int threads(RuntimeSettings settings) {
        int given = (int) settings.get(RuntimeSettings.EXCHANGE_THREADS);
        return given > 0 ? given : Math.max(1, Math.min(4, Runtime.getRuntime().availableProcessors() / 2));
    }

    @Override
    public String name() {
        return "dataflow";
    }

    @Override
    public String dataAddress() {
        return exchange.address();
    }

    @Override
    public int maxChannelEnds() {
        return exchange.pool().maxLeases();
    }

    @Override
    public TaskHandle start(TaskDeployment deployment, TaskContext context) {
        DataflowTask task = new DataflowTask(deployment, context, exchange, clock, timer, settings);
        tasks.add(task);
        task.outcome().whenComplete((outcome, none) -> tasks.remove(task));
        LOG.info("Task {} starts in slot {}", deployment.attempt(), deployment.allocation());
        task.start();
        return task;
    }

    @Override
    public void releaseResults(JobId job, Collection<PartitionId> partitions) {
        exchange.results().release(job, partitions);
    }

    @Override
    public void releaseAllResults(JobId job) {
        exchange.results().releaseAll(job);
    }

    Exchange exchange() {
        return exchange;
    }

    /** Cancels running tasks, waits up to ten seconds for them, and closes the exchange. */
    @Deactivate
    public void close() {
        List<DataflowTask> running = List.copyOf(tasks);
        running.forEach(DataflowTask::cancel);
        CompletableFuture<?>[] outcomes = running.stream()
                .map(task -> task.outcome().toCompletableFuture())
                .toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(outcomes).get(10, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            LOG.error("{} tasks did not end within 10 s; the runtime stops without them", tasks.size());
        } catch (ExecutionException e) {
            LOG.error("Waiting for tasks failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        timer.shutdownNow();
        exchange.close();
    }
}

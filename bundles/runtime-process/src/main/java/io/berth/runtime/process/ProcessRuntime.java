package io.berth.runtime.process;

import io.berth.core.api.process.ProcessSettings;
import io.berth.core.api.task.TaskContext;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskHandle;
import io.berth.core.api.task.TaskRuntime;
import io.berth.core.api.time.SystemClock;
import io.berth.core.api.time.SystemTimers;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The task runtime {@code process}: each task is a process of its own. Thread-safe. */
@Component(service = TaskRuntime.class, property = "berth.runtime=process")
public final class ProcessRuntime implements TaskRuntime {

    /** Framework property with the folder of this worker process, which no other process uses. */
    private static final String WORK = "berth.worker.work";

    /** Framework property with the id of this worker. */
    private static final String WORKER_ID = "berth.worker.id";

    private static final Logger LOG = LoggerFactory.getLogger(ProcessRuntime.class);
    private static final long END_MILLIS = 2_000;

    private final Path folder;
    private final String worker;
    private final Function<TaskDeployment, TaskLog> logs;
    private final SystemTimers timers = new SystemTimers("berth-runtime-process-timers");
    private final Set<ProcessTask> tasks = ConcurrentHashMap.newKeySet();

    @Activate
    public ProcessRuntime(BundleContext bundle) {
        this(
                folder(bundle),
                String.valueOf(bundle.getProperty(WORKER_ID)),
                deployment -> new PrintedLog(new SystemClock()));
    }

    /**
     * @param folder for the directories of tasks; what is in it is removed
     * @param worker id of the worker
     */
    ProcessRuntime(Path folder, String worker, Function<TaskDeployment, TaskLog> logs) {
        this.folder = folder;
        this.worker = worker;
        this.logs = logs;
        TaskDirectory.delete(folder);
    }

    private static Path folder(BundleContext bundle) {
        String work = bundle.getProperty(WORK);
        return work == null ? bundle.getDataFile("tasks").toPath() : Path.of(work, "tasks");
    }

    @Override
    public String name() {
        return ProcessSettings.RUNTIME;
    }

    @Override
    public TaskHandle start(TaskDeployment deployment, TaskContext context) {
        ProcessTask task = new ProcessTask(deployment, context, folder, worker, timers, logs.apply(deployment));
        tasks.add(task);
        task.outcome().whenComplete((outcome, none) -> tasks.remove(task));
        LOG.info("task {} starts in slot {}", deployment.attempt(), deployment.allocation());
        task.start();
        return task;
    }

    /** Kills what runs; the worker has canceled its tasks and waited for them before. */
    @Deactivate
    void deactivate() {
        List<ProcessTask> running = List.copyOf(tasks);
        running.forEach(ProcessTask::kill);
        CompletableFuture<?>[] outcomes = running.stream()
                .map(task -> task.outcome().toCompletableFuture())
                .toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(outcomes).get(END_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException late) {
            LOG.warn("{} processes were killed, and have not ended within {} ms", tasks.size(), END_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        timers.close();
    }
}

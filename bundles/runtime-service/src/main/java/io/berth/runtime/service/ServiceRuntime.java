package io.berth.runtime.service;

import io.berth.core.api.task.TaskContext;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskHandle;
import io.berth.core.api.task.TaskRuntime;
import io.berth.core.api.time.SystemTimers;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The task runtime {@code service}: each task is a service of a job bundle. Thread-safe. */
@Component(service = TaskRuntime.class, property = "berth.runtime=service")
public final class ServiceRuntime implements TaskRuntime {

    static final String NAME = "service";

    private static final Logger LOG = LoggerFactory.getLogger(ServiceRuntime.class);
    private static final long END_MILLIS = 2_000;

    private final SystemTimers timers = new SystemTimers("berth-runtime-service-timers");
    private final Set<ServiceRun> tasks = ConcurrentHashMap.newKeySet();

    @Activate
    public ServiceRuntime() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public TaskHandle start(TaskDeployment deployment, TaskContext context) {
        ServiceRun task = new ServiceRun(deployment, context, timers);
        tasks.add(task);
        task.outcome().whenComplete((outcome, none) -> tasks.remove(task));
        LOG.info("task {} starts in slot {}", deployment.attempt(), deployment.allocation());
        task.start();
        return task;
    }

    /** Cancels what runs; the worker has canceled its tasks and waited for them before. */
    @Deactivate
    void deactivate() {
        List<ServiceRun> running = List.copyOf(tasks);
        running.forEach(ServiceRun::cancel);
        CompletableFuture<?>[] outcomes = running.stream()
                .map(task -> task.outcome().toCompletableFuture())
                .toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(outcomes).get(END_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException late) {
            LOG.warn("{} services did not end within {} ms; the runtime stops without them", tasks.size(), END_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        timers.close();
    }
}

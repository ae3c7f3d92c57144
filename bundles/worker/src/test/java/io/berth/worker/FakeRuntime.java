package io.berth.worker;

import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.TaskContext;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskHandle;
import io.berth.core.api.task.TaskMetrics;
import io.berth.core.api.task.TaskRuntime;
import io.berth.spi.JobId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Tasks that end when the test ends them. A canceled task ends at once, unless {@code slowCancel} is set. */
final class FakeRuntime implements TaskRuntime {

    final Map<AttemptId, Task> tasks = new TreeMap<>();
    boolean slowCancel;
    final List<PartitionId> released = new ArrayList<>();
    final List<JobId> releasedJobs = new ArrayList<>();

    @Override
    public String name() {
        return "dataflow";
    }

    @Override
    public String dataAddress() {
        return "127.0.0.1:7002";
    }

    @Override
    public TaskHandle start(TaskDeployment deployment, TaskContext context) {
        Task task = new Task(context);
        tasks.put(deployment.attempt(), task);
        return task;
    }

    @Override
    public void releaseResults(JobId job, Collection<PartitionId> partitions) {
        released.addAll(partitions);
    }

    @Override
    public void releaseAllResults(JobId job) {
        releasedJobs.add(job);
    }

    final class Task implements TaskHandle {

        final TaskContext context;
        final CompletableFuture<Outcome> end = new CompletableFuture<>();
        List<Committable> committed = List.of();
        boolean canceled;

        Task(TaskContext context) {
            this.context = context;
        }

        @Override
        public void cancel() {
            canceled = true;
            if (!slowCancel) {
                end.complete(new Outcome.Canceled());
            }
        }

        @Override
        public void commit(List<Committable> committables) {
            committed = committables;
        }

        @Override
        public CompletionStage<Outcome> outcome() {
            return end;
        }

        @Override
        public TaskMetrics metrics() {
            return new TaskMetrics(List.of(), 7, 9, new TreeMap<>());
        }
    }
}

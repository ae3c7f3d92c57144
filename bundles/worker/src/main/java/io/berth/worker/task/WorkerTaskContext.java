package io.berth.worker.task;

import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.TaskContext;
import io.berth.worker.code.UserCode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;

/** What a task gets of the worker: its job's code, and its JobMaster under the task's own name. Any thread. */
final class WorkerTaskContext implements TaskContext {

    private final AttemptId attempt;
    private final UserCode.JobCode code;
    private final JobMasterGateway jobMaster;
    private final Consumer<List<Committable>> onReadyToCommit;
    private final ConcurrentMap<String, SplitQuestions> splits = new ConcurrentSkipListMap<>();

    WorkerTaskContext(
            AttemptId attempt,
            UserCode.JobCode code,
            JobMasterGateway jobMaster,
            Consumer<List<Committable>> onReadyToCommit) {
        this.attempt = attempt;
        this.code = code;
        this.jobMaster = jobMaster;
        this.onReadyToCommit = onReadyToCommit;
    }

    @Override
    public Optional<Object> operator(String name) {
        return code.operator(name);
    }

    @Override
    public ClassLoader classLoader(String operator) {
        return code.classLoader(operator);
    }

    @Override
    public CompletionStage<Void> reportSplits(String vertex, List<byte[]> splits) {
        return jobMaster.reportSplits(attempt, vertex, splits).thenAccept(acknowledged -> {});
    }

    @Override
    public CompletionStage<SplitAnswer> nextSplit(String vertex) {
        return splits.computeIfAbsent(vertex, asked -> new SplitQuestions(jobMaster, attempt, asked))
                .next();
    }

    @Override
    public void readyToCommit(List<Committable> committables) {
        onReadyToCommit.accept(List.copyOf(committables));
    }
}

package io.berth.worker.task;

import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.SplitPart;
import io.berth.core.api.task.TaskContext;
import io.berth.spi.ResourceProfile;
import io.berth.worker.code.UserCode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What a worker provides to a task: the code of its job, the secrets of the worker, and calls to its JobMaster under the
 * name of the task. Any thread.
 */
final class WorkerTaskContext implements TaskContext {

    /** A list of splits is sent in parts of about this size, well below the message size limit. */
    static final int MAX_PART_BYTES = 1 << 20;

    private static final int SPLIT_OVERHEAD_BYTES = 8;

    private final AttemptId attempt;
    private final ResourceProfile resources;
    private final UserCode.JobCode code;
    private final Function<String, Optional<String>> secrets;
    private final JobMasterGateway jobMaster;
    private final Consumer<List<Committable>> onReadyToCommit;
    private final Consumer<String> onStuck;
    private final ConcurrentMap<String, SplitQuestions> splits = new ConcurrentSkipListMap<>();

    WorkerTaskContext(
            AttemptId attempt,
            ResourceProfile resources,
            UserCode.JobCode code,
            Function<String, Optional<String>> secrets,
            JobMasterGateway jobMaster,
            Consumer<List<Committable>> onReadyToCommit,
            Consumer<String> onStuck) {
        this.attempt = attempt;
        this.resources = resources;
        this.code = code;
        this.secrets = secrets;
        this.jobMaster = jobMaster;
        this.onReadyToCommit = onReadyToCommit;
        this.onStuck = onStuck;
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
    public ResourceProfile resources() {
        return resources;
    }

    @Override
    public Optional<String> secret(String name) {
        return secrets.apply(name);
    }

    @Override
    public CompletionStage<Void> reportSplits(String vertex, List<byte[]> splits) {
        return report(vertex, splits, 0);
    }

    private CompletionStage<Void> report(String vertex, List<byte[]> splits, int from) {
        int to = from;
        int bytes = 0;
        while (to < splits.size() && (to == from || bytes + splits.get(to).length <= MAX_PART_BYTES)) {
            bytes += splits.get(to).length + SPLIT_OVERHEAD_BYTES;
            to++;
        }
        int end = to;
        boolean last = end == splits.size();
        return jobMaster
                .reportSplits(attempt, vertex, new SplitPart(from, splits.subList(from, end), last))
                .thenCompose(
                        acknowledged -> last ? CompletableFuture.completedFuture(null) : report(vertex, splits, end));
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

    @Override
    public void stuck(String cause) {
        onStuck.accept(cause);
    }
}

package io.berth.runtime.dataflow.task;

import io.berth.core.api.task.TaskContext;
import io.berth.core.api.task.TaskContext.SplitAnswer;
import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.SplitReader;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Reads splits until the JobMaster has no more. The next split is asked for while one is read, so that no task waits for
 * the answer. For the task's thread.
 */
final class SourceLoop {

    private static final int RETRY_MILLIS = 20;

    private final DataflowTask task;
    private final TaskContext context;
    private final OperatorChain.SourceStage source;
    private final Collector<Object> out;

    SourceLoop(DataflowTask task, TaskContext context, OperatorChain.SourceStage source, Collector<Object> out) {
        this.task = task;
        this.context = context;
        this.source = source;
        this.out = out;
    }

    void run() throws InterruptedException {
        String vertex = source.name().vertex();
        if (task.subtask() == 0) {
            task.await(context.reportSplits(vertex, enumerate()), "reporting the splits of vertex '" + vertex + "'");
        }
        String what = "asking for a split of vertex '" + vertex + "'";
        CompletionStage<SplitAnswer> next = context.nextSplit(vertex);
        while (true) {
            SplitAnswer answer = task.await(next, what);
            if (answer instanceof SplitAnswer.Exhausted) {
                return;
            }
            if (answer instanceof SplitAnswer.Assigned assigned) {
                next = context.nextSplit(vertex);
                read(assigned.split());
            } else {
                task.pause(RETRY_MILLIS);
                next = context.nextSplit(vertex);
            }
        }
    }

    private List<byte[]> enumerate() {
        try {
            return source.operator().enumerateSplits();
        } catch (Throwable thrown) {
            throw OperatorFailure.of(source.name(), thrown);
        }
    }

    @SuppressWarnings("try")
    private void read(byte[] split) {
        try (SplitReader<Object> reader = source.operator().read(split)) {
            boolean more = true;
            while (more) {
                more = reader.step(out);
                task.afterStep(false);
            }
        } catch (Throwable thrown) {
            throw OperatorFailure.of(source.name(), thrown);
        }
    }
}

package io.berth.runtime.dataflow.task;

import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.task.TaskContext;
import io.berth.core.api.task.TaskContext.SplitAnswer;
import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.SplitReader;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads splits until the JobMaster has no more. It requests the next split while one is read, so that the task does
 * not wait for the answer, unless the source wants one at a time. Confined to the thread of the task.
 */
final class SourceLoop {

    private static final int RETRY_MILLIS = 20;
    /** The delay after a lost call. */
    private static final int REPEAT_MILLIS = 200;

    private static final int MAX_REPEATS = 5;

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
            List<byte[]> splits = enumerate();
            Supplier<CompletionStage<Void>> report = () -> context.reportSplits(vertex, splits);
            outcome(report.get(), report, "reporting the splits of vertex '" + vertex + "'");
        }
        task.isSetUp();
        String what = "asking for a split of vertex '" + vertex + "'";
        Supplier<CompletionStage<SplitAnswer>> question = () -> context.nextSplit(vertex);
        boolean ahead = asksAhead();
        CompletionStage<SplitAnswer> next = question.get();
        while (true) {
            SplitAnswer answer = outcome(next, question, what);
            if (answer instanceof SplitAnswer.Exhausted) {
                return;
            }
            if (answer instanceof SplitAnswer.Assigned assigned) {
                if (ahead) {
                    next = question.get();
                    read(assigned.split());
                } else {
                    read(assigned.split());
                    next = question.get();
                }
            } else {
                task.pause(RETRY_MILLIS);
                next = question.get();
            }
        }
    }

    /**
     * Waits for the result of a call, and repeats the call when it was lost. The JobMaster recognizes the repetition.
     */
    private <T> T outcome(CompletionStage<T> first, Supplier<CompletionStage<T>> call, String what)
            throws InterruptedException {
        CompletionStage<T> current = first;
        for (int repeats = 0; ; repeats++) {
            try {
                return task.await(current, what);
            } catch (IllegalStateException failure) {
                if (repeats == MAX_REPEATS || !isLost(failure.getCause())) {
                    throw failure;
                }
            }
            task.pause(REPEAT_MILLIS);
            current = call.get();
        }
    }

    private static boolean isLost(@Nullable Throwable failure) {
        return failure instanceof RpcException rpc
                && (rpc.kind() == RpcException.Kind.UNREACHABLE || rpc.kind() == RpcException.Kind.DEADLINE);
    }

    private List<byte[]> enumerate() {
        try {
            return source.operator().enumerateSplits();
        } catch (Throwable thrown) {
            throw OperatorFailure.of(source.name(), thrown);
        }
    }

    private boolean asksAhead() {
        try {
            return source.operator().asksAhead();
        } catch (Throwable thrown) {
            throw OperatorFailure.of(source.name(), thrown);
        }
    }

    @SuppressWarnings("try")
    private void read(byte[] split) {
        try (SplitReader<Object> reader = source.operator().read(split)) {
            task.progress().ask(reader);
            boolean more = true;
            while (more) {
                more = reader.step(out);
                if (task.afterStep(false)) {
                    task.progress().ask(reader);
                }
            }
            task.progress().splitEnded();
        } catch (Throwable thrown) {
            throw OperatorFailure.of(source.name(), thrown);
        }
    }
}

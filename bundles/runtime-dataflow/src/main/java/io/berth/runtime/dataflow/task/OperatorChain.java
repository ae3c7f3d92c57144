package io.berth.runtime.dataflow.task;

import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.task.TaskContext;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskDeployment.ChainedOperator;
import io.berth.core.api.task.TaskDeployment.Input;
import io.berth.core.api.task.TaskMetrics.OperatorMetrics;
import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.CommittingSink;
import io.berth.dataflow.api.KeyedProcess;
import io.berth.dataflow.api.Keying;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.ProcessOperator;
import io.berth.dataflow.api.Sink;
import io.berth.dataflow.api.Source;
import io.berth.dataflow.api.StreamOperator;
import io.berth.runtime.dataflow.state.KeyedStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operators of one task, first to last, which call each other directly: there is no queue and no copy between
 * them. The thread of the task creates, uses and closes it.
 */
final class OperatorChain {

    private static final Logger LOG = LoggerFactory.getLogger(OperatorChain.class);

    private final TaskDeployment deployment;
    private final Operators operators;
    private final ClassLoader ownLoader = OperatorChain.class.getClassLoader();
    private final TaskContext taskContext;
    private final List<Stage> stages = new ArrayList<>();
    private Optional<SourceStage> source = Optional.empty();

    /** A source at the head of the chain. */
    record SourceStage(OperatorName name, Source<Object> operator, TaskOperatorContext context) {}

    /** Creates all operators. The last one emits to {@code out}. */
    OperatorChain(
            TaskDeployment deployment,
            Operators operators,
            TaskContext taskContext,
            TaskCounters counters,
            Collector<Object> out) {
        this.deployment = deployment;
        this.operators = operators;
        this.taskContext = taskContext;
        List<ChainedOperator> chained = deployment.operators();
        Collector<Object> next = out;
        for (int i = chained.size() - 1; i >= 0; i--) {
            ChainedOperator each = chained.get(i);
            OperatorName name = new OperatorName(each.vertex(), each.operator());
            TaskOperatorContext context = new TaskOperatorContext(deployment, each.vertex(), taskContext, counters);
            StreamOperator operator = operators.create(each);
            if (operator instanceof Source<?> made) {
                requireFirst(i, name);
                source = Optional.of(new SourceStage(name, cast(made), context));
            } else {
                Stage stage = stage(each, name, operator, context, next);
                stages.add(0, stage);
                next = stage;
            }
        }
    }

    private static void requireFirst(int index, OperatorName name) {
        if (index != 0) {
            throw new IllegalArgumentException(name + " is a source, but has an input");
        }
    }

    /** At parallelism 1 any way would do: so a job that could not be scaled up fails at once, not then. */
    private void requireByKey(OperatorName name) {
        String ways = deployment.inputs().stream()
                .map(Input::partitioning)
                .filter(way -> way != Partitioning.HASH && way != Partitioning.FORWARD)
                .map(way -> "by " + way.name().toLowerCase(Locale.ROOT))
                .distinct()
                .collect(Collectors.joining(" and "));
        if (!ways.isEmpty() || deployment.inputs().isEmpty()) {
            throw new IllegalArgumentException(name + " is keyed, but its records come "
                    + (ways.isEmpty() ? "from a source of its chain" : ways)
                    + ": allowed is an edge with partitioning hash. With @Operator(keyed = true) at its factory, "
                    + "a job is checked for that at submission");
        }
    }

    @SuppressWarnings("unchecked")
    private static <T> T cast(Object object) {
        return (T) object;
    }

    private Stage stage(
            ChainedOperator each,
            OperatorName name,
            StreamOperator operator,
            TaskOperatorContext context,
            Collector<Object> next) {
        if (operator instanceof ProcessOperator<?, ?> process) {
            return new ProcessStage(name, cast(process), context, next);
        }
        if (operator instanceof Sink<?> sink) {
            return new SinkStage(name, cast(sink), context);
        }
        if (operator instanceof KeyedProcess<?, ?, ?> keyed) {
            OperatorFactory<Object, Object> factory = operators.factory(each);
            Keying<Object, Object> keying = factory.keying(operators.configuration(each))
                    .map(OperatorChain::<Keying<Object, Object>>cast)
                    .orElseThrow(() -> new IllegalArgumentException(name + " is keyed, but its factory "
                            + factory.getClass().getName() + " has no keying"));
            requireByKey(name);
            KeyedStore<Object> store = new KeyedStore<>(
                    keying.serializer(),
                    deployment.attempt().subtask(),
                    deployment.parallelism(),
                    deployment.maxParallelism());
            return new KeyedStage(name, cast(keyed), context, keying.selector(), store, next);
        }
        throw new IllegalArgumentException(name + " is a " + operator.getClass().getName()
                + "; allowed: Source, ProcessOperator, KeyedProcess, Sink");
    }

    Optional<SourceStage> source() {
        return source;
    }

    /** The input of the first operator that is not a source; {@code otherwise} if there is none. */
    Collector<Object> head(Collector<Object> otherwise) {
        return stages.isEmpty() ? otherwise : stages.get(0);
    }

    /** The context class loader while records flow: that of the first operator from the job's own bundles. */
    ClassLoader workLoader() {
        return deployment.operators().stream()
                .map(each -> taskContext.classLoader(each.operator()))
                .filter(loader -> loader != ownLoader)
                .findFirst()
                .orElse(ownLoader);
    }

    /** Opens the operators, last one first, so that each finds the next one ready. */
    void open() {
        List<Stage> lastFirst = new ArrayList<>(stages);
        Collections.reverse(lastFirst);
        lastFirst.forEach(stage -> call(stage.name(), stage::open));
        source.ifPresent(head -> call(head.name(), () -> head.operator().open(head.context())));
    }

    /** Ends the input of each operator, first one first. */
    void endOfInput() {
        stages.forEach(stage -> call(stage.name(), stage::endOfInput));
    }

    /** The committables of the committing sinks. */
    List<TaskContext.Committable> prepareCommit() {
        List<TaskContext.Committable> committables = new ArrayList<>();
        for (Stage stage : stages) {
            if (stage.operator() instanceof CommittingSink<?> sink) {
                call(
                        stage.name(),
                        () -> committables.add(
                                new TaskContext.Committable(stage.name().vertex(), sink.prepareCommit())));
            }
        }
        return committables;
    }

    /** Publishes the output of whole vertices. */
    void commit(List<TaskContext.Committable> committables) {
        for (Stage stage : stages) {
            List<byte[]> own = committables.stream()
                    .filter(each -> each.vertex().equals(stage.name().vertex()))
                    .map(TaskContext.Committable::content)
                    .toList();
            if (!own.isEmpty() && stage.operator() instanceof CommittingSink<?> sink) {
                call(stage.name(), () -> sink.commit(own));
            }
        }
    }

    /** Closes all operators, even if some of them throw. */
    void close() {
        source.ifPresent(head -> close(head.name(), head.operator()));
        stages.forEach(stage -> close(stage.name(), stage.operator()));
    }

    private void close(OperatorName name, StreamOperator operator) {
        try {
            call(name, operator::close);
        } catch (RuntimeException e) {
            LOG.warn("Task {}: closing failed", deployment.attempt(), e);
        }
    }

    private void call(OperatorName name, Call call) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(taskContext.classLoader(name.operator()));
        try {
            call.run();
        } catch (Throwable thrown) {
            throw OperatorFailure.of(name, thrown);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private interface Call {
        void run() throws Exception;
    }

    /** Records in and out of each operator; {@code emitted} records left the last one. */
    List<OperatorMetrics> metrics(long emitted) {
        List<OperatorMetrics> metrics = new ArrayList<>();
        long out = emitted;
        for (int i = stages.size() - 1; i >= 0; i--) {
            Stage stage = stages.get(i);
            metrics.add(0, new OperatorMetrics(stage.name().vertex(), stage.recordsIn(), out));
            out = stage.recordsIn();
        }
        long emittedBySource = out;
        source.ifPresent(head -> metrics.add(0, new OperatorMetrics(head.name().vertex(), 0, emittedBySource)));
        return metrics;
    }
}

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
import io.berth.dataflow.api.ProcessOperator;
import io.berth.dataflow.api.Sink;
import io.berth.dataflow.api.Source;
import io.berth.dataflow.api.StreamOperator;
import io.berth.dataflow.api.connect.KeyedTwoInput;
import io.berth.dataflow.api.connect.TwoInputOperator;
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

    /** Creates all operators. The last one emits to {@code outputs}. */
    OperatorChain(
            TaskDeployment deployment,
            Operators operators,
            TaskContext taskContext,
            TaskCounters counters,
            TaskOutputs outputs) {
        this.deployment = deployment;
        this.operators = operators;
        this.taskContext = taskContext;
        List<ChainedOperator> chained = deployment.operators();
        Collector<Object> next = outputs.collector();
        for (int i = chained.size() - 1; i >= 0; i--) {
            ChainedOperator each = chained.get(i);
            OperatorName name = new OperatorName(each.vertex(), each.operator());
            boolean last = i == chained.size() - 1;
            TaskOperatorContext context =
                    new TaskOperatorContext(deployment, each.vertex(), taskContext, counters, sideOutput -> {
                        operators.requireSideOutput(each, sideOutput);
                        // An edge from a side output ends the chain, so within it nothing is connected.
                        return last ? outputs.collector(sideOutput) : TaskOutputs.DROPPING;
                    });
            StreamOperator operator = operators.create(each);
            if (operator instanceof Source<?> made) {
                requireFirst(i, name);
                source = Optional.of(new SourceStage(name, cast(made), context));
            } else {
                Stage stage = stage(each, name, operator, context, next);
                requireInputs(i, stage);
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

    private void requireInputs(int index, Stage stage) {
        boolean two = stage instanceof TwoInputs;
        if (two && index != 0) {
            throw new IllegalArgumentException(stage.name() + " has two inputs, but is within a chain");
        }
        for (int input = 1; index == 0 && two && input <= 2; input++) {
            int number = input;
            if (deployment.inputs().stream().noneMatch(each -> each.input() == number)) {
                throw new IllegalArgumentException(stage.name() + " has no edge to its input " + number
                        + "; allowed: at least one to each of its two inputs. With @Operator(inputs = 2) at its factory, a job"
                        + " is checked for that at submission");
            }
        }
        if (index == 0 && !two && deployment.inputs().stream().anyMatch(each -> each.input() != 1)) {
            throw new IllegalArgumentException(stage.name() + " has one input, and an edge leads to its input 2");
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
            Keying<Object, Object> keying = keying(each, name, 1);
            requireByKey(name);
            return new KeyedStage(name, cast(keyed), context, keying.selector(), store(keying), next);
        }
        if (operator instanceof TwoInputOperator<?, ?, ?> two) {
            return new TwoInputStage(name, cast(two), context, next);
        }
        if (operator instanceof KeyedTwoInput<?, ?, ?, ?> two) {
            Keying<Object, Object> first = keying(each, name, 1);
            Keying<Object, Object> second = keying(each, name, 2);
            requireByKey(name);
            return new KeyedTwoInputStage(
                    name,
                    cast(two),
                    context,
                    new KeyedTwoInputStage.Keys(first.selector(), second.selector()),
                    store(first),
                    next);
        }
        throw new IllegalArgumentException(name + " is a " + operator.getClass().getName()
                + "; allowed: Source, ProcessOperator, KeyedProcess, TwoInputOperator, KeyedTwoInput, Sink");
    }

    private Keying<Object, Object> keying(ChainedOperator each, OperatorName name, int input) {
        return operators
                .keying(each, input)
                .orElseThrow(() -> new IllegalArgumentException(name + " is keyed, but its factory "
                        + operators.factory(each).getClass().getName() + " has no keying"
                        + (input == 1 ? "" : " of its second input")));
    }

    private KeyedStore<Object> store(Keying<Object, Object> keying) {
        return new KeyedStore<>(
                keying.serializer(),
                deployment.attempt().subtask(),
                deployment.parallelism(),
                deployment.maxParallelism());
    }

    Optional<SourceStage> source() {
        return source;
    }

    /** The input of the first operator that is not a source; {@code otherwise} if there is none. */
    Collector<Object> head(Collector<Object> otherwise) {
        return stages.isEmpty() ? otherwise : stages.get(0);
    }

    /** The first or the second input of the first operator, which is no source. */
    Collector<Object> input(int number) {
        Stage head = stages.get(0);
        return number == 2 && head instanceof TwoInputs two ? two.second() : head;
    }

    /** All channels of an input have ended. */
    void endOf(int input) {
        Stage head = stages.get(0);
        if (head instanceof TwoInputs two) {
            call(head.name(), () -> two.endOf(input));
        }
    }

    /** Between two records, some times a second. */
    void betweenRecords() {
        for (Stage stage : stages) {
            try {
                stage.betweenRecords();
            } catch (Throwable thrown) {
                throw OperatorFailure.of(stage.name(), thrown);
            }
        }
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

    /** Publishes the output of whole vertices. Without committables it has been published before. */
    void commit(List<TaskContext.Committable> committables) {
        for (Stage stage : stages) {
            if (stage.operator() instanceof CommittingSink<?> sink) {
                List<byte[]> own = committables.stream()
                        .filter(each -> each.vertex().equals(stage.name().vertex()))
                        .map(TaskContext.Committable::content)
                        .toList();
                call(stage.name(), own.isEmpty() ? sink::discard : () -> sink.commit(own));
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

package io.berth.itests.operators;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.ProcessOperator;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A task of a workflow with parents and children: works when it has all of its input, and emits its checksum. */
public final class WorkflowStep implements OperatorFactory<Long, Long> {

    @Override
    public ProcessOperator<Long, Long> create(Configuration configuration) {
        return new Step(WorkflowTask.of(configuration));
    }

    @Override
    public Optional<Serializer<Long>> outputSerializer(Configuration configuration) {
        return Optional.of(Serializers.longs());
    }

    private static final class Step implements ProcessOperator<Long, Long> {

        private final WorkflowTask task;
        private final List<Long> inputs = new ArrayList<>();
        private String name = "";

        Step(WorkflowTask task) {
            this.task = task;
        }

        @Override
        public void open(OperatorContext context) {
            name = context.vertex();
        }

        @Override
        public void process(Long input, Collector<Long> out) {
            inputs.add(input);
        }

        @Override
        public void endOfInput(Collector<Long> out) throws Exception {
            task.work();
            out.collect(WorkflowTask.checksum(name, inputs));
        }
    }
}

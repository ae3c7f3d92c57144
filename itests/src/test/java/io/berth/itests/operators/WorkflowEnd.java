package io.berth.itests.operators;

import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Counter;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.Sink;
import java.util.ArrayList;
import java.util.List;

/** A task of a workflow without children: its checksum is the value of its counter {@code checksum}. */
public final class WorkflowEnd implements OperatorFactory<Long, Void> {

    @Override
    public Sink<Long> create(Configuration configuration) {
        return new End(WorkflowTask.of(configuration));
    }

    private static final class End implements Sink<Long> {

        private final WorkflowTask task;
        private final List<Long> inputs = new ArrayList<>();
        private String name = "";

        @SuppressWarnings("NullAway.Init")
        private Counter checksum;

        End(WorkflowTask task) {
            this.task = task;
        }

        @Override
        public void open(OperatorContext context) {
            name = context.vertex();
            checksum = context.counter("checksum");
        }

        @Override
        public void write(Long input) {
            inputs.add(input);
        }

        @Override
        public void endOfInput() throws Exception {
            task.work();
            checksum.add(WorkflowTask.checksum(name, inputs));
        }
    }
}

package io.berth.itests.operators;

import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;
import io.berth.dataflow.api.Source;
import io.berth.dataflow.api.SplitReader;
import java.util.List;
import java.util.Optional;

/** A task of a workflow without parents: a source of one record, its checksum. */
public final class WorkflowBegin implements OperatorFactory<Void, Long> {

    @Override
    public Source<Long> create(Configuration configuration) {
        return new Beginning(WorkflowTask.of(configuration));
    }

    @Override
    public Optional<Serializer<Long>> outputSerializer(Configuration configuration) {
        return Optional.of(Serializers.longs());
    }

    private static final class Beginning implements Source<Long> {

        private final WorkflowTask task;
        private String name = "";

        Beginning(WorkflowTask task) {
            this.task = task;
        }

        @Override
        public void open(OperatorContext context) {
            name = context.vertex();
        }

        @Override
        public List<byte[]> enumerateSplits() {
            return List.of(new byte[0]);
        }

        @Override
        public SplitReader<Long> read(byte[] split) {
            return out -> {
                task.work();
                out.collect(WorkflowTask.checksum(name, List.of()));
                return false;
            };
        }
    }
}

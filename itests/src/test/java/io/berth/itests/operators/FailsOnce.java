package io.berth.itests.operators;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.ProcessOperator;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Prints its subtask, and passes numbers on. Subtask 1 fails at its thousandth one, unless the file {@code failed} is there, which it then makes. */
public final class FailsOnce implements OperatorFactory<Long, Long> {

    @Override
    public ProcessOperator<Long, Long> create(Configuration configuration) {
        return new Passing(Path.of(configuration.text("failed")));
    }

    @Override
    public Optional<Serializer<Long>> outputSerializer(Configuration configuration) {
        return Optional.of(Serializers.longs());
    }

    private static final class Passing implements ProcessOperator<Long, Long> {

        private static final int FAILS_AT = 1_000;

        private final Path failed;
        private int subtask;
        private int numbers;

        private Passing(Path failed) {
            this.failed = failed;
        }

        @Override
        public void open(OperatorContext context) {
            subtask = context.subtask();
            System.out.println("subtask " + subtask + " is opened");
        }

        @Override
        public void process(Long number, Collector<Long> out) throws IOException {
            if (subtask == 1 && ++numbers == FAILS_AT && isFirst()) {
                throw new IllegalStateException("it fails once");
            }
            out.collect(number);
        }

        private boolean isFirst() throws IOException {
            try {
                Files.createFile(failed);
                return true;
            } catch (FileAlreadyExistsException notTheFirst) {
                return false;
            }
        }
    }
}

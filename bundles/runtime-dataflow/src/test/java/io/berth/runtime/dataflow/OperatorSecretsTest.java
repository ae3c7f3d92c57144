package io.berth.runtime.dataflow;

import static io.berth.runtime.dataflow.MiniCluster.operator;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.task.RuntimeSettings;
import io.berth.core.api.task.TaskHandle.Outcome;
import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.ProcessOperator;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;
import io.berth.dataflow.api.StreamOperator;
import io.berth.dataflow.api.Text;
import io.berth.runtime.dataflow.MiniCluster.Chain;
import io.berth.runtime.dataflow.exchange.ExchangeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class OperatorSecretsTest {

    @TempDir
    Path directory;

    private final Queue<Optional<String>> read = new ConcurrentLinkedQueue<>();

    /** Reads secrets when it is opened, as one that connects to a database does. */
    private final class Connecting implements OperatorFactory<Text, Text> {

        @Override
        public StreamOperator create(Configuration configuration) {
            return new ProcessOperator<Text, Text>() {
                @Override
                public void open(OperatorContext context) {
                    read.add(context.secret("db.password"));
                    read.add(context.secret("db.user"));
                }

                @Override
                public void process(Text line, Collector<Text> out) {
                    out.collect(line);
                }
            };
        }

        @Override
        public Optional<Serializer<Text>> outputSerializer(Configuration configuration) {
            return Optional.of(Serializers.text());
        }
    }

    @Test
    void anOperatorReadsTheSecretsOfItsWorker() throws IOException {
        Path text = Files.writeString(directory.resolve("in.txt"), "one line\n");
        try (MiniCluster cluster = new MiniCluster(1, ExchangeSettings.of(RuntimeSettings.DEFAULTS))) {
            cluster.secrets.put("db.password", "hunter2");
            cluster.factories.put("connecting", new Connecting());
            MiniCluster.Job job = cluster.submit(
                    "job",
                    List.of(new Chain(
                            List.of(
                                    operator("lines", "file-source", Map.of("path", text.toString())),
                                    operator("step", "connecting", Map.of()),
                                    operator(
                                            "file",
                                            "file-sink",
                                            Map.of(
                                                    "path",
                                                    directory.resolve("out").toString()))),
                            1,
                            Partitioning.FORWARD)));

            assertThat(job.outcomes()).containsExactly(new Outcome.Finished());
        }
        assertThat(read).containsExactly(Optional.of("hunter2"), Optional.empty());
    }
}

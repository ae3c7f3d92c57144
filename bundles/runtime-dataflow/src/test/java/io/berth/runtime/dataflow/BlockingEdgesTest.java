package io.berth.runtime.dataflow;

import static io.berth.runtime.dataflow.MiniCluster.operator;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.job.JobGraph.Exchange;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.FailureKind;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.TaskHandle.Outcome;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;
import io.berth.dataflow.api.Source;
import io.berth.dataflow.api.SplitReader;
import io.berth.runtime.dataflow.MiniCluster.Chain;
import io.berth.runtime.dataflow.exchange.ExchangeSettings;
import io.berth.runtime.dataflow.exchange.result.ResultSettings;
import io.berth.spi.JobId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs whose consumers start when their producers have ended. */
@Timeout(240)
class BlockingEdgesTest {

    private static final JobId JOB = new JobId("wc");

    @TempDir
    Path directory;

    private MiniCluster cluster;
    private Path text;
    private final Map<String, Long> counts = new TreeMap<>();

    @BeforeEach
    void start() throws IOException {
        Random random = new Random(3);
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < 30_000; i++) {
            String word = "w"
                    + Integer.toString(random.nextInt(1 + random.nextInt(3_000)), 26)
                            .replaceAll("[0-9]", "z");
            all.append(word).append(i % 20 == 19 ? '\n' : ' ');
            counts.merge(word, 1L, Long::sum);
        }
        text = Files.writeString(directory.resolve("in.txt"), all);
        cluster = cluster(1 << 30);
    }

    private MiniCluster cluster(long maxBytes) {
        MiniCluster made = new MiniCluster(
                2,
                new ExchangeSettings(
                        64 << 20, 4, 5_000, 5_000, 10_000, new ResultSettings(Optional.empty(), maxBytes, 64 << 10)));
        WordCountBench.addWordCount(made);
        made.factories.put("endless", new Endless());
        return made;
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private List<Chain> graph(Path output, int producers, int consumers) {
        List<Chain> pipelined = WordCountBench.graph(text.toString(), output, producers);
        Chain consumer = new Chain(pipelined.get(1).operators(), consumers, Partitioning.HASH, Exchange.BLOCKING);
        return List.of(pipelined.get(0), consumer, pipelined.get(2));
    }

    private Map<String, Long> read(Path output) throws IOException {
        Map<String, Long> read = new TreeMap<>();
        for (String line : Files.readAllLines(output.resolve("counts.tsv"))) {
            String[] columns = line.split("\t");
            read.put(columns[0], Long.valueOf(columns[1]));
        }
        return read;
    }

    private void produce() {
        MiniCluster.Job producers = cluster.submit("wc", graph(directory, 3, 1), 0, 1, 1);
        assertThat(producers.outcomes()).hasSize(3).containsOnly(new Outcome.Finished());
    }

    @Test
    void consumersReadAfterTheirProducersAtAnyParallelismAndAgain() throws IOException {
        produce();
        for (int parallelism : new int[] {1, 3, 7, 128}) {
            Path output = directory.resolve("out-" + parallelism);
            MiniCluster.Job consumers = cluster.submit("wc", graph(output, 3, parallelism), 1, 3, parallelism);

            assertThat(consumers.outcomes()).hasSize(parallelism + 1).containsOnly(new Outcome.Finished());
            assertThat(read(output)).isEqualTo(counts);
        }
        await().untilAsserted(() -> assertThat(cluster.workers).allSatisfy(worker -> {
            assertThat(worker.exchange().pool().isWhole()).isTrue();
            assertThat(worker.exchange().results().size()).isPositive();
        }));
        cluster.workers.forEach(worker -> worker.releaseAllResults(JOB));
        await().untilAsserted(() -> assertThat(cluster.workers).allSatisfy(worker -> {
            assertThat(worker.exchange().partitions()).isZero();
            assertThat(worker.exchange().results().bytes()).isZero();
        }));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aMissingResultFailsItsConsumersAndIsNamed(int consumers) {
        produce();
        PartitionId missing = new PartitionId(new AttemptId(JOB, "lines", 1, 1, 1), 1);
        cluster.workers.forEach(worker -> worker.releaseResults(JOB, List.of(missing)));

        MiniCluster.Job job = cluster.submit("wc", graph(directory.resolve("out"), 3, consumers), 1, 3, 2);

        List<Outcome> outcomes = new ArrayList<>(job.outcomes());
        outcomes.remove(outcomes.size() - 1);
        assertThat(outcomes).hasSize(consumers).allSatisfy(outcome -> {
            Outcome.Failed failed = (Outcome.Failed) outcome;
            assertThat(failed.lost()).contains(missing);
            assertThat(failed.kind()).isEqualTo(FailureKind.CONSEQUENCE);
            assertThat(failed.cause()).contains("partition " + missing + " of ", "its result was released");
        });
    }

    private List<Chain> endless() {
        return List.of(
                new Chain(List.of(operator("source", "endless", Map.of())), 1, Partitioning.FORWARD),
                new Chain(
                        List.of(operator("counts", "word-count", Map.of())),
                        1,
                        Partitioning.REBALANCE,
                        Exchange.BLOCKING));
    }

    @Test
    void aCanceledTaskLeavesNoFile() {
        MiniCluster.Job job = cluster.submit("wc", endless(), 0, 1, 1);
        await().until(() -> cluster.workers.get(0).exchange().results().bytes() > 1 << 20);

        job.cancel();

        assertThat(job.outcomes()).containsExactly(new Outcome.Canceled());
        assertThat(cluster.workers.get(0).exchange().results().bytes()).isZero();
        assertThat(cluster.workers.get(0).exchange().results().size()).isZero();
    }

    @Test
    void aTaskThatNeedsMoreThanTheDiskMayHoldFailsAndSaysWhy() {
        cluster.close();
        cluster = cluster(3 << 20);
        MiniCluster.Job job = cluster.submit("wc", endless(), 0, 1, 1);

        assertThat(job.outcomes()).singleElement().satisfies(outcome -> {
            Outcome.Failed failed = (Outcome.Failed) outcome;
            assertThat(failed.cause())
                    .startsWith("the result of partition wc/source[0]#1.1:1 cannot be written: ")
                    .contains("exchange.results.bytes", "job wc ");
            assertThat(failed.kind()).isEqualTo(FailureKind.TRANSIENT);
            assertThat(failed.lost()).isEmpty();
        });
        assertThat(cluster.workers.get(0).exchange().results().bytes()).isZero();
    }

    /** Random records, until it is canceled. */
    private static final class Endless implements OperatorFactory<Object, byte[]> {

        @Override
        public Source<byte[]> create(Configuration configuration) {
            return new Source<>() {
                @Override
                public List<byte[]> enumerateSplits() {
                    return List.of(new byte[1]);
                }

                @Override
                public SplitReader<byte[]> read(byte[] split) {
                    Random random = new Random(1);
                    return out -> {
                        byte[] record = new byte[1_000];
                        random.nextBytes(record);
                        out.collect(record);
                        return true;
                    };
                }
            };
        }

        @Override
        public Optional<Serializer<byte[]>> outputSerializer(Configuration configuration) {
            return Optional.of(Serializers.bytes());
        }
    }
}

package io.berth.runtime.dataflow;

import static io.berth.runtime.dataflow.MiniCluster.operator;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.task.FailureKind;
import io.berth.core.api.task.RuntimeSettings;
import io.berth.core.api.task.TaskHandle;
import io.berth.core.api.task.TaskHandle.Outcome;
import io.berth.core.api.task.TaskMetrics;
import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.ProcessOperator;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;
import io.berth.dataflow.api.Source;
import io.berth.dataflow.api.SplitReader;
import io.berth.dataflow.api.StreamOperator;
import io.berth.dataflow.api.Text;
import io.berth.runtime.dataflow.MiniCluster.Chain;
import io.berth.runtime.dataflow.exchange.ExchangeSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class DataflowRuntimeTest {

    @TempDir
    Path directory;

    private Path text;
    private long words;
    private List<String> expected;

    @BeforeEach
    void writeText() throws IOException {
        Random random = new Random(1);
        StringBuilder all = new StringBuilder();
        String[] pieces = {
            "The", "the", "fox's", "naïve", "x", "HonorificabilitudinitatibuS", "a-b", "42", "--", "\r\n", "\n", "\t"
        };
        for (int i = 0; i < 60_000; i++) {
            all.append(pieces[random.nextInt(pieces.length)])
                    .append(i % 7 == 0 ? "w" + (char) ('a' + i % 26) : "")
                    .append(' ');
        }
        text = Files.writeString(directory.resolve("in.txt"), all);
        Map<String, Long> counts = new TreeMap<>();
        Matcher matcher =
                Pattern.compile("[A-Za-z]+").matcher(new String(Files.readAllBytes(text), StandardCharsets.ISO_8859_1));
        while (matcher.find()) {
            counts.merge(matcher.group().toLowerCase(Locale.ROOT), 1L, Long::sum);
            words++;
        }
        expected = counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(entry -> entry.getKey() + "\t" + entry.getValue())
                .toList();
    }

    private final List<MiniCluster> clusters = new ArrayList<>();

    private MiniCluster cluster(int workers) {
        MiniCluster cluster = new MiniCluster(workers, ExchangeSettings.of(RuntimeSettings.DEFAULTS));
        WordCountBench.addWordCount(cluster);
        clusters.add(cluster);
        return cluster;
    }

    @AfterEach
    void stop() {
        clusters.forEach(MiniCluster::close);
    }

    private static void assertWhole(MiniCluster cluster) {
        await().untilAsserted(() -> assertThat(cluster.workers).allSatisfy(worker -> {
            assertThat(worker.exchange().pool().isWhole()).isTrue();
            assertThat(worker.exchange().partitions()).isZero();
            assertThat(worker.exchange().awaited()).isZero();
        }));
    }

    @ParameterizedTest
    @CsvSource({"1,1", "1,3", "2,2", "3,6", "2,5"})
    void wordCountEqualsAnIndependentCount(int workers, int parallelism) throws IOException {
        MiniCluster cluster = cluster(workers);
        Path output = directory.resolve("out");
        MiniCluster.Job job = cluster.submit("wc", WordCountBench.graph(text.toString(), output, parallelism));
        assertThat(job.outcomes()).allSatisfy(outcome -> assertThat(outcome).isEqualTo(new Outcome.Finished()));
        assertThat(Files.readAllLines(output.resolve("counts.tsv"))).isEqualTo(expected);
        assertThat(exchanged(job, 1)).isEqualTo(words);
        List<TaskMetrics.OperatorMetrics> first =
                job.tasks.get(0).get(0).metrics().operators();
        assertThat(first).extracting(TaskMetrics.OperatorMetrics::vertex).containsExactly("lines", "words");
        assertThat(first.get(0).recordsOut())
                .isPositive()
                .isEqualTo(first.get(1).recordsIn());
        assertThat(job.tasks.get(0).stream()
                        .mapToLong(task -> task.metrics().exchangedOut())
                        .sum())
                .isEqualTo(words);
        assertThat(job.tasks.get(2).get(0).metrics().counters())
                .containsEntry("file.bytes", Files.size(output.resolve("counts.tsv")));
        assertWhole(cluster);
    }

    @Test
    void aWorkerWithASettingThatIsNotAllowedEndsAndSaysSo() {
        List<Integer> exits = new ArrayList<>();
        assertThat(DataflowRuntime.settings("flush.interval.ms=5\nexchange.threads=2", exits::add)
                        .changed())
                .containsOnlyKeys("exchange.threads", "flush.interval.ms");
        assertThat(DataflowRuntime.settings(null, exits::add).changed()).isEmpty();
        assertThat(exits).isEmpty();
        assertThatThrownBy(() -> DataflowRuntime.settings("flush.interval.ms=no", exits::add))
                .hasMessageContaining("flush.interval.ms is 'no': allowed is a whole number from 1 to 60000");
        assertThat(exits).containsExactly(2);
    }

    @Test
    void repeatsLostCallsForSplits() throws IOException {
        MiniCluster cluster = cluster(2);
        cluster.lostSplitCalls = 2;
        Path output = directory.resolve("out");
        MiniCluster.Job job = cluster.submit("wc", WordCountBench.graph(text.toString(), output, 2));
        assertThat(job.outcomes()).allSatisfy(outcome -> assertThat(outcome).isEqualTo(new Outcome.Finished()));
        assertThat(Files.readAllLines(output.resolve("counts.tsv"))).isEqualTo(expected);
    }

    @Test
    void aSourceWithoutAnAnswerFailsAndNamesItsRequest() {
        MiniCluster cluster = cluster(1);
        cluster.lostSplitCalls = 1;
        MiniCluster.Job job = cluster.submit("wc", WordCountBench.graph(text.toString(), directory.resolve("out"), 1));
        assertThat(job.tasks.get(0).get(0).outcome().toCompletableFuture().join())
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.cause())
                                .contains(
                                        "reporting the splits of vertex 'lines' failed",
                                        "no answer from the JobMaster"));
        job.cancel();
    }

    private static long exchanged(MiniCluster.Job job, int chain) {
        return job.tasks.get(chain).stream()
                .mapToLong(task -> task.metrics().exchangedIn())
                .sum();
    }

    /** A step between lines and counts with the behavior that a test needs. */
    private interface Step {
        void process(Text line, Collector<Text> out) throws Exception;
    }

    private static OperatorFactory<Text, Text> factory(Step step, AtomicInteger closed) {
        return new OperatorFactory<>() {
            @Override
            public StreamOperator create(Configuration configuration) {
                return new ProcessOperator<Text, Text>() {
                    @Override
                    public void open(OperatorContext context) {}

                    @Override
                    public void process(Text line, Collector<Text> out) throws Exception {
                        step.process(line, out);
                    }

                    @Override
                    public void close() {
                        closed.incrementAndGet();
                    }
                };
            }

            @Override
            public Optional<Serializer<Text>> outputSerializer(Configuration configuration) {
                return Optional.of(Serializers.text());
            }
        };
    }

    private List<Chain> graphWith(String step) {
        List<Chain> graph = new ArrayList<>(WordCountBench.graph(text.toString(), directory.resolve("out"), 2));
        graph.set(
                0,
                new Chain(
                        List.of(
                                operator("lines", "file-source", Map.of("path", text.toString())),
                                operator("step", step, Map.of())),
                        2,
                        Partitioning.FORWARD));
        return graph;
    }

    @Test
    void failureNamesTheOperatorAndOthersFailAsAConsequence() throws IOException {
        MiniCluster cluster = cluster(2);
        AtomicInteger closed = new AtomicInteger();
        cluster.factories.put(
                "failing",
                factory(
                        (line, out) -> {
                            throw new IOException("no luck", new IllegalStateException("the reason"));
                        },
                        closed));
        MiniCluster.Job job = cluster.submit("failing", graphWith("failing"));
        List<Outcome> outcomes = job.outcomes();
        assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome).isInstanceOf(Outcome.Failed.class));
        List<Outcome.Failed> roots = outcomes.stream()
                .map(Outcome.Failed.class::cast)
                .filter(failed -> failed.kind() != FailureKind.CONSEQUENCE)
                .toList();
        assertThat(roots)
                .isNotEmpty()
                .allSatisfy(root -> assertThat(root.cause())
                        .contains("operator 'failing' of vertex 'step' failed", "no luck", "the reason"));
        assertThat(roots)
                .allSatisfy(root -> assertThat(root.stack())
                        .startsWith("java.io.IOException: no luck\n\tat ")
                        .contains("Caused by: java.lang.IllegalStateException: the reason")
                        .contains(getClass().getName() + "."));
        assertThat(((Outcome.Failed) outcomes.get(2)).kind()).isEqualTo(FailureKind.CONSEQUENCE);
        assertThat(((Outcome.Failed) outcomes.get(2)).stack())
                .as("it is not a failure of its code")
                .isEmpty();
        assertThat(((Outcome.Failed) outcomes.get(2)).cause()).contains("failing/lines[", "no luck");
        assertThat(closed.get()).isEqualTo(2);
        assertWhole(cluster);
        try (var files = Files.list(directory.resolve("out"))) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void cancelEndsWaitingTasksAndReturnsAllBuffers() throws Exception {
        MiniCluster cluster = cluster(2);
        AtomicInteger closed = new AtomicInteger();
        CountDownLatch stuck = new CountDownLatch(2);
        cluster.factories.put(
                "stuck",
                factory(
                        (line, out) -> {
                            out.collect(line);
                            stuck.countDown();
                            new CountDownLatch(1).await();
                        },
                        closed));
        cluster.factories.put(
                "endless",
                factory(
                        (line, out) -> {
                            while (true) {
                                out.collect(line);
                            }
                        },
                        closed));
        MiniCluster.Job waiting = cluster.submit("stuck", graphWith("stuck"));
        MiniCluster.Job flowing = cluster.submit("endless", graphWith("endless"));
        stuck.await();
        await().until(() -> exchanged(flowing, 1) > 100_000);
        waiting.cancel();
        flowing.cancel();
        for (MiniCluster.Job job : List.of(waiting, flowing)) {
            // A consumer may see the end of its producer a moment before its own cancel.
            assertThat(job.outcomes())
                    .allSatisfy(outcome -> assertThat(
                                    outcome instanceof Outcome.Failed failed
                                            ? failed.kind() == FailureKind.CONSEQUENCE
                                            : outcome instanceof Outcome.Canceled)
                            .isTrue());
            assertThat(job.tasks.get(0))
                    .allSatisfy(task -> assertThat(
                                    task.outcome().toCompletableFuture().join())
                            .isEqualTo(new Outcome.Canceled()));
        }
        assertThat(closed.get()).isEqualTo(4);
        assertWhole(cluster);
    }

    /** A source that emits one line and then nothing while it runs. */
    private static final class OneLine implements Source<Text> {
        @Override
        public List<byte[]> enumerateSplits() {
            return List.of(new byte[] {1});
        }

        @Override
        public SplitReader<Text> read(byte[] split) {
            AtomicInteger steps = new AtomicInteger();
            CountDownLatch never = new CountDownLatch(1);
            return out -> {
                if (steps.getAndIncrement() == 0) {
                    out.collect(Text.of("only"));
                }
                return !never.await(5, TimeUnit.MILLISECONDS);
            };
        }
    }

    @Test
    void oneRecordArrivesThroughTwoExchangesAlthoughNoBufferIsFull() throws InterruptedException {
        MiniCluster cluster = cluster(2);
        CountDownLatch arrived = new CountDownLatch(1);
        cluster.factories.put("one-line", new OperatorFactory<Void, Text>() {
            @Override
            public StreamOperator create(Configuration configuration) {
                return new OneLine();
            }

            @Override
            public Optional<Serializer<Text>> outputSerializer(Configuration configuration) {
                return Optional.of(Serializers.text());
            }
        });
        AtomicInteger closed = new AtomicInteger();
        cluster.factories.put("pass", factory((line, out) -> out.collect(line), closed));
        cluster.factories.put("arrived", factory((line, out) -> arrived.countDown(), closed));
        MiniCluster.Job job = cluster.submit(
                "trickle",
                List.of(
                        new Chain(List.of(operator("first", "one-line", Map.of())), 1, Partitioning.FORWARD),
                        new Chain(List.of(operator("second", "pass", Map.of())), 2, Partitioning.BROADCAST),
                        new Chain(List.of(operator("third", "arrived", Map.of())), 1, Partitioning.REBALANCE)));
        assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();
        job.cancel();
        assertThat(job.outcomes()).hasSize(4);
        assertWhole(cluster);
    }

    @Test
    void twoHundredJobsLeaveNothingBehind() throws IOException {
        MiniCluster cluster = cluster(2);
        Path small = Files.writeString(directory.resolve("small.txt"), "to be or not to be");
        int threadsAfterTen = 0;
        for (int run = 1; run <= 200; run++) {
            Path output = directory.resolve("out" + run);
            MiniCluster.Job job = cluster.submit("job-" + run, WordCountBench.graph(small.toString(), output, 2));
            assertThat(job.outcomes()).allSatisfy(outcome -> assertThat(outcome).isEqualTo(new Outcome.Finished()));
            assertThat(Files.readAllLines(output.resolve("counts.tsv")))
                    .containsExactly("be\t2", "to\t2", "not\t1", "or\t1");
            if (run == 10) {
                threadsAfterTen = runtimeThreads();
            }
        }
        assertWhole(cluster);
        int expectedThreads = threadsAfterTen;
        await().untilAsserted(() -> assertThat(runtimeThreads()).isLessThanOrEqualTo(expectedThreads));
        assertThat(cluster.workers)
                .allSatisfy(
                        worker -> assertThat(worker.exchange().connections()).isLessThanOrEqualTo(1));
    }

    private static int runtimeThreads() {
        return (int) Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("berth-runtime-dataflow"))
                .count();
    }

    @Test
    void aKeyedOperatorBehindRebalanceFailsAlsoWhereThereIsButOneSubtask() {
        MiniCluster cluster = cluster(1);
        List<Chain> chains = new ArrayList<>(WordCountBench.graph(text.toString(), directory.resolve("out"), 1));
        chains.replaceAll(chain -> new Chain(
                chain.operators(),
                chain.parallelism(),
                chain.input() == Partitioning.HASH ? Partitioning.REBALANCE : chain.input()));
        MiniCluster.Job job = cluster.submit("wc", chains);
        assertThat(job.tasks
                        .get(1)
                        .get(0)
                        .outcome()
                        .toCompletableFuture()
                        .join()
                        .toString())
                .contains("counts", "is keyed", "come by rebalance", "partitioning hash");
        job.cancel();
        job.outcomes();
        assertWhole(cluster);
    }

    @Test
    void unknownOperatorAndWrongConfigurationFailTheTaskWithTheirNames() {
        MiniCluster cluster = cluster(1);
        Chain unknown = new Chain(List.of(operator("v", "nowhere", Map.of())), 1, Partitioning.FORWARD);
        assertThat(cluster.submit("a", List.of(unknown)).outcomes())
                .first()
                .satisfies(outcome -> assertThat(((Outcome.Failed) outcome).cause())
                        .contains("operator 'nowhere' of vertex 'v'", "@Component(service = OperatorFactory.class)"));
        Chain wrong = new Chain(
                List.of(operator("v", "file-source", Map.of("path", "x", "split.bytes", "many"))),
                1,
                Partitioning.FORWARD);
        assertThat(cluster.submit("b", List.of(wrong)).outcomes())
                .first()
                .satisfies(outcome ->
                        assertThat(((Outcome.Failed) outcome).cause()).contains("split.bytes is 'many'"));
        assertWhole(cluster);
    }

    @Test
    void noThreadIsLeftWhenTheRuntimeStops() {
        MiniCluster cluster = cluster(2);
        AtomicInteger closed = new AtomicInteger();
        cluster.factories.put(
                "endless",
                factory(
                        (line, out) -> {
                            while (true) {
                                out.collect(line);
                            }
                        },
                        closed));
        MiniCluster.Job job = cluster.submit("endless", graphWith("endless"));
        await().until(() -> exchanged(job, 1) > 1000);
        cluster.close();
        clusters.remove(cluster);
        assertThat(job.tasks.stream().flatMap(List::stream).map(TaskHandle::outcome))
                .allSatisfy(outcome -> assertThat(outcome.toCompletableFuture()).isDone());
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("berth-runtime-dataflow")));
    }
}

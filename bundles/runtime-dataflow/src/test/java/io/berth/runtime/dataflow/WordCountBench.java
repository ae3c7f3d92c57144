package io.berth.runtime.dataflow;

import static io.berth.runtime.dataflow.MiniCluster.operator;

import com.sun.management.OperatingSystemMXBean;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.task.RuntimeSettings;
import io.berth.core.api.task.TaskHandle.Outcome;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import io.berth.example.wordcount.ByCount;
import io.berth.example.wordcount.WordCount;
import io.berth.example.wordcount.WordSplit;
import io.berth.runtime.dataflow.MiniCluster.Chain;
import io.berth.runtime.dataflow.exchange.ExchangeSettings;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Measures the word count without a control plane: two runtimes in one JVM, whose exchange uses a socket. Not part of
 * the test run. Arguments: a path to text, a directory for the output, runs, workers, parallelism.
 */
final class WordCountBench {

    private WordCountBench() {}

    static List<Chain> graph(String text, Path output, int parallelism) {
        return List.of(
                new Chain(
                        List.of(
                                operator("lines", "file-source", Map.of("path", text)),
                                operator("words", "word-split", Map.of())),
                        parallelism,
                        Partitioning.FORWARD),
                new Chain(List.of(operator("counts", "word-count", Map.of())), parallelism, Partitioning.HASH),
                new Chain(
                        List.of(
                                operator("order", "by-count", Map.of()),
                                operator("file", "file-sink", Map.of("path", output.toString(), "file", "counts.tsv"))),
                        1,
                        Partitioning.REBALANCE));
    }

    static void addWordCount(MiniCluster cluster) {
        cluster.factories.put("word-split", new WordSplit());
        cluster.factories.put("word-count", new WordCount());
        cluster.factories.put("by-count", new ByCount());
    }

    public static void main(String[] args) {
        int runs = Integer.parseInt(args[2]);
        int workers = Integer.parseInt(args[3]);
        int parallelism = Integer.parseInt(args[4]);
        Clock clock = new SystemClock();
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        try (MiniCluster cluster = new MiniCluster(workers, ExchangeSettings.of(RuntimeSettings.DEFAULTS))) {
            addWordCount(cluster);
            for (int run = 1; run <= runs; run++) {
                long cpu = system.getProcessCpuTime();
                long start = clock.nanos();
                MiniCluster.Job job = cluster.submit("bench-" + run, graph(args[0], Path.of(args[1]), parallelism));
                List<Outcome> outcomes = job.outcomes();
                long nanos = clock.nanos() - start;
                long cpuMillis = (system.getProcessCpuTime() - cpu) / 1_000_000;
                long words = job.tasks.get(1).stream()
                        .mapToLong(task -> task.metrics().exchangedIn())
                        .sum();
                System.out.printf(
                        "run=%d workers=%d parallelism=%d words=%d millis=%d wordsPerSecond=%d cpuMillis=%d %s%n",
                        run,
                        workers,
                        parallelism,
                        words,
                        nanos / 1_000_000,
                        words * 1_000_000_000L / nanos,
                        cpuMillis,
                        outcomes.stream().allMatch(Outcome.Finished.class::isInstance) ? "" : outcomes);
            }
        }
    }
}

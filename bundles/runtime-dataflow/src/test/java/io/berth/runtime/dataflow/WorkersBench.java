package io.berth.runtime.dataflow;

import com.sun.management.OperatingSystemMXBean;
import io.berth.core.api.task.RuntimeSettings;
import io.berth.core.api.task.TaskHandle.Outcome;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import io.berth.runtime.dataflow.exchange.ExchangeSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the word count on two workers in separate processes, without a control plane. Not part of the test run.
 * Arguments: a path to text, a directory for the output, runs, workers, parallelism.
 */
final class WorkersBench {

    private WorkersBench() {}

    /** A worker process, driven over its standard input and output. */
    private record Worker(Process process, PrintWriter to, BufferedReader from) {
        static Worker start(int index, String[] args) throws IOException {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx1g",
                            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                            "-cp",
                            System.getProperty("java.class.path"),
                            WorkersBench.class.getName(),
                            args[0],
                            args[1],
                            args[2],
                            args[3],
                            args[4],
                            Integer.toString(index))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            return new Worker(
                    process,
                    new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8),
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)));
        }
    }

    public static void main(String[] args) throws IOException {
        if (args.length == 6) {
            work(args);
            return;
        }
        int runs = Integer.parseInt(args[2]);
        List<Worker> workers = new ArrayList<>();
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[3]); i++) {
            workers.add(Worker.start(i, args));
            addresses.add(workers.get(i).from().readLine());
        }
        workers.forEach(worker -> worker.to().println(String.join(" ", addresses)));
        Clock clock = new SystemClock();
        for (int run = 1; run <= runs; run++) {
            long start = clock.nanos();
            for (Worker worker : workers) {
                worker.to().println("run-" + run);
            }
            long words = 0;
            long cpu = 0;
            for (Worker worker : workers) {
                String[] done = worker.from().readLine().split(" ");
                words += Long.parseLong(done[0]);
                cpu += Long.parseLong(done[1]);
            }
            long nanos = clock.nanos() - start;
            System.out.printf(
                    "run=%d processes=%d parallelism=%s words=%d millis=%d wordsPerSecond=%d cpuMillis=%d%n",
                    run, workers.size(), args[4], words, nanos / 1_000_000, words * 1_000_000_000L / nanos, cpu);
        }
        workers.forEach(worker -> worker.to().close());
    }

    private static void work(String[] args) throws IOException {
        int parallelism = Integer.parseInt(args[4]);
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (MiniCluster cluster =
                MiniCluster.worker(Integer.parseInt(args[5]), ExchangeSettings.of(RuntimeSettings.DEFAULTS))) {
            WordCountBench.addWordCount(cluster);
            System.out.println(cluster.workers.get(0).dataAddress());
            cluster.join(List.of(in.readLine().split(" ")));
            for (String id = in.readLine(); id != null; id = in.readLine()) {
                long cpu = system.getProcessCpuTime();
                MiniCluster.Job job = cluster.submit(id, WordCountBench.graph(args[0], Path.of(args[1]), parallelism));
                List<Outcome> outcomes = job.outcomes();
                if (!outcomes.stream().allMatch(Outcome.Finished.class::isInstance)) {
                    System.err.println(outcomes);
                }
                long words = job.tasks.get(1).stream()
                        .mapToLong(task -> task.metrics().exchangedIn())
                        .sum();
                System.out.println(words + " " + (system.getProcessCpuTime() - cpu) / 1_000_000);
            }
        }
    }
}

package io.berth.itests;

import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobDetails.VertexDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Problem;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.JobOperations.SubmitResult;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The actions of a user of a cluster, from inside its control plane. Every call is bounded. */
final class Cluster {

    private static final long CALL_SECONDS = 20;

    private final JobOperations jobs;
    private final ClusterOperations cluster;

    Cluster(JobOperations jobs, ClusterOperations cluster) {
        this.jobs = jobs;
        this.cluster = cluster;
    }

    /** A file that the test run names; see {@link BerthContainer#artifacts}. */
    static Path file(String property) {
        return Path.of(System.getProperty(property));
    }

    /** A new empty directory for the test. */
    static Path scratch(String name) throws Exception {
        Path parent = Files.createDirectories(Path.of(System.getProperty("karaf.data"), "scratch"));
        return Files.createTempDirectory(parent, name);
    }

    /** Names of the files of an output directory, including temporary ones, without the hidden manifest of the sink. */
    static List<String> files(Path output) throws IOException {
        try (Stream<Path> files = Files.list(output)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.startsWith(".berth-") || name.endsWith(".tmp"))
                    .sorted()
                    .toList();
        }
    }

    /** Stores a bundle of user code and returns its hash. */
    String bundle(Path jar) throws Exception {
        byte[] content = Files.readAllBytes(jar);
        String sha256 =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        jobs.storeBundle(sha256, new ByteArrayInputStream(content));
        return sha256;
    }

    JobId submit(String description) throws Exception {
        SubmitResult result = await(jobs.submit(description));
        if (result instanceof SubmitResult.Submitted submitted) {
            return submitted.job();
        }
        throw new AssertionError("refused: " + result + "\n" + description);
    }

    /** Problems of a description that must be rejected. */
    List<Problem> refusal(String description) throws Exception {
        SubmitResult result = await(jobs.submit(description));
        if (result instanceof SubmitResult.Refused refused) {
            return refused.problems();
        }
        throw new AssertionError("was submitted as " + result + ":\n" + description);
    }

    List<JobDetails> jobs() throws Exception {
        return await(jobs.jobs());
    }

    JobDetails job(JobId job) throws Exception {
        return await(jobs.job(job)).orElseThrow(() -> new AssertionError("no job " + job));
    }

    void cancel(JobId job) throws Exception {
        await(jobs.cancel(job, "the test ends"));
    }

    ClusterDetails state() throws Exception {
        return await(cluster.cluster());
    }

    /** Waits for a state of the job. If the job ends otherwise, the test fails at once with the reason. */
    JobDetails await(JobId job, String what, Duration limit, Predicate<JobDetails> condition) throws Exception {
        JobDetails[] last = {job(job)};
        Await.until(() -> "job " + job + " " + what + ", but " + text(last[0]), limit, () -> {
            last[0] = job(job);
            if (condition.test(last[0])) {
                return true;
            }
            if (last[0].status().isTerminal()) {
                throw new AssertionError("job " + job + " should be " + what + ", but " + text(last[0]));
            }
            return false;
        });
        return last[0];
    }

    JobDetails finished(JobId job, Duration limit) throws Exception {
        return await(job, "finished", limit, details -> details.status() == JobStatus.FINISHED);
    }

    /** Waits until all tasks run and the first records have arrived at the last vertex. */
    JobDetails running(JobId job, Duration limit) throws Exception {
        return await(
                job,
                "running",
                limit,
                details -> details.status() == JobStatus.EXECUTING
                        && details.vertices().stream().allMatch(vertex -> vertex.running() == vertex.parallelism())
                        && details.vertices().get(details.vertices().size() - 1).recordsIn() > 0);
    }

    void workers(int count, Duration limit) throws Exception {
        Await.until(count + " workers registered", limit, () -> registered().size() == count);
    }

    List<String> registered() throws Exception {
        return state().workers().stream()
                .filter(worker -> worker.state().equals("registered"))
                .map(ClusterDetails.WorkerDetails::id)
                .toList();
    }

    static VertexDetails vertex(JobDetails job, String name) {
        return job.vertices().stream()
                .filter(vertex -> vertex.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no vertex " + name + " in " + job.vertices()));
    }

    static List<String> workersOf(JobDetails job) {
        return job.slots().stream().map(JobDetails.SlotDetails::worker).sorted().toList();
    }

    static String text(JobDetails job) {
        return "it is " + job.status().label() + " (" + job.reason() + "), vertices " + job.vertices() + ", slots "
                + job.slots() + ", history " + job.history();
    }

    /** The process of a worker that this instance started. */
    static Optional<ProcessHandle> process(WorkerId worker) {
        return WorkerProcesses.below(Path.of(System.getProperty("karaf.home"))).stream()
                .filter(process -> WorkerProcesses.commandLine(process).contains("--id " + worker.value() + " "))
                .findFirst();
    }

    static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(CALL_SECONDS, TimeUnit.SECONDS);
    }

    /** The numbers in the files that a file sink wrote, sorted. */
    static List<Long> numbersIn(Path output) throws Exception {
        List<Long> numbers = new ArrayList<>();
        try (Stream<Path> files = Files.list(output)) {
            for (Path file : files.filter(file -> file.getFileName().toString().startsWith("part"))
                    .toList()) {
                Files.readAllLines(file).forEach(line -> numbers.add(Long.parseLong(line)));
            }
        }
        return numbers.stream().sorted().toList();
    }
}

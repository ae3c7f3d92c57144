package ${package}.submit;

import io.berth.client.BerthClient;
import io.berth.client.Job;
import io.berth.client.JobDescription;
import io.berth.client.JobInfo;
import io.berth.client.JobStatus;
import io.berth.client.Partitioning;
import java.nio.file.Path;
import java.time.Duration;

/** Submits the job of src/main/job/batch.yaml from Java and waits for its end. This package is not in the bundle. */
public final class SubmitJob {

    private SubmitJob() {}

    /**
     * Runs the job on the cluster that the variable BERTH_URL names.
     *
     * @param arguments the bundle, the file to read and the folder to write to
     */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 3) {
            throw new IllegalArgumentException("3 arguments are needed: BUNDLE INPUT RESULT");
        }
        String url = System.getenv().getOrDefault("BERTH_URL", "http://127.0.0.1:8181");
        Job job = BerthClient.at(url)
                .submit(description(Path.of(arguments[0]), Path.of(arguments[1]), Path.of(arguments[2])));
        System.out.println("submitted " + job.id());
        JobInfo end = job.awaitEnd(Duration.ofMinutes(10));
        System.out.println(end.status() + " " + end.reason());
        if (end.status() != JobStatus.FINISHED) {
            throw new IllegalStateException("the job is " + end.status() + ": " + end.reason());
        }
    }

    /** The job of src/main/job/batch.yaml, with these paths. */
    public static JobDescription description(Path bundle, Path input, Path result) {
        return JobDescription.named("${artifactId}")
                .bundle(bundle)
                .vertex("read", "file-source", v -> v.parallelism(1, 2).set("path", input.toString()))
                .vertex("parse", "parse-visit", v -> v.parallelism(1, 2))
                .vertex("sum", "sum-by-page", v -> v.parallelism(1, 2))
                .vertex("write", "csv-sink", v -> v.set("path", result.toString()).set("file", "pages.csv"))
                .vertex("reject", "file-sink", v -> v.set("path", result.toString()).set("file", "rejected.txt"))
                .edge("read", "parse", Partitioning.FORWARD)
                .edge("parse", "sum", Partitioning.HASH)
                .edge("parse", "reject", Partitioning.REBALANCE, e -> e.output("rejected"))
                .edge("sum", "write", Partitioning.REBALANCE)
                .build();
    }
}

package ${package};

import static org.assertj.core.api.Assertions.assertThat;

import ${package}.submit.SubmitJob;
import io.berth.client.JobDescription;
import io.berth.client.JobInfo;
import io.berth.client.JobStatus;
import io.berth.testcluster.BerthTestCluster;
import io.berth.testcluster.BerthTestExtension;
import io.berth.testcluster.TestJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The whole jobs, on a control plane and two workers in this JVM. */
class JobTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** What "@Operator" says of each operator in the bundle, this says here. Each test has a cluster of its own. */
    @RegisterExtension
    final BerthTestExtension berth = BerthTestExtension.of(BerthTestCluster.builder()
            .operator("parse-visit", new ParseVisit())
            .sideOutputs("parse-visit", "rejected")
            .keyedOperator("sum-by-page", new SumByPage())
            .operator("random-visit", new RandomVisit()));

    @TempDir
    private Path folder;

    /** As Maven wrote it: this is the file that is submitted. */
    private static JobDescription description(String file) throws Exception {
        return JobDescription.of(Files.readString(Path.of("target", file)));
    }

    @Test
    void theBatchJobSumsUpTheVisitsOfTheProject() throws Exception {
        JobInfo end = berth.cluster().run(description("batch.yaml"), LIMIT);
        assertThat(end.status()).as(end.reason()).isEqualTo(JobStatus.FINISHED);
        Path result = Path.of("target", "result");
        assertThat(Files.readAllLines(result.resolve("pages.csv")))
                .containsExactlyInAnyOrder(
                        "page,visits,totalMillis,slowestMillis", "/home,3,39,17", "/search,3,495,260", "/cart,1,35,35");
        assertThat(Files.readAllLines(result.resolve("rejected.txt")))
                .containsExactlyInAnyOrder("a line that is no visit", "2026-03-01T08:00:13Z /cart slow");
    }

    @Test
    void theJobThatIsBuiltInJavaDoesTheSame() throws Exception {
        Path input = Files.writeString(folder.resolve("input"), "2026-03-01T08:00:00Z /home 12\n");
        JobInfo end = berth.cluster()
                .run(SubmitJob.description(Path.of("not-used.jar"), input, folder.resolve("result")), LIMIT);
        assertThat(end.status()).as(end.reason()).isEqualTo(JobStatus.FINISHED);
        assertThat(Files.readAllLines(folder.resolve("result").resolve("pages.csv")))
                .containsExactly("page,visits,totalMillis,slowestMillis", "/home,1,12,12");
    }

    @Test
    void theStreamingJobRunsOnWhenItsWorkersAreLostAndWhenItIsScaled() throws Exception {
        TestJob job = berth.cluster().submit(description("stream.yaml"));
        job.await(info -> info.vertex("sum").recordsIn() > 0, LIMIT);
        berth.cluster().addWorker();
        berth.cluster().killWorker("worker-1");
        berth.cluster().killWorker("worker-2");
        job.await(info -> info.restarts() > 0 && info.vertex("sum").recordsIn() > 0, LIMIT);
        job.scale("sum", 1, 1);
        job.await(info -> info.vertex("sum").parallelism() == 1, LIMIT);
        job.cancel();
        assertThat(job.awaitEnd(LIMIT).status()).isEqualTo(JobStatus.CANCELED);
    }
}

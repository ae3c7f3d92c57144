package io.berth.ops.shell.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobDetails.GroupDetails;
import io.berth.core.api.job.JobDetails.Transition;
import io.berth.core.api.job.JobDetails.VertexDetails;
import io.berth.core.api.job.JobEvents;
import io.berth.core.api.job.JobFailure;
import io.berth.core.api.job.JobFailure.TaskFailure;
import io.berth.core.api.job.JobRescale;
import io.berth.core.api.job.JobRescale.Change;
import io.berth.core.api.job.JobRescale.Kind;
import io.berth.core.api.job.JobRescale.Outcome;
import io.berth.core.api.job.JobRescale.Phase;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.job.Waiting;
import io.berth.spi.JobId;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class JobReportTest {

    private static final JobDetails JOB = JobDetails.of(new JobId("job-1"), "job")
            .queue("q")
            .submissionIndex(1)
            .status(JobStatus.EXECUTING)
            .submittedMillis(1)
            .startedMillis(2)
            .vertices(List.of(new VertexDetails("read", "file-source", 1, 2, 3, 2, 2, 0, 10, 20, 5)))
            .groups(List.of(new GroupDetails("default", "{1 cpu, 1 GiB}", 1, 2, 2)))
            .counters(new TreeMap<>(Map.of("words", 3L)))
            .history(List.of(new Transition(1, JobStatus.CREATED, "")))
            .build();

    @Test
    void printsAJobWithItsVerticesAndHistory() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        JobReport.print(JOB, new PrintStream(bytes, true, StandardCharsets.UTF_8));

        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .contains("Job job-1 (job): Executing")
                .contains("file-source")
                .contains("1:2:3")
                .contains("words 3")
                .contains("1970-01-01T00:00:00.001Z Created");
    }

    @Test
    void printsWhatHappenedToAJob() {
        TaskFailure cause =
                new TaskFailure(5_000, "count[3]", "w-1", "no such file", "java.io.IOException\n\tat Count");
        TaskFailure other = new TaskFailure(5_001, "sink[0]", "w-2", "connection broken", "");
        JobDetails job = JOB.toBuilder()
                .events(new JobEvents(
                        List.of(new JobFailure(4, cause, List.of(other), 1)),
                        List.of(new JobRescale(
                                7_000,
                                Kind.MOVE,
                                "worker w-1 leaves",
                                "",
                                List.of(new Change("read", 2, 2)),
                                List.of(new Change("default", 2, 0)),
                                List.of(new Phase(JobStatus.RESTARTING, 40)),
                                Outcome.UNDER_WAY))))
                .build();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        JobHistoryReport.print(job, new PrintStream(bytes, true, StandardCharsets.UTF_8));

        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .contains("1970-01-01T00:00:00.001Z Created")
                .contains(
                        "1970-01-01T00:00:05Z execution 4 failed: no such file\n    java.io.IOException\n    \tat Count\n")
                .contains("  1 other task failed with it: sink[0] on worker w-2\n")
                .containsPattern("move +.*under way .*Restarting 40 ms.*same.*default 2 -> \\?.*worker w-1 leaves");
    }

    @Test
    void saysWhetherTheExpectedRunTimeWasLearned() {
        assertThat(report(JOB)).doesNotContain("expected to run");
        JobDetails stated = JOB.toBuilder().expectedRuntimeMillis(300_000).build();
        assertThat(report(stated).lines()).contains("expected to run for 5 min");
        assertThat(report(stated.toBuilder().runtimeLearnedFrom(1).build()).lines())
                .contains("expected to run for 5 min, learned from 1 earlier run");
        assertThat(report(stated.toBuilder().runtimeLearnedFrom(3).build()).lines())
                .contains("expected to run for 5 min, learned from 3 earlier runs");
    }

    private static String report(JobDetails job) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        JobReport.print(job, new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void printsWhyAJobWaitsAsATreeWithTheFirstCause() {
        Reason first = Reason.of(ReasonCode.NO_STRATEGY, "no matching strategy");
        Reason now = Reason.of(
                ReasonCode.POOL_LIMIT,
                "needs 3 x {1 cpu, 4 GiB}, 1 fits",
                List.of(Reason.counted(ReasonCode.NO_MEMORY, 14, "14 workers have cpu but no memory")));
        JobDetails waiting = JOB.withWaiting(new Waiting(first, 1, now, 2));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        JobReport.print(waiting, new PrintStream(bytes, true, StandardCharsets.UTF_8));

        assertThat(bytes.toString(StandardCharsets.UTF_8).lines().toList())
                .containsSubsequence(
                        "waits since 1970-01-01T00:00:00.002Z for",
                        "  POOL_LIMIT: needs 3 x {1 cpu, 4 GiB}, 1 fits",
                        "    NO_MEMORY 14: 14 workers have cpu but no memory",
                        "first cause, of 1970-01-01T00:00:00.001Z",
                        "  NO_STRATEGY: no matching strategy");
        assertThat(JobReport.why(waiting)).isEqualTo("POOL_LIMIT");
        assertThat(JobReport.why(JOB)).isEmpty();
    }
}

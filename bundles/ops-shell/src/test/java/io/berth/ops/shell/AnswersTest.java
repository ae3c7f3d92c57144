package io.berth.ops.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobDetails.GroupDetails;
import io.berth.core.api.job.JobDetails.Transition;
import io.berth.core.api.job.JobDetails.VertexDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.job.Waiting;
import io.berth.core.api.operations.PolicyOperations.ChoiceDetails;
import io.berth.core.api.operations.PolicyOperations.UseResult;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnswersTest {

    private static final JobDetails JOB = new JobDetails(new JobId("job-1"), "job", "default", "q", 0, 1,
            JobStatus.EXECUTING, 1, 2, 0, 0, 0, 0, "", List.of(new VertexDetails("read", "file-source", 1, 2, 3, 2, 2,
            0, 10, 20, 5)), List.of(new GroupDetails("default", "{1 cpu, 1 GiB}", 1, 2, 2)), List.of(),
            new TreeMap<>(Map.of("words", 3L)), List.of(new Transition(1, JobStatus.CREATED, "")));

    @Test
    void writesStatesAndKindsInTheWordsOfUsers() {
        assertThat(Answers.json(JOB)).contains("\"id\" : \"job-1\"").contains("\"status\" : \"Executing\"");
        assertThat(Answers.json(List.of(PolicyKind.MATCHING))).contains("\"matching\"");
    }

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
    void printsWhyAJobWaitsAsATreeWithTheFirstCause() {
        Reason first = Reason.of(ReasonCode.NO_STRATEGY, "no matching strategy");
        Reason now = Reason.of(ReasonCode.POOL_LIMIT, "needs 3 x {1 cpu, 4 GiB}, 1 fits",
                List.of(Reason.counted(ReasonCode.NO_MEMORY, 14, "14 workers have cpu but no memory")));
        JobDetails waiting = JOB.with(new Waiting(first, 1, now, 2));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        JobReport.print(waiting, new PrintStream(bytes, true, StandardCharsets.UTF_8));

        assertThat(bytes.toString(StandardCharsets.UTF_8).lines().toList()).containsSubsequence(
                "waits since 1970-01-01T00:00:00.002Z for",
                "  POOL_LIMIT: needs 3 x {1 cpu, 4 GiB}, 1 fits",
                "    NO_MEMORY 14: 14 workers have cpu but no memory",
                "first cause, of 1970-01-01T00:00:00.001Z",
                "  NO_STRATEGY: no matching strategy");
        assertThat(JobReport.why(waiting)).isEqualTo("POOL_LIMIT");
        assertThat(JobReport.why(JOB)).isEmpty();
        assertThat(Answers.json(waiting)).contains("\"code\" : \"NO_MEMORY\"").contains("\"count\" : 14");
    }

    @Test
    void namesTheKindsThatThereAre() {
        assertThat(Answers.kind("scaling")).isEqualTo(PolicyKind.SCALING);
        assertThatThrownBy(() -> Answers.kind("cooking")).hasMessageContaining("'cooking'").hasMessageContaining(
                "matching, distribution, scaling, backend");
    }

    @Test
    void tellsWhoCameFirst() {
        assertThat(Answers.index(-1)).isEmpty();
        assertThat(Answers.index(new UseResult.Changed(3))).isEqualTo(3);
        assertThatThrownBy(() -> Answers.index(
                        new UseResult.Conflict(new ChoiceDetails(PolicyKind.MATCHING, "spread", 4, "REST", 1))))
                .hasMessageContaining("matching is 'spread' at index 4, by REST at 1970");
    }

    @Test
    void failsWithTheMessageOfAFailedStage() {
        assertThatThrownBy(() -> Answers.await(CompletableFuture.failedFuture(new IllegalStateException("gone"))))
                .hasMessage("gone");
    }

    @Test
    void hashesAFile(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("a"), "abc");

        assertThat(Answers.hash(file)).isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}

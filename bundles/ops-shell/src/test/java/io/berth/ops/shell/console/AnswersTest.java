package io.berth.ops.shell.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.job.JobDetails;
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
import java.util.concurrent.CompletableFuture;
import org.apache.karaf.shell.support.table.ShellTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnswersTest {

    private static final JobDetails JOB = JobDetails.of(new JobId("job-1"), "job")
            .queue("q")
            .submissionIndex(1)
            .status(JobStatus.EXECUTING)
            .submittedMillis(1)
            .startedMillis(2)
            .build();

    @Test
    void writesStatesAndKindsWithTheirDisplayNames() {
        assertThat(Answers.json(JOB)).contains("\"id\" : \"job-1\"").contains("\"status\" : \"Executing\"");
        assertThat(Answers.json(List.of(PolicyKind.MATCHING))).contains("\"matching\"");
    }

    @Test
    void writesWhyAJobWaits() {
        Reason now = Reason.of(
                ReasonCode.POOL_LIMIT,
                "needs 3 x {1 cpu, 4 GiB}, 1 fits",
                List.of(Reason.counted(ReasonCode.NO_MEMORY, 14, "14 workers have cpu but no memory")));

        assertThat(Answers.json(JOB.withWaiting(Waiting.since(1, now))))
                .contains("\"code\" : \"NO_MEMORY\"")
                .contains("\"count\" : 14");
    }

    @Test
    void theErrorForAnUnknownKindListsTheAllowedOnes() {
        assertThat(Answers.kind("scaling")).isEqualTo(PolicyKind.SCALING);
        assertThatThrownBy(() -> Answers.kind("cooking"))
                .hasMessageContaining("'cooking'")
                .hasMessageContaining("matching, distribution, scaling, backend");
    }

    @Test
    void aConflictNamesTheCurrentChoice() {
        assertThat(Answers.index(-1)).isEmpty();
        assertThat(Answers.index(new UseResult.Changed(3))).isEqualTo(3);
        assertThatThrownBy(() -> Answers.index(
                        new UseResult.Conflict(new ChoiceDetails(PolicyKind.MATCHING, "spread", 4, "REST", 1, ""))))
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

    @Test
    void controlCharactersFromATaskAreNotPrinted() {
        String said = "gone\u001b[2J\u009b31m\u202eback";
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            ShellTable table = Answers.table("Reason " + said);
            table.addRow().addContent(said);
            table.print(Answers.out());
            Answers.out().println("Job failed, " + said);
            Answers.print(List.of(said));
        } finally {
            System.setOut(before);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("gone [2J 31m back")
                .doesNotContain("\u001b", "\u009b", "\u202e");
        assertThatThrownBy(() -> Answers.await(CompletableFuture.failedFuture(new IllegalStateException(said))))
                .hasMessage("gone [2J 31m back");
    }
}

package io.berth.core.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.dispatcher.state.DispatcherSettings;
import io.berth.spi.JobId;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job that states no expected run time receives that of earlier runs. */
class LearnedRuntimesTest {

    private static final DispatcherSettings LEARNING = new DispatcherSettings(100, true, 2_000);

    @TempDir
    private Path directory;

    private TestControlPlane plane;

    @BeforeEach
    void open() throws IOException {
        plane = new TestControlPlane(directory);
        configure(LEARNING);
        plane.start();
    }

    private void configure(DispatcherSettings settings) {
        plane.settings = settings;
        if (plane.term != null) {
            plane.term.configure(settings);
        }
    }

    private JobId submit(String name, String more) {
        return plane.submit(
                "{name: " + name + ", vertices: [{name: a, operator: file-source, parallelism: {min: 1, max: 2},"
                        + " configuration: {path: /t}}]" + more + "}");
    }

    private void ran(String name, String more, JobStatus end, long millis) {
        JobId id = submit(name, more);
        JobDetails details = plane.job(id).toBuilder()
                .status(end)
                .startedMillis(1)
                .endedMillis(2)
                .runMillis(millis)
                .build();
        TestControlPlane.now(plane.gateway().jobChanged(id, plane.cluster.jobMasterId(id), details));
        plane.cluster.lose(id);
    }

    private void ran(String name, long... millis) {
        for (long run : millis) {
            ran(name, "", JobStatus.FINISHED, run);
        }
    }

    private void assertExpected(JobId id, long millis, int runs) {
        JobDetails job = plane.job(id);
        assertThat(job.expectedRuntimeMillis()).isEqualTo(millis);
        assertThat(job.runtimeLearnedFrom()).isEqualTo(runs);
    }

    @Test
    void theMedianOfTheRunsOfTheSameNameIsExpected() {
        assertExpected(submit("etl", ""), 0, 0);
        ran("etl", 700);
        assertExpected(submit("etl", ""), 700, 1);
        ran("etl", 100);
        assertExpected(submit("etl", ""), 400, 2);
        ran("etl", 300);
        assertExpected(submit("etl", ""), 300, 3);
        assertExpected(submit("another", ""), 0, 0);
        assertExpected(submit("et", ""), 0, 0);
    }

    @Test
    void theLastFiveRunsCount() {
        ran("etl", 9_000, 9_000, 9_000, 10, 20, 50, 40, 30);
        assertExpected(submit("etl", ""), 30, 5);
    }

    @Test
    void onlyFinishedJobsCount() {
        ran("etl", "", JobStatus.FAILED, 1);
        ran("etl", "", JobStatus.CANCELED, 2);
        ran("etl", "", JobStatus.FINISHED, 0);
        assertExpected(submit("etl", ""), 0, 0);
        ran("etl", 500);
        ran("etl", "", JobStatus.FAILED, 1);
        assertExpected(submit("etl", ""), 500, 1);
    }

    @Test
    void theRunsOfASubmitterCountForThatOne() {
        ran("etl", ", submitter: ann", JobStatus.FINISHED, 100);
        ran("etl", ", submitter: bob", JobStatus.FINISHED, 900);
        assertExpected(submit("etl", ", submitter: ann"), 100, 1);
        assertExpected(submit("etl", ", submitter: bob"), 900, 1);
        assertExpected(submit("etl", ", submitter: eve"), 0, 0);
        assertExpected(submit("etl", ""), 500, 2);
        ran("etl", 800);
        assertExpected(submit("etl", ", submitter: ann"), 100, 1);
        assertExpected(submit("etl", ""), 800, 3);
    }

    @Test
    void whatAJobStatesWins() {
        ran("etl", 100);
        assertExpected(submit("etl", ", expectedRuntime: 90s"), 90_000, 0);
    }

    @Test
    void aLearnedTimeIsNotLearnedFromAgain() {
        ran("etl", 100);
        submit("etl", "");
        ran("etl", 300);
        assertExpected(submit("etl", ""), 200, 2);
    }

    @Test
    void theConfigurationDecidesWithAJobThatIsSubmittedLater() {
        ran("etl", 100);
        JobId before = submit("etl", "");
        configure(new DispatcherSettings(100, false, 2_000));
        assertExpected(submit("etl", ""), 0, 0);
        assertExpected(before, 100, 1);
        configure(LEARNING);
        assertExpected(submit("etl", ""), 100, 1);
    }

    @Test
    void itIsFixedAtSubmissionAndSurvivesATakeover() throws IOException {
        ran("etl", 100, 300);
        JobId id = submit("etl", "");
        ran("etl", 900, 900);
        assertExpected(id, 200, 2);
        plane.restartAll();
        assertExpected(id, 200, 2);
        assertThat(plane.cluster
                        .started
                        .get(plane.cluster.started.size() - 1)
                        .graph()
                        .attributes()
                        .runtimeLearnedFrom())
                .as("the next JobMaster receives it")
                .isEqualTo(2);
        assertExpected(submit("etl", ""), 600, 4);
    }

    @Test
    void runsThatAreForgottenDoNotCount() {
        ran("etl", 100, 300, 500);
        configure(new DispatcherSettings(1, true, 2_000));
        assertExpected(submit("etl", ""), 500, 1);
        configure(new DispatcherSettings(0, true, 2_000));
        assertExpected(submit("etl", ""), 0, 0);
        ran("etl", ", submitter: ann", JobStatus.FINISHED, 100);
        assertExpected(submit("etl", ", submitter: ann"), 0, 0);
    }
}

package io.berth.core.dispatcher;

import static io.berth.core.dispatcher.TestControlPlane.JOB;
import static io.berth.core.dispatcher.TestControlPlane.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.access.User;
import io.berth.core.api.access.UserRole;
import io.berth.core.api.job.Problem;
import io.berth.core.api.operations.JobOperations.SubmitResult;
import io.berth.spi.JobId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose a job is. */
class SubmittersTest {

    private static final User ANN = new User("ann", UserRole.SUBMITTER);
    private static final User BOB = new User("bob", UserRole.SUBMITTER);
    private static final User OLGA = new User("olga", UserRole.OPERATOR);
    private static final String FOR_BOB = JOB.replace("{name: short", "{submitter: bob, name: short");

    @TempDir
    Path directory;

    private TestControlPlane plane;

    @BeforeEach
    void open() throws IOException {
        plane = new TestControlPlane(directory);
        plane.start();
    }

    private SubmitResult submit(String description, String key, User... user) {
        return now(plane.term
                .jobs()
                .submit(description, Optional.of(key), List.of(user).stream().findFirst()));
    }

    private String submitterOf(SubmitResult result) {
        JobId job = ((SubmitResult.Submitted) result).job();
        return now(plane.term.jobs().job(job)).orElseThrow().submitter();
    }

    @Test
    void aJobIsOfTheUserWhoSubmitsIt() {
        assertThat(submitterOf(submit(JOB, "k-1", ANN))).isEqualTo("ann");
        assertThat(submitterOf(submit(FOR_BOB, "k-1", BOB))).isEqualTo("bob");
        assertThat(submitterOf(submit(JOB, "k-1"))).as("not known").isEmpty();
        assertThat(submitterOf(submit(FOR_BOB, "k-2")))
                .as("as it says, when users are not known")
                .isEqualTo("bob");
    }

    @Test
    void onlyAnOperatorSubmitsForOthers() {
        assertThat(submit(FOR_BOB, "k-1", ANN))
                .isEqualTo(new SubmitResult.Refused(List.of(
                        new Problem("submitter", "'bob'", "'ann', who submits it; others need the role operator"))));
        assertThat(now(plane.term.jobs().jobs())).isEmpty();
        assertThat(submitterOf(submit(FOR_BOB, "k-1", OLGA))).isEqualTo("bob");
    }

    @Test
    void theKeyOfASubmissionIsThatOfItsUser() throws IOException {
        SubmitResult ofAnn = submit(JOB, "k-1", ANN);
        SubmitResult ofBob = submit(JOB, "k-1", BOB);
        assertThat(ofBob).isInstanceOf(SubmitResult.Submitted.class).isNotEqualTo(ofAnn);

        plane.restart();
        JobId job = ((SubmitResult.Submitted) ofAnn).job();
        assertThat(submit(JOB, "k-1", ANN)).isEqualTo(new SubmitResult.Repeated(job));
        assertThat(submit(JOB, "k-1")).as("someone who is not known").isInstanceOf(SubmitResult.Submitted.class);
    }
}

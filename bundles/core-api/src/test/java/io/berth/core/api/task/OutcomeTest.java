package io.berth.core.api.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.task.TaskHandle.Outcome.Failed;
import org.junit.jupiter.api.Test;

class OutcomeTest {

    @Test
    void longCauseIsCutInTheMiddle() {
        String cause = "java.lang.IllegalStateException: " + "x".repeat(5 << 20) + " (at Users.code(Users.java:7))";
        assertThat(new Failed(cause, FailureKind.TRANSIENT).cause())
                .startsWith("java.lang.IllegalStateException: xxx")
                .contains(" characters are left out; the log of the worker has them")
                .endsWith("(at Users.code(Users.java:7))")
                .hasSizeLessThanOrEqualTo(Failed.MAX_CAUSE);
    }

    @Test
    void shortCauseIsNotCut() {
        String cause = "y".repeat(Failed.MAX_CAUSE);
        assertThat(new Failed(cause, FailureKind.CONSEQUENCE).cause()).isEqualTo(cause);
    }
}

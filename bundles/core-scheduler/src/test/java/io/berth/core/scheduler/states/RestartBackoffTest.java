package io.berth.core.scheduler.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.scheduler.execution.ExecutionTask.Blame;
import io.berth.core.scheduler.job.SchedulerConfiguration.Restart;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RestartBackoffTest {

    private final RestartBackoff backoff = new RestartBackoff(new Restart(200, 1_000, 2, 60_000, 3, 2));

    private Optional<String> count(Blame blame, String... lostWithWorkers) {
        return backoff.count(blame, List.of(lostWithWorkers));
    }

    @Test
    void delaysDoubleUpToTheMaximum() {
        assertThat(backoff.nextDelay(0)).isEqualTo(200);
        assertThat(backoff.nextDelay(0)).isEqualTo(400);
        assertThat(backoff.nextDelay(0)).isEqualTo(800);
        assertThat(backoff.nextDelay(0)).isEqualTo(1_000);
        assertThat(backoff.nextDelay(0)).isEqualTo(1_000);
    }

    @Test
    void anExecutionThatLastedLongResetsDelayAndCounts() {
        for (int failure = 0; failure < 3; failure++) {
            backoff.nextDelay(0);
            assertThat(count(Blame.TASK)).isEmpty();
        }
        count(Blame.WORKER, "a[0]");
        count(Blame.WORKER, "a[0]");
        assertThat(backoff.nextDelay(60_000)).isEqualTo(200);
        assertThat(count(Blame.WORKER, "a[0]")).isEmpty();
        assertThat(count(Blame.TASK)).isEmpty();
    }

    @Test
    void endsAfterTheAllowedFailuresOfTheJobItself() {
        for (int lost = 0; lost < 20; lost++) {
            assertThat(count(Blame.CLUSTER)).isEmpty();
        }
        assertThat(count(Blame.TASK)).isEmpty();
        assertThat(count(Blame.TASK)).isEmpty();
        assertThat(count(Blame.TASK)).isEmpty();
        assertThat(count(Blame.TASK)).hasValue("failed again after 3 restarts without progress");
    }

    @Test
    void endsWhenTheSameTaskLosesItsWorkerRepeatedly() {
        assertThat(count(Blame.WORKER, "a[0]", "b[0]")).isEmpty();
        assertThat(count(Blame.WORKER, "a[0]", "b[1]")).isEmpty();
        assertThat(count(Blame.WORKER, "a[0]", "b[0]").orElseThrow())
                .startsWith("task a[0] has lost its worker in 3 executions in a row")
                .contains("task.worker.kills.max is 2");
    }

    @Test
    void workersLostByDifferentTasksDoNotFailTheJob() {
        for (int round = 0; round < 20; round++) {
            assertThat(count(Blame.WORKER, "a[" + round % 2 + "]")).isEmpty();
        }
    }
}

package io.berth.core.scheduler.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.scheduler.execution.ExecutionTask.Blame;
import io.berth.core.scheduler.job.Restart;
import io.berth.core.scheduler.job.Restart.Delay;
import io.berth.core.scheduler.job.Restart.Rate;
import io.berth.core.scheduler.job.Restart.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RestartBackoffTest {

    private static final Rate RATE = new Rate(2, 1_000);

    private RestartBackoff backoff = backoff(Strategy.EXPONENTIAL, 0);
    private long now;

    private static RestartBackoff backoff(Strategy strategy, double jitter) {
        return new RestartBackoff(new Restart(strategy, new Delay(200, 1_000, 2, jitter, 60_000), 3, RATE, 2), 7);
    }

    private Optional<String> count(Blame blame, String... lostWithWorkers) {
        return backoff.count(blame, List.of(lostWithWorkers), now);
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
    void jitterMakesADelayLongerOrShorterButNotLongerThanTheMaximum() {
        List<Long> delays = new ArrayList<>();
        for (long seed = 0; seed < 1_000; seed++) {
            RestartBackoff other = new RestartBackoff(
                    new Restart(Strategy.EXPONENTIAL, new Delay(200, 1_000, 2, 0.1, 60_000), 3, RATE, 2), seed);
            delays.add(other.nextDelay(0));
            for (int attempt = 0; attempt < 5; attempt++) {
                assertThat(other.nextDelay(0)).isBetween(360L, 1_000L);
            }
        }
        assertThat(delays).allSatisfy(delay -> assertThat(delay).isBetween(180L, 220L));
        assertThat(delays).anySatisfy(delay -> assertThat(delay).isLessThan(185L));
        assertThat(delays).anySatisfy(delay -> assertThat(delay).isGreaterThan(215L));
        assertThat(backoff(Strategy.EXPONENTIAL, 0.1).nextDelay(0))
                .as("the same seed")
                .isEqualTo(backoff(Strategy.EXPONENTIAL, 0.1).nextDelay(0));
    }

    @Test
    void aFixedDelayStaysAndEndsAfterTheAllowedFailures() {
        backoff = backoff(Strategy.FIXED, 0.1);
        for (int failure = 0; failure < 3; failure++) {
            assertThat(backoff.nextDelay(0)).isEqualTo(200);
            assertThat(count(Blame.TASK)).isEmpty();
        }
        assertThat(backoff.nextDelay(0)).isEqualTo(200);
        assertThat(count(Blame.TASK)).hasValue("failed again after 3 restarts without progress");
    }

    @Test
    void aRateAllowsFailuresForEverIfTheyAreRare() {
        backoff = backoff(Strategy.RATE, 0.1);
        for (int failure = 0; failure < 100; failure++) {
            now += 500;
            assertThat(backoff.nextDelay(0)).isEqualTo(200);
            assertThat(count(Blame.TASK)).isEmpty();
        }
        for (int lost = 0; lost < 20; lost++) {
            assertThat(count(Blame.CLUSTER)).isEmpty();
        }
        now += 499;
        assertThat(count(Blame.TASK)).hasValue("failed 3 times within 1 s (restart.rate.failures.max is 2)");
    }

    @Test
    void withoutRestartsEachFailureFailsTheJob() {
        backoff = backoff(Strategy.NONE, 0);
        assertThat(count(Blame.TASK)).hasValue("not restarted, as restart.strategy is none");
        assertThat(count(Blame.WORKER, "a[0]")).hasValue("not restarted, as restart.strategy is none");
        assertThat(count(Blame.CLUSTER)).hasValue("not restarted, as restart.strategy is none");
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

package io.berth.ha.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The election between real processes, which are killed, stopped and continued. */
@Timeout(180)
class ElectionProcessesTest {

    private static final String ROLE = "job-masters";

    @TempDir
    private Path directory;

    private ElectionProcess start(String address) throws Exception {
        ElectionProcess process = ElectionProcess.start(directory, ROLE, address);
        until(process, () -> process.said("ready"));
        return process;
    }

    private static void until(ElectionProcess process, Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(condition.call())
                        .as("so far %s", process.lines())
                        .isTrue());
    }

    /**
     * A leader that continues sees that its lock file is another one, or, when it was stopped between its two checks,
     * that another epoch has begun.
     */
    private static void untilRevoked(ElectionProcess process) {
        until(process, () -> process.said("revoked lock file") || process.said("revoked epoch "));
    }

    @Test
    void f20_standbyLeadsWhenTheLeaderIsKilledAndEachLaterEpochIsGreater() throws Exception {
        List<Long> epochs = new ArrayList<>();
        ElectionProcess leader = start("p:1");
        try {
            until(leader, () -> leader.said("granted "));
            ElectionProcess current = leader;
            for (int round = 2; round <= 5; round++) {
                ElectionProcess dying = current;
                ElectionProcess standby = start("p:" + round);
                current = standby;
                String leads = "leader p:" + (round - 1);
                until(standby, () -> standby.said(leads));
                assertThat(standby.epochs()).isEmpty();
                epochs.addAll(dying.epochs());
                dying.signal("KILL");
                until(standby, () -> standby.epochs().size() == 1);
            }
            epochs.addAll(current.epochs());
            current.close();
        } finally {
            leader.close();
        }
        assertThat(epochs).hasSize(5).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void f21_pausedStandbyDoesNoHarmAndLeadsLater() throws Exception {
        try (ElectionProcess leader = start("p:1")) {
            until(leader, () -> leader.said("leader p:1"));
            try (ElectionProcess standby = start("p:2")) {
                until(standby, () -> standby.said("leader p:1"));
                standby.signal("STOP");
                ElectionProcess third = start("p:3");
                until(third, () -> third.said("leader p:1"));
                third.close();
                assertThat(leader.epochs()).hasSize(1);
                assertThat(leader.said("revoked")).isFalse();
                long before = leader.epochs().get(0);
                leader.signal("KILL");
                standby.signal("CONT");
                until(standby, () -> standby.epochs().size() == 1);
                assertThat(standby.epochs().get(0)).isGreaterThan(before);
            }
        }
    }

    @Test
    void f21_leaderThatWasPausedWhileItsLockWasLostNoticesAndBecomesAStandby() throws Exception {
        try (ElectionProcess paused = start("p:1")) {
            until(paused, () -> paused.said("leader p:1"));
            try (ElectionProcess successor = start("p:2")) {
                until(successor, () -> successor.said("leader p:1"));
                paused.signal("STOP");
                Files.delete(directory.resolve(ROLE).resolve("lock"));
                until(successor, () -> successor.epochs().size() == 1);
                assertThat(paused.said("revoked")).isFalse();
                paused.signal("CONT");
                untilRevoked(paused);
                until(paused, () -> paused.said("leader p:2"));
                assertThat(successor.epochs().get(0))
                        .isGreaterThan(paused.epochs().get(0));
                assertThat(successor.said("revoked")).isFalse();
                long before = successor.epochs().get(0);
                successor.signal("KILL");
                until(paused, () -> paused.epochs().size() == 2);
                assertThat(paused.epochs().get(1)).isGreaterThan(before);
            }
        }
    }

    @Test
    void f21_oneOfTwoStandbysTakesOverFromALeaderThatIsPausedForTheLease() throws Exception {
        try (ElectionProcess paused = ElectionProcess.start(directory, ROLE, "p:1", 1_000)) {
            until(paused, () -> paused.said("leader p:1"));
            try (ElectionProcess second = ElectionProcess.start(directory, ROLE, "p:2", 1_000);
                    ElectionProcess third = ElectionProcess.start(directory, ROLE, "p:3", 1_000)) {
                until(second, () -> second.said("leader p:1"));
                until(third, () -> third.said("leader p:1"));
                paused.signal("STOP");
                until(second, () -> second.epochs().size() + third.epochs().size() > 0);
                ElectionProcess successor = second.epochs().isEmpty() ? third : second;
                ElectionProcess twin = successor == second ? third : second;
                String leads = "leader p:" + (successor == second ? 2 : 3);
                until(twin, () -> twin.said(leads));
                assertThat(paused.said("revoked")).isFalse();
                paused.signal("CONT");
                untilRevoked(paused);
                until(paused, () -> paused.said(leads));
                assertThat(successor.epochs()).hasSize(1);
                assertThat(successor.epochs().get(0))
                        .isGreaterThan(paused.epochs().get(0));
                assertThat(successor.said("revoked")).isFalse();
                assertThat(twin.epochs()).isEmpty();
                successor.signal("STOP");
                until(twin, () -> twin.epochs().size() + paused.epochs().size() == 2);
                successor.signal("CONT");
                untilRevoked(successor);
            }
        }
    }

    @Test
    void f44_onlyOneOfTwoProcessesThatStartAtOnceLeads() throws Exception {
        try (ElectionProcess first = ElectionProcess.start(directory, ROLE, "p:1");
                ElectionProcess second = ElectionProcess.start(directory, ROLE, "p:2")) {
            until(first, () -> first.said("leader p:"));
            until(second, () -> second.said("leader p:"));
            assertThat(first.epochs().size() + second.epochs().size()).isEqualTo(1);
        }
    }
}

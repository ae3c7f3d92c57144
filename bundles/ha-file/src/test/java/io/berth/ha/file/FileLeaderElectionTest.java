package io.berth.ha.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.berth.spi.ha.LeaderElection.Contender;
import io.berth.spi.ha.LeaderElection.Leader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class FileLeaderElectionTest {

    private static final String ROLE = "resource-manager";
    private static final long BEGIN = 1_700_000_000L;

    @TempDir
    private Path directory;

    private final RecordingContender.Leadership leadership = new RecordingContender.Leadership();
    private final List<AutoCloseable> closing = new ArrayList<>();
    private FileLeaderElection election;

    @BeforeEach
    void open() throws IOException {
        election = reopen();
    }

    private FileLeaderElection reopen() throws IOException {
        FileLeaderElection opened =
                FileLeaderElection.open(directory, InstantSource.fixed(Instant.ofEpochSecond(BEGIN)), 2, 10_000);
        closing.add(0, opened);
        return opened;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : closing) {
            each.close();
        }
        assertThat(leadership.faults).isEmpty();
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet().stream()
                        .map(Thread::getName)
                        .filter(name -> name.startsWith("berth-ha-file")))
                .isEmpty());
    }

    private Path folder() {
        return directory.resolve(ROLE);
    }

    private RecordingContender competitor() {
        return competitor(election, "127.0.0.1:7077");
    }

    private RecordingContender competitor(FileLeaderElection at, String address) {
        RecordingContender contender = new RecordingContender(leadership);
        AutoCloseable contest = at.compete(ROLE, address, contender);
        closing.add(0, () -> {
            contender.end();
            contest.close();
        });
        return contender;
    }

    private static void awaitLeads(RecordingContender contender) {
        await().until(contender::leads);
    }

    @Test
    void firstEpochIsTheTimeSoThatEpochsRiseEvenIfTheFolderIsLost() {
        RecordingContender contender = competitor();
        awaitLeads(contender);
        assertThat(contender.epoch()).isEqualTo(BEGIN);
    }

    @Test
    void ofTwoContendersInOneProcessOneLeadsAndTheOtherFollowsWithAGreaterEpoch() throws Exception {
        RecordingContender first = new RecordingContender(leadership);
        AutoCloseable contest = election.compete(ROLE, "a:1", first);
        awaitLeads(first);
        RecordingContender second = competitor(election, "b:2");
        RecordingContender third = competitor(reopen(), "c:3");
        CountDownLatch looked = new CountDownLatch(1);
        closing.add(0, election.follow("dispatcher", now -> looked.countDown()));
        assertThat(looked.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(second.events).isEmpty();
        assertThat(third.events).isEmpty();

        first.end();
        contest.close();
        await().until(() -> second.leads() || third.leads());
        assertThat(first.events).containsExactly("granted");
        assertThat(leadership.epochs).containsExactly(BEGIN, BEGIN + 1);
    }

    @Test
    void rolesAreLedIndependently() {
        RecordingContender first = competitor();
        RecordingContender other = new RecordingContender(new RecordingContender.Leadership());
        closing.add(0, election.compete("dispatcher", "a:1", other));
        awaitLeads(first);
        awaitLeads(other);
    }

    @Test
    @Timeout(600)
    void epochsOnlyRiseOverTwoHundredHandovers() throws Exception {
        List<FileLeaderElection> elections = List.of(election, reopen(), reopen());
        List<AutoCloseable> contests = new ArrayList<>();
        List<RecordingContender> contenders = new ArrayList<>();
        for (int handover = 0; handover <= 200; handover++) {
            FileLeaderElection at = handover % 40 == 39 ? reopen() : elections.get(handover % 3);
            RecordingContender contender = new RecordingContender(leadership);
            contenders.add(contender);
            contests.add(at.compete(ROLE, "a:" + (handover + 1), contender));
            if (handover > 0) {
                contenders.get(handover - 1).end();
                contests.get(handover - 1).close();
            }
            awaitLeads(contender);
        }
        contenders.get(200).end();
        contests.get(200).close();
        List<Long> risen = new ArrayList<>();
        for (long epoch = BEGIN; epoch <= BEGIN + 200; epoch++) {
            risen.add(epoch);
        }
        assertThat(leadership.epochs).isEqualTo(risen);
        assertThat(records()).hasSize(2);
    }

    private List<String> records() throws IOException {
        try (var files = Files.list(folder())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(ROLE + "@"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void f14_grantRevokeAndGrantInQuickSuccessionAlternateAndRise() throws Exception {
        RecordingContender contender = competitor();
        for (int round = 0; round < 20; round++) {
            awaitLeads(contender);
            int seen = contender.events.size();
            Files.delete(folder().resolve("lock"));
            await().until(() -> contender.events.size() >= seen + 2);
            assertThat(contender.events.get(seen)).startsWith("revoked: lock file ");
            assertThat(contender.events.get(seen + 1)).isEqualTo("granted");
        }
        assertThat(leadership.epochs).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void f43_leaderWhoseLockFileIsReplacedNoLongerLeads() throws Exception {
        RecordingContender contender = competitor();
        awaitLeads(contender);
        Path other = Files.writeString(directory.resolve("other"), "");
        Files.move(other, folder().resolve("lock"), java.nio.file.StandardCopyOption.ATOMIC_MOVE);
        await().until(() -> contender.events.size() >= 2);
        assertThat(contender.events.get(1)).contains("lock file ", " was replaced");
    }

    @Test
    void f43_leaderWhoseLockFileIsReadOnlyDoesNotLeadUntilItIsWritable() throws Exception {
        RecordingContender contender = competitor();
        awaitLeads(contender);
        Path lock = folder().resolve("lock");
        assertThat(lock.toFile().setWritable(false)).isTrue();
        await().until(() -> contender.events.size() >= 2);
        assertThat(contender.events.get(1)).contains("lock file ", " is no longer writable");
        assertThat(contender.events).hasSize(2);
        assertThat(lock.toFile().setWritable(true, true)).isTrue();
        awaitLeads(contender);
    }

    @Test
    void f43_leaderWhoseFolderIsRemovedNoLongerLeadsAndItsEpochIsNotUsedAgain() throws Exception {
        RecordingContender contender = competitor();
        awaitLeads(contender);
        long first = contender.epoch();
        Files.move(folder(), directory.resolve("elsewhere"));
        await().until(() -> contender.events.size() >= 3);
        assertThat(contender.events.get(1)).startsWith("revoked: lock file ");
        assertThat(contender.epoch()).isGreaterThan(first);
    }

    @Test
    void f21_leaderThatFindsAGreaterEpochNoLongerLeads() throws Exception {
        RecordingContender contender = competitor();
        awaitLeads(contender);
        new RoleFolder(directory, ROLE).begin(BEGIN + 7);
        await().until(() -> contender.events.size() >= 3);
        assertThat(contender.events.get(1)).isEqualTo("revoked: epoch " + (BEGIN + 7) + " has begun");
        assertThat(leadership.epochs).containsExactly(BEGIN, BEGIN + 8);
    }

    @Test
    void contenderThatCannotLeadGivesTheRoleToTheNextOne() {
        List<Long> refused = new CopyOnWriteArrayList<>();
        closing.add(0, election.compete(ROLE, "a:1", new Contender() {
            @Override
            public void granted(long epoch) {
                refused.add(epoch);
                throw new IllegalStateException("a test cannot lead");
            }

            @Override
            public void revoked(String cause) {
                leadership.faults.add("revoked though it never led");
            }
        }));
        await().until(() -> !refused.isEmpty());
        RecordingContender next = competitor(election, "b:2");
        awaitLeads(next);
        assertThat(next.epoch()).isGreaterThan(refused.get(0));
    }

    @Test
    void closingTheElectionRevokesItsLeaders() {
        RecordingContender contender = new RecordingContender(leadership);
        election.compete(ROLE, "a:1", contender);
        awaitLeads(contender);
        election.close();
        assertThat(contender.events).containsExactly("granted", "revoked: the election ends");
        assertThatThrownBy(() -> election.compete(ROLE, "a:1", contender)).hasMessageContaining("is closed");
    }

    @Test
    void contestMayBeClosedFromItsOwnCallback() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        List<AutoCloseable> own = new CopyOnWriteArrayList<>();
        CountDownLatch there = new CountDownLatch(1);
        own.add(election.compete(ROLE, "a:1", new Contender() {
            @Override
            public void granted(long epoch) {
                try {
                    there.await();
                    own.get(0).close();
                } catch (Exception failure) {
                    throw new IllegalStateException(failure);
                }
                closed.countDown();
            }

            @Override
            public void revoked(String cause) {
                leadership.faults.add("revoked: " + cause);
            }
        }));
        there.countDown();
        assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
        awaitLeads(competitor());
    }

    @Test
    void followersReceiveTheCurrentLeaderAndThenEachChange() throws Exception {
        List<Optional<Leader>> here = new CopyOnWriteArrayList<>();
        List<Optional<Leader>> elsewhere = new CopyOnWriteArrayList<>();
        closing.add(0, election.follow(ROLE, here::add));
        AutoCloseable following = reopen().follow(ROLE, elsewhere::add);
        closing.add(0, following);
        await().until(() -> here.size() == 1 && elsewhere.size() == 1);
        RecordingContender first = new RecordingContender(leadership);
        AutoCloseable contest = election.compete(ROLE, "a:1", first);
        Optional<Leader> leader = Optional.of(new Leader(ROLE, BEGIN, "a:1"));
        await().until(() -> here.contains(leader) && elsewhere.contains(leader));
        first.end();
        contest.close();
        await().until(() -> here.size() == 3 && elsewhere.size() == 3);
        assertThat(here).containsExactly(Optional.empty(), leader, Optional.empty());
        assertThat(elsewhere).containsExactly(Optional.empty(), leader, Optional.empty());

        following.close();
        awaitLeads(competitor(election, "b:2"));
        await().until(() -> here.contains(Optional.of(new Leader(ROLE, BEGIN + 1, "b:2"))));
        assertThat(elsewhere).hasSize(3);
    }

    @Test
    void rejectsInvalidRolesAndAddresses() {
        RecordingContender contender = new RecordingContender(leadership);
        for (String role : List.of("", "../up", "a/b", "Dispatcher", "-a", "a".repeat(65))) {
            assertThatThrownBy(() -> election.compete(role, "a:1", contender))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("allowed are 1 to 64 characters");
        }
        for (String address : List.of("", "a\nb", "a".repeat(501))) {
            assertThatThrownBy(() -> election.compete(ROLE, address, contender))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("allowed are 1 to 500 printable characters");
        }
        assertThatThrownBy(() -> election.times(0, 10_000)).hasMessageContaining("poll.ms = 0: allowed are 1 to 60000");
    }
}

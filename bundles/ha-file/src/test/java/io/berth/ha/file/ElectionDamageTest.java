package io.berth.ha.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Damage to the files of an election: no epoch is used twice, and epochs never go down. */
@Timeout(120)
class ElectionDamageTest {

    private static final String ROLE = "dispatcher";
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(100));

    @TempDir
    private Path directory;

    private final RecordingContender.Leadership leadership = new RecordingContender.Leadership();

    private RoleFolder folder() throws IOException {
        RoleFolder folder = new RoleFolder(directory, ROLE);
        folder.prepare();
        return folder;
    }

    private Path twoEpochs() throws IOException {
        RoleFolder folder = folder();
        folder.begin(6);
        folder.write(new LeaderRecord(ROLE, 7, Optional.of("127.0.0.1:7077"), 4711));
        return directory.resolve(ROLE).resolve("dispatcher@0000000000000007");
    }

    @Test
    void f41_recordCutAtAnyByteOrWithAnyBitFlippedNamesNoLeaderAndKeepsItsEpoch() throws IOException {
        Path newest = twoEpochs();
        byte[] whole = Files.readAllBytes(newest);
        assertThat(folder().newest()).contains(new LeaderRecord(ROLE, 7, Optional.of("127.0.0.1:7077"), 4711));
        for (int length = 0; length < whole.length; length++) {
            Files.write(newest, Arrays.copyOf(whole, length));
            assertThat(folder().newest()).as("cut to %d bytes", length).isEmpty();
            assertThat(folder().highestEpoch()).isEqualTo(7);
        }
        for (int bit = 0; bit < whole.length * 8; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(newest, flipped);
            assertThat(folder().newest()).as("bit %d", bit).isEmpty();
            assertThat(folder().highestEpoch()).isEqualTo(7);
        }
    }

    @Test
    void f41_nextEpochFollowsADamagedRecord() throws Exception {
        Files.write(twoEpochs(), new byte[3]);
        try (FileLeaderElection election = FileLeaderElection.open(directory, CLOCK, 2, 10_000)) {
            RecordingContender contender = new RecordingContender(leadership);
            election.compete(ROLE, "a:1", contender);
            await().until(contender::leads);
            assertThat(contender.epoch()).isEqualTo(8);
        }
        assertThat(leadership.faults).isEmpty();
    }

    @Test
    void leaderWritesItsRecordAgainWhenItIsDamagedOrGone() throws Exception {
        try (FileLeaderElection election = FileLeaderElection.open(directory, CLOCK, 2, 10_000)) {
            RecordingContender contender = new RecordingContender(leadership);
            election.compete(ROLE, "a:1", contender);
            Optional<LeaderRecord> leader = Optional.of(new LeaderRecord(
                    ROLE, 100, Optional.of("a:1"), ProcessHandle.current().pid()));
            await().until(() -> folder().newest().equals(leader));
            Path record = directory.resolve(ROLE).resolve("dispatcher@0000000000000064");
            Files.write(record, new byte[] {1, 2, 3});
            await().until(() -> folder().newest().equals(leader));
            Files.delete(record);
            await().until(() -> folder().newest().equals(leader));
            assertThat(contender.events).containsExactly("granted");
        }
    }

    @Test
    void removedEpochsAreNotUsedAgainWhileAnyCandidateSawThem() throws Exception {
        twoEpochs();
        try (FileLeaderElection election = FileLeaderElection.open(directory, CLOCK, 2, 10_000)) {
            RecordingContender first = new RecordingContender(leadership);
            AutoCloseable contest = election.compete(ROLE, "a:1", first);
            await().until(first::leads);
            assertThat(first.epoch()).isEqualTo(8);
            first.end();
            contest.close();
            try (var files = Files.newDirectoryStream(directory.resolve(ROLE), "dispatcher@*")) {
                for (Path file : files) {
                    Files.delete(file);
                }
            }
            RecordingContender second = new RecordingContender(leadership);
            election.compete(ROLE, "a:1", second);
            await().until(second::leads);
            assertThat(second.epoch()).isEqualTo(9);
        }
    }

    @Test
    void f14_onlyOneProcessBeginsAnEpochEvenIfTwoBelieveThatTheyMay() throws IOException {
        RoleFolder one = folder();
        RoleFolder other = folder();
        one.begin(6);
        assertThatThrownBy(() -> other.begin(6)).isInstanceOf(IOException.class);
        assertThat(other.newest().orElseThrow().epoch()).isEqualTo(6);
    }

    @Test
    void f40_nobodyLeadsWithAnEpochThatCouldNotBeStored() throws Exception {
        Path obstacle = directory.resolve(ROLE).resolve(".unfinished-obstacle");
        Files.createDirectories(obstacle.resolve("full"));
        try (FileLeaderElection election = FileLeaderElection.open(directory, CLOCK, 2, 10_000)) {
            RecordingContender contender = new RecordingContender(leadership);
            election.compete(ROLE, "a:1", contender);
            RecordingContender other = new RecordingContender(new RecordingContender.Leadership());
            election.compete("job-masters", "a:1", other);
            await().until(other::leads);
            assertThat(contender.events).isEmpty();
            Files.delete(obstacle.resolve("full"));
            await().until(contender::leads);
        }
    }

    @Test
    void f43_rejectsAFolderThatIsALink() throws Exception {
        Path real = Files.createDirectory(directory.resolve("real"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), real);
        assertThatThrownBy(() -> FileLeaderElection.open(link, CLOCK, 2, 10_000))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(link + " is a symbolic link to " + real)
                .hasMessageContaining("configure the folder itself");
        assertThatThrownBy(() -> FileMetadataStore.open(link, 1, new FileMetadataStore.Limits(1_048_576, 10)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is a symbolic link");
        Files.createSymbolicLink(directory.resolve(ROLE), real);
        RoleFolder role = new RoleFolder(directory, ROLE);
        assertThatThrownBy(role::prepare).hasMessageContaining(directory.resolve(ROLE) + " is a symbolic link");
    }

    @Test
    void f43_rejectsAFolderOfAnotherUser() throws Exception {
        Path folder = Files.createDirectory(directory.resolve("theirs"));
        UserPrincipal nobody;
        try {
            nobody = folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
            Files.setOwner(folder, nobody);
        } catch (UserPrincipalNotFoundException | java.nio.file.FileSystemException cannot) {
            assumeTrue(false, "only root can give a folder away");
        }
        assertThatThrownBy(() -> FileLeaderElection.open(folder, CLOCK, 2, 10_000))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(folder + " belongs to nobody, this process runs as ")
                .hasMessageContaining("give it to that user");
        assertThatThrownBy(() -> FileMetadataStore.open(folder, 1, new FileMetadataStore.Limits(1_048_576, 10)))
                .hasMessageContaining("belongs to nobody");
    }

    @Test
    void f43_rejectsAFileInsteadOfAFolder() throws Exception {
        Files.writeString(directory.resolve(ROLE), "");
        RoleFolder role = new RoleFolder(directory, ROLE);
        assertThatThrownBy(role::prepare).hasMessageContaining(directory.resolve(ROLE) + " is not a folder");
    }
}

package io.berth.ha.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.spi.ha.DamagedRecordException;
import io.berth.spi.ha.Versioned;
import io.berth.spi.ha.WriteResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DamageTest {

    private static final FileMetadataStore.Limits LIMITS = new FileMetadataStore.Limits(1_048_576, 100);
    private static final byte[] BEFORE = "matching=first-fit".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NEWEST = "matching=spread".getBytes(StandardCharsets.US_ASCII);

    private static final String TERM = "term-0000000000000001";

    @TempDir
    private Path directory;

    private Path file(String name) {
        return directory.resolve(TERM).resolve(name);
    }

    private FileMetadataStore open() throws IOException {
        return FileMetadataStore.open(directory, 1, LIMITS);
    }

    /** Writes versions 1 and 2 of policies/default; returns the file of the second. */
    private Path writeTwoVersions() throws IOException {
        try (FileMetadataStore store = open()) {
            store.write("policies/default", 0, BEFORE);
            store.write("policies/default", 1, NEWEST);
        }
        return file("policies+default@0000000000000002");
    }

    private void assertPreviousVersionCounts(String damage) throws IOException {
        try (FileMetadataStore store = open()) {
            assertThat(store.read("policies/default")).as(damage).contains(new Versioned(1, BEFORE));
            assertThat(store.damagedFiles()).as(damage).containsExactly("policies+default@0000000000000002");
        }
    }

    @Test
    void recordCutAtAnyByteIsReportedAndThePreviousVersionCounts() throws IOException {
        Path newest = writeTwoVersions();
        byte[] whole = Files.readAllBytes(newest);
        assertThat(whole).hasSizeGreaterThan(NEWEST.length);
        for (int length = 0; length < whole.length; length++) {
            Files.write(newest, Arrays.copyOf(whole, length));
            assertPreviousVersionCounts("cut to " + length + " bytes");
            byte[] zeroed = Arrays.copyOf(Arrays.copyOf(whole, length), whole.length);
            if (!Arrays.equals(zeroed, whole)) {
                Files.write(newest, zeroed);
                assertPreviousVersionCounts("zero from byte " + length);
            }
        }
        Files.write(newest, whole);
        try (FileMetadataStore store = open()) {
            assertThat(store.read("policies/default")).contains(new Versioned(2, NEWEST));
            assertThat(store.damagedFiles()).isEmpty();
        }
    }

    @Test
    void everyFlippedBitIsReportedAndThePreviousVersionCounts() throws IOException {
        Path newest = writeTwoVersions();
        byte[] whole = Files.readAllBytes(newest);
        for (int bit = 0; bit < whole.length * 8; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(newest, flipped);
            assertPreviousVersionCounts("bit " + bit);
        }
    }

    @Test
    void bytesAfterTheRecordAreDamage() throws IOException {
        Path newest = writeTwoVersions();
        byte[] whole = Files.readAllBytes(newest);
        Files.write(newest, Arrays.copyOf(whole, whole.length + 1));
        assertPreviousVersionCounts("one byte more");
    }

    @Test
    void recordUnderTheNameOfAnotherIsDamage() throws IOException {
        Path newest = writeTwoVersions();
        try (FileMetadataStore store = open()) {
            store.write("policies/other", 0, NEWEST);
        }
        Files.copy(file("policies+other@0000000000000003"), newest, StandardCopyOption.REPLACE_EXISTING);
        assertPreviousVersionCounts("record of another key");
    }

    @Test
    void damageWhileTheStoreIsOpenIsSeenByTheNextRead() throws IOException {
        Path newest = writeTwoVersions();
        try (FileMetadataStore store = open()) {
            Files.write(newest, new byte[3]);
            assertThat(store.read("policies/default")).contains(new Versioned(1, BEFORE));
            Files.delete(newest);
            assertThat(store.read("policies/default")).contains(new Versioned(1, BEFORE));
        }
    }

    @Test
    void writeAfterDamageTakesANewVersionAndRemovesTheDamagedFile() throws IOException {
        Path newest = writeTwoVersions();
        Files.write(newest, new byte[3]);
        try (FileMetadataStore store = open()) {
            assertThat(store.write("policies/default", 2, NEWEST))
                    .isEqualTo(new WriteResult.Conflict(Optional.of(new Versioned(1, BEFORE))));
            assertThat(store.write("policies/default", 1, NEWEST)).isEqualTo(new WriteResult.Written(3));
            assertThat(store.damagedFiles()).isEmpty();
        }
        assertThat(newest).doesNotExist();
        assertThat(file("policies+default@0000000000000001")).exists();
    }

    @Test
    void recordWithoutAnyIntactVersionIsAnErrorThatNamesItsFilesAndOthersStayReadable() throws IOException {
        Path newest = writeTwoVersions();
        try (FileMetadataStore store = open()) {
            store.write("policies/other", 0, BEFORE);
        }
        Files.write(newest, new byte[3]);
        Files.write(file("policies+default@0000000000000001"), new byte[0]);
        try (FileMetadataStore store = open()) {
            assertThatThrownBy(() -> store.read("policies/default"))
                    .isInstanceOf(DamagedRecordException.class)
                    .hasMessageContaining("'policies/default'")
                    .hasMessageContaining("[policies+default@0000000000000002, policies+default@0000000000000001] in "
                            + directory.resolve(TERM));
            assertThatThrownBy(() -> store.write("policies/default", 0, NEWEST))
                    .isInstanceOf(DamagedRecordException.class);
            assertThat(store.keys("")).containsExactly("policies/default", "policies/other");
            assertThat(store.read("policies/other")).contains(new Versioned(3, BEFORE));
        }
    }

    @Test
    void unfinishedFilesOfACrashAreRemovedAndForeignFilesAreIgnored() throws IOException {
        writeTwoVersions();
        Files.write(file(".unfinished-0000000000000003"), new byte[10]);
        Files.write(file("NOTES.txt"), new byte[10]);
        try (FileMetadataStore store = open()) {
            assertThat(store.keys("")).containsExactly("policies/default");
            assertThat(store.read("policies/default")).contains(new Versioned(2, NEWEST));
        }
        try (Stream<Path> files = Files.list(directory.resolve(TERM))) {
            assertThat(files.map(path -> path.getFileName().toString()).toList())
                    .containsExactlyInAnyOrder(
                            "NOTES.txt", "policies+default@0000000000000001", "policies+default@0000000000000002");
        }
    }

    @Test
    void recordStaysDeletedWhenACrashKeptItsOlderVersions() throws IOException {
        Path newest = writeTwoVersions();
        byte[] kept = Files.readAllBytes(newest);
        try (FileMetadataStore store = open()) {
            assertThat(store.delete("policies/default", 2)).isEqualTo(new WriteResult.Written(0));
        }
        Files.write(newest, kept);
        try (FileMetadataStore store = open()) {
            assertThat(store.read("policies/default")).isEmpty();
            assertThat(store.keys("")).isEmpty();
        }
        assertThat(newest).doesNotExist();
    }

    @Test
    void recordThatWasDeletedAndWrittenAgainDoesNotVanishWhenItIsDamaged() throws IOException {
        writeTwoVersions();
        Path deletion = file("policies+default@0000000000000003.deleted");
        byte[] kept;
        try (FileMetadataStore store = open()) {
            store.delete("policies/default", 2);
            kept = Files.readAllBytes(deletion);
            store.write("policies/default", 0, NEWEST);
        }
        assertThat(deletion).doesNotExist();
        Files.write(deletion, kept);
        Files.write(file("policies+default@0000000000000004"), new byte[0]);
        try (FileMetadataStore store = open()) {
            assertThatThrownBy(() -> store.read("policies/default")).isInstanceOf(DamagedRecordException.class);
            assertThat(store.keys("policies/")).isEqualTo(List.of("policies/default"));
        }
    }
}

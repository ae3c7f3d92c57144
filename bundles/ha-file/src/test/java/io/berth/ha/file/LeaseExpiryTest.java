package io.berth.ha.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaseExpiryTest {

    @TempDir
    private Path directory;

    private final LeaseExpiry expiry = new LeaseExpiry();
    private Path lock;

    @BeforeEach
    void write() throws IOException {
        lock = Files.writeString(directory.resolve("lock"), "");
        stamp(1_000);
    }

    private void stamp(long millis) throws IOException {
        Files.setLastModifiedTime(lock, FileTime.fromMillis(millis));
    }

    private boolean expired() throws IOException {
        return expiry.expired(lock, 10, 30).isPresent();
    }

    @Test
    void expiresWhenTheStampHasNotChangedForTheLease() throws IOException {
        assertThat(expired()).isFalse();
        assertThat(expired()).isFalse();
        assertThat(expired()).isFalse();
        assertThat(expired()).isTrue();
    }

    @Test
    void anyNewStampRestartsTheLeaseEvenWhenTheClockGoesBack() throws IOException {
        expired();
        expired();
        expired();
        stamp(500);
        assertThat(expired()).isFalse();
        assertThat(expired()).isFalse();
        assertThat(expired()).isFalse();
        assertThat(expired()).isTrue();
    }

    @Test
    void anotherFileOrAMissingFileRestartsTheLease() throws IOException {
        expired();
        expired();
        expired();
        Files.delete(lock);
        assertThat(expired()).isFalse();
        assertThat(expired()).isFalse();
        lock = Files.writeString(directory.resolve("lock"), "");
        stamp(1_000);
        assertThat(expired()).isFalse();
    }
}

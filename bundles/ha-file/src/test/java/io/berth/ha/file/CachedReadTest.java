package io.berth.ha.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CachedReadTest {

    private static final Instant WRITTEN = Instant.parse("2030-01-01T00:00:00Z");

    @TempDir
    private Path folder;

    private Path file;
    private Instant now = WRITTEN.plusMillis(CachedRead.COARSE_MILLIS);
    private int reads;
    private boolean fails;
    private CachedRead<String> cached;

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(folder.resolve("record"), "one");
        date(file);
        date(folder);
        cached = new CachedRead<>(() -> FolderStamp.of(folder, file), this::read, (InstantSource) () -> now);
    }

    private static void date(Path path) throws IOException {
        Files.setLastModifiedTime(path, FileTime.from(WRITTEN));
    }

    private String read() throws IOException {
        reads++;
        if (fails) {
            throw new IOException("not readable");
        }
        return Files.readString(file);
    }

    @Test
    void readsOnceWhileNothingChanges() throws IOException {
        for (int time = 1; time < CachedRead.READ_EVERY; time++) {
            assertThat(cached.read()).isEqualTo("one");
        }
        assertThat(reads).isEqualTo(1);
    }

    @Test
    void readsOnceInARound() throws IOException {
        assertThat(cached.read(1)).isEqualTo("one");
        Files.writeString(file, "three");
        assertThat(cached.read(1)).isEqualTo("one");
        assertThat(reads).isEqualTo(1);
        assertThat(cached.read(2)).isEqualTo("three");
        fails = true;
        Files.writeString(file, "seven");
        assertThatThrownBy(() -> cached.read(3)).hasMessage("not readable");
        fails = false;
        assertThat(cached.read(3)).as("a failed read is not cached").isEqualTo("seven");
    }

    @Test
    void readsFromTimeToTimeEvenWhenTheFileSystemShowsNoChange() throws IOException {
        cached.read();
        Files.writeString(file, "two");
        date(file);
        for (int time = 1; time < CachedRead.READ_EVERY; time++) {
            cached.read();
        }
        assertThat(cached.read()).as("size and time are the same").isEqualTo("two");
        assertThat(reads).isEqualTo(2);
    }

    @Test
    void seesAReplacedFileAndAnAddedFile() throws IOException {
        cached.read();
        Path other = Files.writeString(folder.resolve("other"), "two");
        assertThat(cached.read()).isEqualTo("one");
        assertThat(reads).as("the folder has another time").isEqualTo(2);
        date(other);
        Files.move(other, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        date(folder);
        assertThat(cached.read()).as("another file, same time and size").isEqualTo("two");
    }

    @Test
    void readsAgainWhileAnotherChangeCouldHaveTheSameTime() throws IOException {
        now = WRITTEN.plusMillis(CachedRead.COARSE_MILLIS - 1);
        cached.read();
        Files.writeString(file, "two");
        date(file);
        assertThat(cached.read()).isEqualTo("two");
        now = WRITTEN.minusMillis(CachedRead.COARSE_MILLIS - 1);
        cached.read();
        assertThat(reads).as("the clocks differ a little").isEqualTo(3);
    }

    @Test
    void doesNotCacheAFailedReadOrAMissingFile() throws IOException {
        cached.read();
        fails = true;
        Files.writeString(file, "three");
        assertThatThrownBy(cached::read).hasMessage("not readable");
        assertThatThrownBy(cached::read).hasMessage("not readable");
        fails = false;
        assertThat(cached.read()).isEqualTo("three");
        Files.delete(file);
        assertThat(FolderStamp.of(folder, file)).isEqualTo(Optional.empty());
        assertThatThrownBy(cached::read).isInstanceOf(IOException.class);
    }
}

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

class KeptLookTest {

    private static final Instant WRITTEN = Instant.parse("2030-01-01T00:00:00Z");

    @TempDir
    private Path folder;

    private Path file;
    private Instant now = WRITTEN.plusMillis(KeptLook.COARSE_MILLIS);
    private int reads;
    private boolean fails;
    private KeptLook<String> look;

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(folder.resolve("record"), "one");
        date(file);
        date(folder);
        look = new KeptLook<>(() -> FolderStamp.of(folder, file), this::read, (InstantSource) () -> now);
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
        for (int time = 1; time < KeptLook.READ_EVERY; time++) {
            assertThat(look.look()).isEqualTo("one");
        }
        assertThat(reads).isEqualTo(1);
    }

    @Test
    void looksOnceInARound() throws IOException {
        assertThat(look.look(1)).isEqualTo("one");
        Files.writeString(file, "three");
        assertThat(look.look(1)).isEqualTo("one");
        assertThat(reads).isEqualTo(1);
        assertThat(look.look(2)).isEqualTo("three");
        fails = true;
        Files.writeString(file, "seven");
        assertThatThrownBy(() -> look.look(3)).hasMessage("not readable");
        fails = false;
        assertThat(look.look(3)).as("nothing is kept of a look that failed").isEqualTo("seven");
    }

    @Test
    void readsNowAndThenWhateverTheFileSystemShows() throws IOException {
        look.look();
        Files.writeString(file, "two");
        date(file);
        for (int time = 1; time < KeptLook.READ_EVERY; time++) {
            look.look();
        }
        assertThat(look.look()).as("of the same size and time as before").isEqualTo("two");
        assertThat(reads).isEqualTo(2);
    }

    @Test
    void seesAFileThatIsReplacedAndOneThatComes() throws IOException {
        look.look();
        Path other = Files.writeString(folder.resolve("other"), "two");
        assertThat(look.look()).isEqualTo("one");
        assertThat(reads).as("the folder shows another time").isEqualTo(2);
        date(other);
        Files.move(other, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        date(folder);
        assertThat(look.look()).as("another file of the same time and size").isEqualTo("two");
    }

    @Test
    void readsAgainWhileAnotherChangeCouldHaveTheSameTime() throws IOException {
        now = WRITTEN.plusMillis(KeptLook.COARSE_MILLIS - 1);
        look.look();
        Files.writeString(file, "two");
        date(file);
        assertThat(look.look()).isEqualTo("two");
        now = WRITTEN.minusMillis(KeptLook.COARSE_MILLIS - 1);
        look.look();
        assertThat(reads).as("clocks that are not quite the same").isEqualTo(3);
    }

    @Test
    void keepsNothingOfALookThatFailedNorOfWhatIsGone() throws IOException {
        look.look();
        fails = true;
        Files.writeString(file, "three");
        assertThatThrownBy(look::look).hasMessage("not readable");
        assertThatThrownBy(look::look).hasMessage("not readable");
        fails = false;
        assertThat(look.look()).isEqualTo("three");
        Files.delete(file);
        assertThat(FolderStamp.of(folder, file)).isEqualTo(Optional.empty());
        assertThatThrownBy(look::look).isInstanceOf(IOException.class);
    }
}

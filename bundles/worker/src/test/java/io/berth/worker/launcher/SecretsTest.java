package io.berth.worker.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretsTest {

    @TempDir
    private Path directory;

    private Path file(String permissions, String content) throws IOException {
        Path file = Files.writeString(directory.resolve("w.secrets"), content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    @Test
    void readsAFileThatOnlyItsUserReads() throws IOException {
        Path file = file("rw-------", "key.a=one\nkey.b=two = 2\n");
        assertThat(Secrets.read(file)).isEqualTo(new TreeMap<>(Map.of("key.a", "one", "key.b", "two = 2")));
    }

    @Test
    void refusesAFileThatOthersMayRead() throws IOException {
        Path file = file("rw-r-----", "key=the password\n");
        assertThatThrownBy(() -> Secrets.read(file))
                .hasMessageContaining("have the permissions rw-r-----: allowed is rw------- at most");
    }

    @Test
    void refusesWhatIsNoFileOrHasOtherLinesAndTellsNothingOfIt() throws IOException {
        assertThatThrownBy(() -> Secrets.read(directory)).hasMessageContaining("which is no file");
        Path file = file("rw-------", "key=one\nthe password\n");
        assertThatThrownBy(() -> Secrets.read(file))
                .hasMessageContaining("line 2 of the secrets")
                .hasMessageNotContaining("password");
        Path twice = file("rw-------", "key=one\nkey=the password\n");
        assertThatThrownBy(() -> Secrets.read(twice))
                .hasMessageContaining("line 2 of the secrets")
                .hasMessageContaining("each name once")
                .hasMessageNotContaining("password");
    }
}

package io.berth.worker.launcher;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
    void acceptsAFileThatOnlyItsUserReads() throws IOException {
        Path file = file("rw-------", "key.a=one\nkey.b=two = 2\n");
        assertThatCode(() -> Secrets.check(file)).doesNotThrowAnyException();
    }

    @Test
    void refusesAFileThatOthersMayRead() throws IOException {
        Path file = file("rw-r-----", "key=the password\n");
        assertThatThrownBy(() -> Secrets.check(file))
                .hasMessageContaining("have the permissions rw-r-----: allowed is rw------- at most");
    }

    @Test
    void refusesWhatIsNoFileOrHasOtherLinesAndTellsNothingOfIt() throws IOException {
        assertThatThrownBy(() -> Secrets.check(directory)).hasMessageContaining("which is no file");
        Path file = file("rw-------", "key=one\nthe password\n");
        assertThatThrownBy(() -> Secrets.check(file))
                .hasMessageContaining("line 2 of the secrets")
                .hasMessageNotContaining("password");
    }
}

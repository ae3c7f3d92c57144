package io.berth.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.WorkerId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretsFileTest {

    @TempDir
    private Path directory;

    @Test
    void secretsOfWorkersThatEndedWithoutAControlPlaneAreRemoved() throws IOException {
        Path runs = Files.createFile(directory.resolve("local-1.secrets"));
        Path ended = Files.createFile(directory.resolve("local-2.secrets"));
        Path log = Files.createFile(directory.resolve("local-2.log"));
        SecretsFile.removeOthers(directory, Set.of(new WorkerId("local-1")));
        assertThat(runs).exists();
        assertThat(ended).doesNotExist();
        assertThat(log).exists();
    }
}

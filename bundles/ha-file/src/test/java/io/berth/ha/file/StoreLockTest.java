package io.berth.ha.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.spi.ha.Versioned;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class StoreLockTest {

    private static final FileMetadataStore.Limits LIMITS = new FileMetadataStore.Limits(1_048_576, 100);

    @TempDir
    private Path directory;

    @Test
    void secondProcessIsRefusedAndToldWhoHoldsTheDirectory() throws Exception {
        try (FileMetadataStore store = FileMetadataStore.open(directory, LIMITS);
                StoreProcess other = StoreProcess.start(directory, "hold")) {
            assertThat(other.line())
                    .contains(directory.toString(), "is held by process " + ProcessHandle.current().pid());
            store.write("still/mine", 0, new byte[1]);
        }
    }

    @Test
    void processThatHoldsItIsNamedAndItsDeathFreesTheDirectory() throws Exception {
        try (StoreProcess other = StoreProcess.start(directory, "hold")) {
            assertThat(other.line()).isEqualTo("open");
            assertThatThrownBy(() -> FileMetadataStore.open(directory, LIMITS))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is held by process " + other.pid())
                    .hasMessageContaining("configure another directory");
            other.kill();
        }
        FileMetadataStore.open(directory, LIMITS).close();
    }

    @Test
    void secondOpenerInThisProcessIsRefusedAndLetsNoOtherProcessIn() throws Exception {
        try (FileMetadataStore store = FileMetadataStore.open(directory, LIMITS)) {
            assertThatThrownBy(() -> FileMetadataStore.open(directory.resolve("../" + directory.getFileName()), LIMITS))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is held by process " + ProcessHandle.current().pid());
            try (StoreProcess other = StoreProcess.start(directory, "hold")) {
                assertThat(other.line()).contains("is held by process");
            }
            assertThat(store.keys("")).isEmpty();
        }
        FileMetadataStore.open(directory, LIMITS).close();
    }

    @Test
    void nothingAcknowledgedIsLostWhenTheProcessIsKilledWhileItWrites() throws Exception {
        for (int round = 0; round < 5; round++) {
            long acknowledged = 0;
            try (StoreProcess writer = StoreProcess.start(directory, "write")) {
                assertThat(writer.line()).isEqualTo("open");
                for (int line = 0; line < 20 + 7 * round; line++) {
                    acknowledged = Long.parseLong(writer.line());
                }
                writer.kill();
                for (String line = writer.line(); line != null; line = writer.line()) {
                    acknowledged = Math.max(acknowledged, line.isEmpty() ? 0 : Long.parseLong(line));
                }
            }
            try (FileMetadataStore store = FileMetadataStore.open(directory, LIMITS)) {
                assertThat(store.damagedFiles()).isEmpty();
                Versioned record = store.read("counter").orElseThrow();
                String value = new String(record.value(), StandardCharsets.US_ASCII);
                String count = value.substring(0, value.indexOf(';'));
                assertThat(Long.parseLong(count)).isGreaterThanOrEqualTo(acknowledged);
                assertThat(value).isEqualTo((count + ";").repeat(500));
            }
        }
    }
}

package io.berth.ha.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class StoreOpeningTest {

    private static final FileMetadataStore.Limits LIMITS = new FileMetadataStore.Limits(1_048_576, 100);

    @TempDir
    private Path directory;

    private final List<String> events = new CopyOnWriteArrayList<>();

    private StoreOpening begin() throws IOException {
        return StoreOpening.begin(directory, LIMITS, 5, store -> {
            events.add("open");
            return () -> events.add("closed");
        });
    }

    @Test
    void publishesBeforeItReturnsWhenNobodyHasTheDirectory() throws Exception {
        try (StoreOpening opening = begin()) {
            assertThat(events).containsExactly("open");
        }
        assertThat(events).containsExactly("open", "closed");
        FileMetadataStore.open(directory, LIMITS).close();
    }

    @Test
    void f44_secondProcessWaitsAndHasTheStoreWhenTheFirstIsKilled() throws Exception {
        try (StoreProcess other = StoreProcess.start(directory, "hold")) {
            assertThat(other.line()).isEqualTo("open");
            try (StoreOpening opening = begin()) {
                assertThat(events).isEmpty();
                other.kill();
                await().until(() -> events.contains("open"));
            }
        }
        assertThat(events).containsExactly("open", "closed");
    }

    @Test
    void waitingEndsWhenItIsClosed() throws Exception {
        try (FileMetadataStore holder = FileMetadataStore.open(directory, LIMITS)) {
            begin().close();
            assertThat(holder.keys("")).isEmpty();
        }
        assertThat(events).isEmpty();
        assertThat(Thread.getAllStackTraces().keySet()).noneMatch(thread ->
                thread.getName().equals("berth-ha-file-metadata"));
    }

    @Test
    void directoryThatCannotBeUsedIsRefusedAtOnce() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), Files.createDirectory(directory.resolve("real")));
        assertThatThrownBy(() -> StoreOpening.begin(link, LIMITS, 5, store -> () -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is a symbolic link");
        assertThat(events).isEmpty();
    }
}

package io.berth.ops.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.time.SystemClock;
import io.berth.ops.cli.console.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoFolderTest {

    @TempDir
    Path home;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private Terminal terminal;

    @BeforeEach
    void open() {
        terminal = new Terminal(
                System.out,
                new PrintStream(err, true, StandardCharsets.UTF_8),
                0,
                Map.of(),
                home,
                new SystemClock(),
                new CountDownLatch(1));
    }

    private Path folder(String name) throws Exception {
        Path folder = Files.createDirectories(home.resolve(".berth").resolve(name));
        Files.writeString(folder.resolve("large"), "a program");
        return folder;
    }

    @Test
    void aDemoRemovesTheFoldersOfDemosThatHaveEnded() throws Exception {
        Path ended = folder("demo-1");
        Files.writeString(ended.resolve("karaf.pid"), "999999999");
        Path logs = folder("demo-2.logs");
        Path master = folder("master");

        DemoFolder.create(terminal).close();

        assertThat(ended).doesNotExist();
        assertThat(logs).exists();
        assertThat(master).exists();
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("removing " + ended);
    }

    @Test
    void aDemoKeepsTheFolderOfAnotherDemoThatIsStarting() {
        try (DemoFolder first = DemoFolder.create(terminal);
                DemoFolder second = DemoFolder.create(terminal)) {
            assertThat(first.path()).exists().isNotEqualTo(second.path());
        }
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void aDemoKeepsTheFolderOfARunningControlPlane() throws Exception {
        Path kept = folder("demo-1");
        Process running = new ProcessBuilder("sh", "-c", "sleep 60; true", "-Dkaraf.base=" + kept).start();
        try {
            Files.writeString(kept.resolve("karaf.pid"), Long.toString(running.pid()));

            DemoFolder.create(terminal).close();

            assertThat(kept).exists();
        } finally {
            running.descendants().forEach(ProcessHandle::destroy);
            running.destroy();
        }
    }

    @Test
    void theLogsOfAFailedDemoAreKept() throws Exception {
        try (DemoFolder folder = DemoFolder.create(terminal)) {
            Files.createDirectories(folder.path().resolve("data/log"));
            Files.writeString(folder.path().resolve("data/log/karaf.log"), "why");
            Files.writeString(folder.path().resolve("large"), "a program");

            Path logs = folder.deleteAllButLogs().orElseThrow();

            assertThat(logs.resolve("log/karaf.log")).hasContent("why");
            assertThat(folder.path()).doesNotExist();
        }
        assertThat(DemoFolder.create(terminal).deleteAllButLogs()).isEmpty();
    }
}

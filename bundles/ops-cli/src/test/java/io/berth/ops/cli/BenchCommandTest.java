package io.berth.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.time.SystemClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command hands what it is given to the benchmark and its exit code back. */
class BenchCommandTest {

    @TempDir
    Path home;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /** In the place of the benchmark: writes down what it is asked for, beside its jar. */
    public static final class Benchmark {

        private Benchmark() {}

        public static void main(String[] arguments) throws IOException, URISyntaxException {
            Path jar = Path.of(Benchmark.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            Files.write(jar.resolveSibling("arguments"), List.of(arguments));
            System.exit(1);
        }
    }

    private int berth(String... arguments) {
        return Berth.run(
                new Terminal(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        0,
                        Map.of(),
                        home,
                        new SystemClock(),
                        new CountDownLatch(1)),
                arguments);
    }

    private Path benchmark() throws IOException {
        Path directory = Files.createDirectories(home.resolve("bundles/benchmark/target"));
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Benchmark.class.getName());
        String type = Benchmark.class.getName().replace('.', '/') + ".class";
        Path jar = directory.resolve("berth-benchmark-0.1.0-all.jar");
        try (JarOutputStream to = new JarOutputStream(Files.newOutputStream(jar), manifest);
                InputStream from = getClass().getClassLoader().getResourceAsStream(type)) {
            to.putNextEntry(new ZipEntry(type));
            from.transferTo(to);
        }
        return directory;
    }

    @Test
    void handsOnAllThatIsGivenAndTheExitCode() throws IOException {
        Path directory = benchmark();

        int code = berth("bench", "matching", "--policy", "spread", "--workers=7", "--split-memory", "-o", "json");

        assertThat(code).isEqualTo(ExitCode.FAILED);
        assertThat(Files.readAllLines(directory.resolve("arguments")))
                .containsExactly("matching", "--policy", "spread", "--workers=7", "--split-memory", "-o", "json");
    }

    @Test
    void leavesHelpToTheBenchmark() throws IOException {
        Path directory = benchmark();

        berth("bench", "matching", "--help");

        assertThat(Files.readAllLines(directory.resolve("arguments")))
                .containsExactly("matching", "--help", "-o", "table");
    }

    @Test
    void takesTheHeapForItself() throws IOException {
        Path directory = benchmark();

        berth("bench", "resource-manager", "--heap", "64m");

        assertThat(Files.readAllLines(directory.resolve("arguments")))
                .containsExactly("resource-manager", "-o", "table");
    }

    @Test
    void refusesAHeapThatIsNone() throws IOException {
        benchmark();

        assertThat(berth("bench", "matching", "--heap", "much")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(err.toString(StandardCharsets.UTF_8)).contains("option --heap is 'much'").contains("4g");
    }

    @Test
    void saysWhatToDoWhenTheBenchmarkIsNotBuilt() {
        assertThat(berth("bench", "matching")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(err.toString(StandardCharsets.UTF_8)).contains("is not built").contains("./mvnw package");
    }
}

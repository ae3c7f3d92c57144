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

/** The command hands its options to the simulator and its exit code back. */
class SimulateCommandTest {

    @TempDir
    Path home;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /** In the place of the simulator: writes down what it is asked for, beside its jar. */
    public static final class Simulator {

        private Simulator() {}

        public static void main(String[] arguments) throws IOException, URISyntaxException {
            Path jar = Path.of(Simulator.class.getProtectionDomain().getCodeSource().getLocation().toURI());
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

    private Path simulator() throws IOException {
        Path directory = Files.createDirectories(home.resolve("bundles/simulator/target"));
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Simulator.class.getName());
        String type = Simulator.class.getName().replace('.', '/') + ".class";
        Path jar = directory.resolve("berth-simulator-0.1.0-all.jar");
        try (JarOutputStream to = new JarOutputStream(Files.newOutputStream(jar), manifest);
                InputStream from = getClass().getClassLoader().getResourceAsStream(type)) {
            to.putNextEntry(new ZipEntry(type));
            from.transferTo(to);
        }
        return directory;
    }

    @Test
    void handsOnWhatIsGivenAndTheExitCode() throws IOException {
        Path directory = simulator();

        int code = berth("simulate", "--seeds", "20", "--from=7", "--faults", "loss,latency", "-o", "json");

        assertThat(code).isEqualTo(ExitCode.FAILED);
        assertThat(Files.readAllLines(directory.resolve("arguments")))
                .containsExactly("--seeds", "20", "--from", "7", "--faults", "loss,latency", "-o", "json");
    }

    @Test
    void handsOnWhatIsToBeReplayed() throws IOException {
        Path directory = simulator();

        int code = berth(
                "simulate", "--nodes", "nodes.csv", "--jobs", "log.swf.gz", "--outages", "lanl.csv.xz", "--outages-system=20",
                "--policy", "first-fit,spread", "--plot", "x.svg", "--limit", "9", "--slot-cpus", "4", "--nodes-format", "own",
                "--jobs-format", "swf", "--outages-format", "lanl", "--pack", "--worker-start=60", "--worker-idle", "600");

        assertThat(code).isEqualTo(ExitCode.FAILED);
        assertThat(Files.readAllLines(directory.resolve("arguments")))
                .containsExactly(
                        "--jobs", "log.swf.gz", "--nodes", "nodes.csv", "--outages", "lanl.csv.xz", "--policy",
                        "first-fit,spread", "--plot", "x.svg", "--limit", "9", "--worker-start", "60", "--worker-idle", "600",
                        "--slot-cpus", "4", "--outages-system", "20", "--nodes-format", "own", "--jobs-format", "swf", "--outages-format", "lanl", "--pack", "-o", "table");
    }

    @Test
    void leavesTheDefaultsToTheSimulator() throws IOException {
        Path directory = simulator();

        berth("simulate");

        assertThat(Files.readAllLines(directory.resolve("arguments"))).containsExactly("-o", "table");
    }

    @Test
    void refusesOptionsThatAreNotKnown() {
        assertThat(berth("simulate", "--sedes", "20")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(err.toString(StandardCharsets.UTF_8)).contains("'--sedes' is not known").contains("'--seeds'");
    }

    @Test
    void saysWhatToDoWhenTheSimulatorIsNotBuilt() {
        assertThat(berth("simulate")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(err.toString(StandardCharsets.UTF_8)).contains("is not built").contains("./mvnw package");
    }

    @Test
    void tellsItsOptions() {
        assertThat(berth("simulate", "--help")).isZero();

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("--seeds", "--from", "--hours", "--workers", "--jobs", "--faults", "--mode", "--replay");
    }
}

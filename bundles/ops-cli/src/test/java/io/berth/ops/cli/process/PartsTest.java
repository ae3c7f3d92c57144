package io.berth.ops.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.berth.core.api.time.SystemClock;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.Table;
import io.berth.ops.cli.console.Terminal;
import io.berth.ops.cli.process.WordCountJob.Parallelism;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PartsTest {

    @TempDir
    Path directory;

    @Test
    void settingsReplaceAKeyAndKeepTheRest() throws IOException {
        Path file = Files.writeString(directory.resolve("a.cfg"), "# port = 1\nport = 7077\nother=2\n");

        Settings.put(file, "port", 5);
        Settings.put(file, "new.key", "x");

        assertThat(Files.readAllLines(file)).containsExactly("# port = 1", "port = 5", "other=2", "new.key = x");
        assertThat(Settings.get(file, "port")).contains("5");
        assertThat(Settings.get(file, "none")).isEmpty();
    }

    @Test
    void parallelismIsARangeOrANumber() {
        assertThat(Parallelism.parse("2:5")).isEqualTo(new Parallelism(2, 5));
        assertThat(Parallelism.parse("3")).isEqualTo(new Parallelism(3, 3));
        assertThatThrownBy(() -> Parallelism.parse("1:2:3")).hasMessageContaining("'1:2:3'");
        assertThatThrownBy(() -> Parallelism.parse("0:2")).hasMessageContaining("MIN:MAX");
    }

    @Test
    void sizesAreReadInPowersOf1024() {
        assertThat(WorkerCommand.mebibytes("--memory", "512m")).isEqualTo(512);
        assertThat(WorkerCommand.mebibytes("--memory", "2G")).isEqualTo(2048);
        assertThat(WorkerCommand.mebibytes("--memory", "1024kb")).isEqualTo(1);
        assertThat(WorkerCommand.moreHeapMebibytes(List.of("network.memory.bytes=268435456")))
                .isEqualTo(128);
        assertThat(WorkerCommand.moreHeapMebibytes(List.of("network.memory.bytes=1048576")))
                .isZero();
        assertThatThrownBy(() -> WorkerCommand.moreHeapMebibytes(List.of("network.memory=1")))
                .hasMessageContaining("--runtime: key 'network.memory' is unknown");
        assertThatThrownBy(() -> WorkerCommand.mebibytes("--memory", "many")).hasMessageContaining("'many'");
    }

    @Test
    void aSizeWithoutAUnitIsRefusedWithASuggestion() {
        assertThatThrownBy(() -> WorkerCommand.mebibytes("--memory", "256"))
                .hasMessage("--memory is '256': allowed is a number with k, m, g or t, such as 256m");
        assertThatThrownBy(() -> WorkerCommand.mebibytes("--memory", "256k")).hasMessageContaining("1m to 1024t");
    }

    @Test
    void aRangeThatEndsBeforeItBeginsIsRefused() {
        assertThatThrownBy(() -> Parallelism.parse("6:1")).hasMessageContaining("MIN at most MAX");
    }

    @Test
    void aWorkerHasExtraMemoryForTheExchangeAndEndsWhenItIsOutOfMemory() {
        assertThat(worker("--memory", "512m").javaOptions())
                .contains(
                        "-Xmx768m",
                        "-XX:MaxDirectMemorySize=256m",
                        "-XX:+UseParallelGC",
                        "-XX:+ExitOnOutOfMemoryError");
    }

    private static WorkerCommand worker(String... options) {
        WorkerCommand worker = new WorkerCommand();
        new CommandLine(worker).parseArgs(options);
        return worker;
    }

    @Test
    void aWorkerOffersAllKindsOfMemoryAndFurtherResourcesAndItsJvmHasRoomForThem() {
        WorkerCommand worker = worker(
                "--master", "127.0.0.1:7077",
                "--cpu", "2",
                "--memory", "512m",
                "--off-heap", "1g",
                "--managed", "128m",
                "--resource", "gpu=1",
                "--resource", "fpga=2",
                "--cost-per-hour", "0.25",
                "--secrets", "/etc/worker.secrets");

        assertThat(worker.javaOptions()).contains("-Xmx896m", "-XX:MaxDirectMemorySize=1280m");
        assertThat(worker.arguments(directory, Path.of("/var/logs")))
                .containsSequence("--logs", "/var/logs")
                .containsSequence("--memory", "512m")
                .containsSequence("--off-heap", "1g")
                .containsSequence("--managed", "128m")
                .containsSequence("--resource", "gpu=1", "--resource", "fpga=2")
                .containsSequence("--cost-per-hour", "0.25")
                .containsSequence("--secrets", "/etc/worker.secrets");
        assertThat(worker("--memory", "512m").arguments(directory, directory))
                .doesNotContain("--off-heap", "--managed", "--resource", "--cost-per-hour", "--secrets");
        assertThatThrownBy(
                        () -> worker("--memory", "512m", "--off-heap", "much").javaOptions())
                .hasMessageContaining("--off-heap is 'much': allowed is a number with k, m, g or t");
    }

    @Test
    void tablesAlignTheirColumns() {
        Table table = new Table("A", "LONG");
        table.row("wide cell", "x\ny");
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        table.print(new PrintStream(out, true, StandardCharsets.UTF_8));

        assertThat(out.toString(StandardCharsets.UTF_8).lines()).containsExactly("A          LONG", "wide cell  x y");
    }

    @Test
    void theErrorForAMissingAssemblyNamesTheNextStep() {
        assertThatThrownBy(() -> ControlPlane.assembly(directory)).hasMessageContaining("build it with ./mvnw package");
    }

    @Test
    void waitingStopsWhenTheControlPlaneHasEnded() throws IOException {
        ControlPlane plane = fake("echo broken\nexit 3\n");
        plane.start(false);

        assertThatThrownBy(
                        () -> plane.await(new Api("http://127.0.0.1:1", Optional::empty), "x", status -> true, 20_000))
                .hasMessageContaining("ended while waiting");
        plane.close();
        assertThat(plane.log()).hasContent("broken");
    }

    @Test
    void waitingEndsWhenItServesOnlyUsers() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = "{\"error\": \"a token is needed\"}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(401, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try (ControlPlane plane = fake("sleep 60\n")) {
            plane.start(false);
            Api api = new Api("http://127.0.0.1:" + server.getAddress().getPort(), Optional::empty);
            plane.await(api, "x", status -> false, 20_000);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void allTakenPortsAreNamedTogetherBeforeTheStart() throws IOException {
        ControlPlane plane = fake("exit 0\n");
        ControlPlane.Ports ports = plane.useFreePorts();
        assertThat(plane.requireFreePorts()).isEqualTo(ports);

        try (ServerSocket rpc = new ServerSocket(ports.rpc(), 1, InetAddress.getLoopbackAddress());
                ServerSocket jmx = new ServerSocket(ports.rmiServer(), 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(plane::requireFreePorts)
                    .hasMessageContaining(rpc.getLocalPort() + " for workers, port in ")
                    .hasMessageContaining(jmx.getLocalPort() + " for JMX, rmiServerPort in ")
                    .hasMessageContaining("--free-ports");

            plane.replaceTakenPorts();

            ControlPlane.Ports changed = plane.requireFreePorts();
            assertThat(changed.rpc()).isNotEqualTo(ports.rpc());
            assertThat(changed.http()).as("it was free and does not change").isEqualTo(ports.http());
        }
    }

    @Test
    void closingEndsTheControlPlaneAndItsWorkers() throws IOException {
        ControlPlane plane = fake("sleep 1000 &\necho $! > worker\necho $$ > karaf\nwait\n");
        plane.start(false);
        Path worker = plane.directory().resolve("worker");
        Path karaf = plane.directory().resolve("karaf");
        org.awaitility.Awaitility.await().until(() -> Files.exists(karaf) && Files.size(karaf) > 0);

        plane.close();

        for (Path file : List.of(worker, karaf)) {
            long pid = Long.parseLong(Files.readString(file).strip());
            assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
        }
    }

    private ControlPlane fake(String script) throws IOException {
        Files.createDirectories(directory.resolve("etc"));
        Path bin = Files.createDirectories(directory.resolve("bin"));
        Path karaf = Files.writeString(bin.resolve("karaf"), "#!/bin/sh\ncd \"$(dirname \"$0\")/..\"\n" + script);
        assertThat(karaf.toFile().setExecutable(true)).isTrue();
        Terminal terminal =
                new Terminal(System.out, System.err, 0, Map.of(), directory, new SystemClock(), new CountDownLatch(1));
        return new ControlPlane(terminal, directory);
    }
}

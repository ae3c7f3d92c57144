package io.berth.worker.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs worker processes from the folder that becomes the archive. */
class WorkerProcessIT {

    private static final Path HOME = Path.of(System.getProperty("berth.worker.home"));

    @TempDir
    private Path folder;

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void endProcesses() {
        processes.forEach(Process::destroyForcibly);
    }

    @Test
    void endsItselfWithoutAResourceManagerAndLeavesOnlyItsLog() throws Exception {
        Path work = folder.resolve("work");
        Process worker = start(
                "--master",
                "127.0.0.1:" + closedPort(),
                "--id",
                "w-1",
                "--cpu",
                "2",
                "--memory",
                "64m",
                "--off-heap",
                "32m",
                "--managed",
                "16m",
                "--resource",
                "gpu=2",
                "--slots",
                "2",
                "--work",
                work.toString(),
                "--resource-manager-timeout-ms",
                "1500");

        assertThat(worker.waitFor(60, TimeUnit.SECONDS)).as(output()).isTrue();

        assertThat(worker.exitValue()).as(output()).isEqualTo(6);
        assertThat(output())
                .contains("worker w-1: up at 127.0.0.1:")
                .contains("offers {2 cpu, 64 MiB, off-heap 32 MiB, managed 16 MiB, gpu 2}")
                .contains("no ResourceManager at 127.0.0.1:")
                .contains("for 1500 ms");
        try (var files = Files.list(work)) {
            assertThat(files).as("its log stays").containsExactly(work.resolve("logs"));
        }
    }

    @Test
    void signalShutsAWorkerDownCleanlyWithinFiveSeconds() throws Exception {
        Process worker = start("--master", "127.0.0.1:" + closedPort(), "--memory", "64m");
        Awaitility.await().atMost(30, TimeUnit.SECONDS).until(() -> output().contains(": up at "));

        worker.destroy();

        assertThat(worker.waitFor(60, TimeUnit.SECONDS)).as(output()).isTrue();
        assertThat(output()).contains("ending: the process ends").doesNotContain("halting");
    }

    @Test
    void aWorkerStartsWithItsSecretsAndSaysNothingOfThem() throws Exception {
        Path secrets = Files.writeString(folder.resolve("worker.secrets"), "db.password=hunter2\n");
        Process refused = start("--master", "127.0.0.1:" + closedPort(), "--secrets", secrets.toString());
        assertThat(refused.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(output()).contains("allowed is rw------- at most").doesNotContain("hunter2");

        Files.setPosixFilePermissions(secrets, PosixFilePermissions.fromString("rw-------"));
        Process worker =
                start("--master", "127.0.0.1:" + closedPort(), "--memory", "64m", "--secrets", secrets.toString());
        Awaitility.await().atMost(60, TimeUnit.SECONDS).until(() -> output().contains(": up at "));
        assertThat(output()).doesNotContain("hunter2");
        assertThat(worker.info().commandLine().orElse("")).doesNotContain("hunter2");
    }

    @Test
    void f44_aSecondProcessInTheSameFolderIsRefusedAndTheFirstContinues() throws Exception {
        Path work = folder.resolve("work");
        Process first = start("--master", "127.0.0.1:" + closedPort(), "--memory", "64m", "--work", work.toString());
        Awaitility.await().atMost(60, TimeUnit.SECONDS).until(() -> output().contains(": up at "));
        Files.delete(log());

        Process second = start("--master", "127.0.0.1:" + closedPort(), "--memory", "64m", "--work", work.toString());

        assertThat(second.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(second.exitValue()).as(output()).isEqualTo(1);
        assertThat(output()).contains("folder " + work + " is in use by another worker process");
        assertThat(first.isAlive()).isTrue();
        assertThat(work.resolve("allocations")).isNotEmptyDirectory();
    }

    @Test
    void badArgumentIsPrintedAndEndsTheProcessWithExitCodeTwo() throws Exception {
        Process worker = start("--master", "127.0.0.1:7077", "--cpu", "x");

        assertThat(worker.waitFor(60, TimeUnit.SECONDS)).isTrue();

        assertThat(worker.exitValue()).isEqualTo(2);
        assertThat(output()).startsWith("berth-worker: argument --cpu is 'x': allowed is a number of cores above 0");
    }

    @Test
    void incompleteHomeFailsTheStartInsteadOfHanging() throws Exception {
        Path home = Files.createDirectories(folder.resolve("home"));
        Files.createDirectories(home.resolve("bundles"));
        Files.createDirectories(home.resolve("libraries"));
        Files.createDirectories(home.resolve("lib"));
        try (var jars = Files.newDirectoryStream(HOME.resolve("lib"))) {
            for (Path jar : jars) {
                Files.copy(jar, home.resolve("lib").resolve(jar.getFileName()));
            }
        }
        try (var jars = Files.newDirectoryStream(HOME.resolve("bundles"), "berth-worker*.jar")) {
            for (Path jar : jars) {
                Files.copy(jar, home.resolve("bundles").resolve(jar.getFileName()));
            }
        }
        Process worker = startFrom(home, "--master", "127.0.0.1:7077");

        assertThat(worker.waitFor(60, TimeUnit.SECONDS)).as(output()).isTrue();

        assertThat(worker.exitValue()).as(output()).isEqualTo(1);
        assertThat(output()).contains("the worker did not start").contains("missing requirement");
    }

    private Process start(String... arguments) throws IOException {
        return startFrom(HOME, arguments);
    }

    private Process startFrom(Path home, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-jar",
                home.resolve("lib").resolve("berth-worker.jar").toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log().toFile())
                .start();
        processes.add(process);
        return process;
    }

    private Path log() {
        return folder.resolve("log");
    }

    private String output() throws IOException {
        return Files.readString(log());
    }

    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}

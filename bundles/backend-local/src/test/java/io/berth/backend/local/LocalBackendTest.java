package io.berth.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.BackendContext;
import io.berth.spi.backend.LaunchDescription;
import io.berth.spi.backend.StartFailure;
import io.berth.spi.backend.WorkerArchive;
import io.berth.spi.backend.WorkerDeclaration;
import io.berth.spi.backend.WorkerSpec;
import io.berth.testkit.FixedConfiguration;
import io.berth.testkit.RecordedBackendContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalBackendTest {

    private static final Duration BOUND = Duration.ofSeconds(20);

    @TempDir
    Path directory;

    private final Context context = new Context();
    private LocalBackend backend;

    @BeforeEach
    void create() throws InvalidConfigurationException {
        backend = create(new TreeMap<>());
    }

    private LocalBackend create(SortedMap<String, String> entries) throws InvalidConfigurationException {
        entries.putIfAbsent("exit.grace.ms", "500");
        return new LocalBackend(LocalConfiguration.of(configuration(entries)), context);
    }

    @AfterEach
    void close() {
        backend.close();
    }

    private void declare(int needed, WorkerId... unwanted) {
        backend.declare(WorkerDeclaration.builder()
                .needed("default", needed)
                .unwanted(List.of(unwanted))
                .build());
    }

    private void awaitStarted(int count) {
        await().atMost(BOUND).until(() -> context.started.size() >= count);
    }

    private ProcessHandle process(WorkerId worker) {
        try {
            String text = Files.readString(directory.resolve(worker + ".pid"));
            return ProcessHandle.of(Long.parseLong(text.split(" ")[0])).orElseThrow();
        } catch (IOException failure) {
            throw new AssertionError("no record of " + worker, failure);
        }
    }

    @Test
    void startsWhatIsDeclaredAndReplacesWhatIsKilled() {
        declare(2);
        awaitStarted(2);
        WorkerId first = context.started.get(0);
        process(first).destroyForcibly();

        await().atMost(BOUND).until(() -> context.ended.contains(first));
        assertThat(context.diagnostics).singleElement().asString().contains("exit code 137");
        awaitStarted(3);
        assertThat(context.started).doesNotHaveDuplicates();
        assertThat(directory.resolve(first + ".pid")).doesNotExist();
    }

    @Test
    void stopsOnlyTheWorkersThatAreNamedAsUnwanted() {
        declare(2);
        awaitStarted(2);
        WorkerId unwanted = context.started.get(1);
        WorkerId other = context.started.get(0);
        declare(1);
        declare(1, unwanted);

        await().atMost(BOUND).until(() -> context.ended.contains(unwanted));
        assertThat(process(other).isAlive()).isTrue();
        assertThat(context.started).hasSize(2);
    }

    @Test
    void killsAWorkerThatDoesNotEndWhenAsked() {
        context.command = List.of("sh", "-c", "trap '' TERM; echo ready; while true; do sleep 0.1; done");
        declare(1);
        awaitStarted(1);
        WorkerId worker = context.started.get(0);
        await().atMost(BOUND).until(() -> Files.size(directory.resolve(worker + ".log")) > 0);
        declare(0, worker);

        await().atMost(BOUND).until(() -> context.ended.contains(worker));
        assertThat(context.diagnostics).singleElement().asString().contains("exit code 137");
    }

    @Test
    void leavesNoProcessAfterClose() {
        declare(3);
        awaitStarted(3);
        List<ProcessHandle> processes =
                context.started.stream().map(this::process).toList();
        backend.close();

        assertThat(processes).noneMatch(ProcessHandle::isAlive);
        assertThat(context.ended).containsExactlyInAnyOrderElementsOf(context.started);
        declare(3);
        assertThat(context.started).hasSize(3);
    }

    @Test
    void leavesWorkersRunningForTheBackendOfTheNextResourceManager() throws InvalidConfigurationException {
        declare(2);
        awaitStarted(2);
        List<ProcessHandle> processes =
                context.started.stream().map(this::process).toList();
        context.workersStay = true;
        backend.close();
        assertThat(processes).allMatch(ProcessHandle::isAlive);
        assertThat(context.ended).isEmpty();

        context.workersStay = false;
        backend = create(new TreeMap<>());
        declare(2);
        backend.close();
        assertThat(processes).noneMatch(ProcessHandle::isAlive);
        assertThat(context.started)
                .as("both are reported once more, and no other is started")
                .hasSize(4);
        assertThat(new TreeSet<>(context.started)).hasSize(2);
        assertThat(context.ended).containsExactlyInAnyOrderElementsOf(new TreeSet<>(context.started));
    }

    @Test
    void pausesAfterFailedStartsInARowAndReportsTheReason() throws InvalidConfigurationException {
        backend.close();
        backend = create(new TreeMap<>(java.util.Map.of("start.failures.max", "2", "start.pause.ms", "3600000")));
        context.command = List.of("sh", "-c", "echo no such option; exit 3");
        declare(1);

        await().atMost(BOUND).until(() -> !context.failures.isEmpty());
        assertThat(context.failures)
                .singleElement()
                .asString()
                .contains("2 starts in a row failed")
                .contains("exit code 3")
                .contains("no such option");
        assertThat(context.started).hasSize(2);
    }

    @Test
    void reportsTheEndOfAWorkerWithoutItsLog() {
        context.command = List.of("sh", "-c", "echo a long story; exec sleep 1000");
        declare(1);
        awaitStarted(1);
        WorkerId worker = context.started.get(0);
        await().atMost(BOUND).until(() -> Files.size(directory.resolve(worker + ".log")) > 0);
        process(worker).destroyForcibly();

        await().atMost(BOUND).until(() -> context.ended.contains(worker));
        assertThat(context.diagnostics).containsExactly("exit code 137");
    }

    @Test
    void rotatesALogThatIsLargerThanItsLimit() throws IOException {
        Path log = Files.writeString(directory.resolve("w.log"), "second");
        Files.writeString(directory.resolve("w.log.1"), "first");

        new WorkerLog(log).bound(5);

        assertThat(log).isEmptyFile();
        assertThat(directory.resolve("w.log.1")).hasContent("second");
    }

    @Test
    void clearsALogThatIsTooLargeEvenWhenItCannotBeCopied() throws IOException {
        Path log = Files.writeString(directory.resolve("w.log"), "x".repeat(3_000));
        // The copy fails, as on a full disk.
        Files.createDirectories(directory.resolve("w.log.1/full"));

        new WorkerLog(log).bound(1_000);

        assertThat(log).isEmptyFile();
    }

    @Test
    void limitsTheSizeOfTheTailOfALog() throws IOException {
        Path log = Files.writeString(directory.resolve("w.log"), "x".repeat(3_000) + " the end");

        assertThat(new WorkerLog(log).tail()).hasSizeLessThan(700).endsWith("the end");
    }

    @Test
    void givesSecretsInAFileOfTheUserAloneAndTheEnvironmentOfTheLaunch() throws IOException {
        context.secrets = Map.of("key.b", "two = 2", "key.a", "one");
        // $3 and $4 are the argument and its value, after the class path and the main class.
        context.command =
                List.of("sh", "-c", "echo $3; stat -c %a $4; cat $4; echo $BERTH_TEST; echo complete; exec sleep 1000");
        declare(1);
        awaitStarted(1);
        WorkerId worker = context.started.get(0);
        Path log = directory.resolve(worker + ".log");
        await().atMost(BOUND).until(() -> Files.readString(log).contains("complete"));

        assertThat(Files.readAllLines(log))
                .containsExactly("--secrets", "600", "key.a=one", "key.b=two = 2", "of the launch", "complete");
        assertThat(directory.resolve(worker + ".secrets")).exists();
        declare(0, worker);
        await().atMost(BOUND).until(() -> context.ended.contains(worker));
        assertThat(directory.resolve(worker + ".secrets")).doesNotExist();
    }

    @Test
    void reportsThatTheSecretsOfAWorkerCannotBeRead() throws InvalidConfigurationException {
        backend.close();
        backend = create(new TreeMap<>(java.util.Map.of("start.failures.max", "2", "start.pause.ms", "3600000")));
        context.noLaunch = Optional.of("worker.secrets.file is /none: there is no such file");
        declare(1);

        await().atMost(BOUND).until(() -> !context.failures.isEmpty());
        assertThat(context.failures)
                .singleElement()
                .asString()
                .contains("2 starts in a row failed")
                .endsWith("cannot be started: worker.secrets.file is /none: there is no such file");
        assertThat(context.started).isEmpty();
    }

    @Test
    void reportsThatAProgramIsMissing() throws InvalidConfigurationException {
        backend.close();
        backend = create(new TreeMap<>(java.util.Map.of("start.failures.max", "1", "start.pause.ms", "3600000")));
        context.command = List.of("/no/such/program");
        declare(1);

        await().atMost(BOUND).until(() -> !context.failures.isEmpty());
        assertThat(context.failures.get(0)).contains("/no/such/program");
        assertThat(context.started).isEmpty();
    }

    @Test
    void aNormalEndIsNotAFailedStart() throws InvalidConfigurationException {
        backend.close();
        backend = create(new TreeMap<>(java.util.Map.of("start.failures.max", "1", "start.pause.ms", "3600000")));
        context.command = List.of("true");
        declare(1);

        awaitStarted(3);
        assertThat(context.failures).isEmpty();
    }

    @Test
    void c101_reportsAndCountsWorkersOfThePreviousProcessBeforeItStartsAny() throws IOException {
        Process leftover = new ProcessBuilder("sleep", "1000").start();
        Process stranger = new ProcessBuilder("sleep", "1000").start();
        try {
            ProcessRecord.write(directory, "old-1", "default", leftover.toHandle());
            // Another process may have the id of a process that has ended.
            Files.writeString(directory.resolve("old-2.pid"), stranger.pid() + " 2001-01-01T00:00:00Z default\n");
            declare(0);
            awaitStarted(1);
            assertThat(context.started).containsExactly(new WorkerId("old-1"));
            assertThat(context.specs).containsExactly("default");
            declare(2);
            awaitStarted(2);
            declare(1);
            assertThat(leftover.isAlive()).isTrue();
            backend.close();

            assertThat(context.started).as("one is there, so one was started").hasSize(2);
            assertThat(leftover.isAlive()).isFalse();
            assertThat(context.ended).containsExactlyInAnyOrderElementsOf(context.started);
            assertThat(stranger.isAlive()).isTrue();
            assertThat(directory.resolve("old-2.pid")).doesNotExist();
        } finally {
            leftover.destroyForcibly();
            stranger.destroyForcibly();
        }
    }

    @Test
    void c101_replacesAnUnwantedWorkerOfThePreviousProcessThatIsPaused() throws Exception {
        Process leftover = new ProcessBuilder("sleep", "1000").start();
        try {
            assertThat(new ProcessBuilder("kill", "-STOP", Long.toString(leftover.pid()))
                            .start()
                            .waitFor())
                    .isZero();
            // The format of an earlier version.
            ProcessRecord record = ProcessRecord.write(directory, "old-1", "default", leftover.toHandle());
            Files.writeString(record.file(), Files.readString(record.file()).replace(" default", ""));
            declare(1);
            awaitStarted(1);
            declare(1, new WorkerId("old-1"));

            await().atMost(BOUND).until(() -> context.ended.contains(new WorkerId("old-1")));
            assertThat(leftover.waitFor(20, java.util.concurrent.TimeUnit.SECONDS))
                    .isTrue();
            awaitStarted(2);
            assertThat(record.file()).doesNotExist();
        } finally {
            leftover.destroyForcibly();
        }
    }

    @Test
    void replacesAWorkerOfThePreviousProcessThatEnds() throws IOException {
        Process leftover = new ProcessBuilder("sleep", "1000").start();
        try {
            ProcessRecord.write(directory, "old-1", "default", leftover.toHandle());
            declare(1);
            awaitStarted(1);
            leftover.destroyForcibly();

            await().atMost(BOUND).until(() -> context.ended.contains(new WorkerId("old-1")));
            awaitStarted(2);
            assertThat(process(context.started.get(1)).isAlive()).isTrue();
        } finally {
            leftover.destroyForcibly();
        }
    }

    @Test
    void ignoresARecordedProcessThatTheResourceManagerDoesNotAccept() throws IOException {
        Process leftover = new ProcessBuilder("sleep", "1000").start();
        try {
            ProcessRecord.write(directory, "foreign", "default", leftover.toHandle());
            ProcessRecord.write(directory, "old-1", "default", leftover.toHandle());
            context.refused = new WorkerId("foreign");
            declare(1);
            awaitStarted(1);
            backend.close();

            assertThat(context.ended).as("the other records are still read").containsExactly(new WorkerId("old-1"));
        } finally {
            leftover.destroyForcibly();
        }
    }

    @Test
    void keepsTheLogOfAWorkerWithinItsLimit() throws InvalidConfigurationException {
        backend.close();
        backend = create(new TreeMap<>(java.util.Map.of("log.max.bytes", "2000")));
        context.command = List.of("sh", "-c", "while true; do echo a line of the log; sleep 0.005; done");
        declare(1);
        awaitStarted(1);
        Path log = directory.resolve(context.started.get(0) + ".log");

        await().atMost(BOUND).until(() -> Files.exists(directory.resolve(log.getFileName() + ".1")));
        assertThat(log).exists();
    }

    @Test
    void keepsTheNewestLogsOnly() throws IOException {
        for (int number = 1; number <= 4; number++) {
            Path log = Files.writeString(directory.resolve("w" + number + ".log"), "x");
            assertThat(log.toFile().setLastModified(1_000_000L * number)).isTrue();
        }
        WorkerLog.prune(directory, 1, List.of(directory.resolve("w1.log")));

        assertThat(directory.resolve("w1.log")).as("in use").exists();
        assertThat(directory.resolve("w4.log")).as("newest").exists();
        assertThat(directory.resolve("w2.log")).doesNotExist();
        assertThat(directory.resolve("w3.log")).doesNotExist();
    }

    @Test
    void readsItsSpecFromTheConfiguration() throws InvalidConfigurationException {
        WorkerSpec spec = LocalConfiguration.of(configuration(new TreeMap<>(java.util.Map.of(
                        "worker.cpu", "1.5", "worker.memory", "512m", "worker.slots", "3", "workers.min", "1"))))
                .spec();

        assertThat(spec.total().cpuMillis()).isEqualTo(1_500);
        assertThat(spec.total().heapBytes()).isEqualTo(512L << 20);
        assertThat(spec.defaultSlots()).isEqualTo(3);
        assertThat(spec.minimum()).isEqualTo(1);
        assertThat(spec.maximum()).isEqualTo(4);
    }

    @Test
    void readsAllKindsOfMemoryAndFurtherResources() throws InvalidConfigurationException {
        WorkerSpec spec = LocalConfiguration.of(configuration(new TreeMap<>(java.util.Map.of(
                        "worker.off.heap", "256m", "worker.managed", "1g", "worker.resources", "gpu=2, tpu v3=1"))))
                .spec();

        assertThat(spec.total().offHeapBytes()).isEqualTo(256L << 20);
        assertThat(spec.total().managedBytes()).isEqualTo(1L << 30);
        assertThat(spec.total().extended()).isEqualTo(new TreeMap<>(java.util.Map.of("gpu", 2L, "tpu v3", 1L)));
    }

    @Test
    void readsTheLabelsTaintsAndTheCostOfAWorker() throws InvalidConfigurationException {
        WorkerSpec spec = LocalConfiguration.of(configuration(new TreeMap<>(java.util.Map.of(
                        "worker.labels", "zone=eu-1, disk=ssd=2",
                        "worker.taints", "gpu=v100",
                        "worker.cost.per.hour", "0.25"))))
                .spec();

        assertThat(spec.labels()).isEqualTo(new TreeMap<>(java.util.Map.of("zone", "eu-1", "disk", "ssd=2")));
        assertThat(spec.taints()).isEqualTo(new TreeMap<>(java.util.Map.of("gpu", "v100")));
        assertThat(spec.costPerHour()).isEqualTo(0.25);
    }

    @Test
    void refusesAnInvalidConfiguration() {
        refuses("worker.cpu", "0", "worker.cpu is '0'");
        refuses("worker.cpu", "1.2345", "three decimals");
        refuses("worker.memory", "much", "worker.memory is 'much'");
        refuses(
                "worker.memory",
                "0m",
                "worker.memory is '0m': a size from 1 KiB to 1024 TiB (units B, KiB, MiB, GiB, TiB) is allowed");
        refuses("worker.off.heap", "1", "worker.off.heap is '1': a size from 0 B");
        refuses("worker.managed", "-1m", "worker.managed is '-1m'");
        refuses("worker.resources", "gpu", "worker.resources has 'gpu': allowed is NAME=AMOUNT");
        refuses("worker.resources", "gpu=0", "worker.resources has 'gpu=0'");
        refuses("worker.resources", "gpu=1, gpu=2", "each name once");
        refuses("workers.min", "5", "workers.min is 5");
        refuses("worker.labels", "zone", "worker.labels has 'zone': allowed is KEY=VALUE");
        refuses("worker.labels", "zone=a, zone=b", "worker.labels has 'zone=b': allowed is KEY=VALUE, each key once");
        refuses("worker.taints", "berth.spec=x", "does not begin with berth.");
        refuses("worker.cost.per.hour", "-1", "worker.cost.per.hour");
    }

    private void refuses(String key, String value, String message) {
        assertThatThrownBy(() -> create(new TreeMap<>(java.util.Map.of(key, value))))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining(message);
    }

    private final class Context implements BackendContext {

        private final List<WorkerId> started = new CopyOnWriteArrayList<>();
        private final List<WorkerId> ended = new CopyOnWriteArrayList<>();
        private final List<String> diagnostics = new CopyOnWriteArrayList<>();
        private final List<String> failures = new CopyOnWriteArrayList<>();
        private volatile Map<String, String> secrets = Map.of();
        private volatile Optional<String> noLaunch = Optional.empty();
        private volatile List<String> command = List.of("sleep", "1000");
        private volatile boolean workersStay;
        private final List<String> specs = new CopyOnWriteArrayList<>();
        private volatile WorkerId refused = new WorkerId("none");

        @Override
        public boolean workersStay() {
            return workersStay;
        }

        @Override
        public LaunchDescription launch(WorkerId worker, WorkerSpec spec) {
            noLaunch.ifPresent(why -> {
                throw new IllegalStateException(why);
            });
            LaunchDescription.Builder launch = command.get(0).equals("sh")
                    ? LaunchDescription.of(worker)
                            .java("sh")
                            .javaOptions(command.subList(1, command.size()))
                            .mainClass("worker")
                    : RecordedBackendContext.standIn(worker, command);
            return command.size() == 1
                    ? LaunchDescription.of(worker).java(command.get(0)).build()
                    : launch.environment(Map.of("BERTH_TEST", "of the launch"))
                            .secrets(secrets)
                            .build();
        }

        @Override
        public WorkerArchive archive() {
            throw new UnsupportedOperationException("workers of this machine need no archive");
        }

        @Override
        public String name() {
            return "local";
        }

        @Override
        public Path directory() {
            return directory;
        }

        @Override
        public long now() {
            return 0;
        }

        @Override
        public long wallTime() {
            return 0;
        }

        @Override
        public ZoneId zone() {
            return ZoneOffset.UTC;
        }

        @Override
        public long remainingMillis() {
            return 0;
        }

        @Override
        public String workerIdPrefix() {
            return "local-1-";
        }

        @Override
        public void started(WorkerId worker, String spec) {
            if (worker.equals(refused)) {
                throw new IllegalArgumentException("worker " + worker + " is none of this backend");
            }
            specs.add(spec);
            started.add(worker);
        }

        @Override
        public void leaving(WorkerId worker, long millis, String reason) {
            throw new AssertionError("takes no workers away");
        }

        @Override
        public void ended(WorkerId worker, String why) {
            diagnostics.add(why);
            ended.add(worker);
        }

        @Override
        public void startFailed(String spec, StartFailure failure) {
            failures.add(failure.diagnostics());
        }

        @Override
        public void queued(String spec, String why) {}

        @Override
        public void specs(List<WorkerSpec> changed) {}
    }

    private static PolicyConfiguration configuration(SortedMap<String, String> entries)
            throws InvalidConfigurationException {
        return FixedConfiguration.of(new LocalBackendFactory().describe(), entries);
    }
}

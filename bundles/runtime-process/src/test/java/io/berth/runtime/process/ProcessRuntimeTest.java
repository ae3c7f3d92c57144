package io.berth.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.task.FailureKind;
import io.berth.core.api.task.TaskHandle;
import io.berth.core.api.task.TaskHandle.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes of the shell. */
class ProcessRuntimeTest {

    @TempDir
    private Path folder;

    private ProcessFixture fixture;

    @BeforeEach
    void start() {
        fixture = new ProcessFixture(folder);
    }

    @AfterEach
    void end() {
        fixture.runtime.deactivate();
    }

    private Outcome run(String... configuration) throws Exception {
        return fixture.outcome(fixture.start(configuration));
    }

    private static Outcome.Failed failed(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Failed.class);
        return (Outcome.Failed) outcome;
    }

    @Test
    void exitCode0IsFinished() throws Exception {
        assertThat(run("command", "sh -c 'exit 0'")).isEqualTo(new Outcome.Finished());
    }

    @Test
    void anotherExitCodeIsFailedWithTheLastLinesOfStandardError() throws Exception {
        Outcome.Failed failed = failed(run("script", "echo out; echo first >&2; echo second >&2; exit 3"));

        assertThat(failed.cause()).endsWith("/sh' ended with exit code 3; standard error ends with: first | second");
        assertThat(failed.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(failed.stack()).isEqualTo("first\nsecond");
        assertThat(fixture.lines()).containsExactlyInAnyOrder("OUT out", "ERR first", "ERR second");
    }

    @Test
    void exitCodesThatAnotherAttemptWouldMeetTooArePermanent() throws Exception {
        assertThat(failed(run("script", "exit 65", "exit.codes.permanent", "2, 64-66"))
                        .kind())
                .isEqualTo(FailureKind.PERMANENT);
        assertThat(failed(run("script", "exit 67", "exit.codes.permanent", "2, 64-66"))
                        .kind())
                .isEqualTo(FailureKind.TRANSIENT);
    }

    @Test
    void theSignalThatEndedAProcessIsNamed() throws Exception {
        assertThat(failed(run("script", "kill -KILL $$")).cause())
                .contains("ended with exit code 137, signal KILL; it printed nothing to standard error");
    }

    @Test
    void aProgramThatIsNotThereIsNamed() throws Exception {
        Outcome.Failed failed = failed(run("command", "no-such-program --now"));
        assertThat(failed.kind()).as("another worker may have it").isEqualTo(FailureKind.TRANSIENT);
        assertThat(failed.cause()).startsWith("program 'no-such-program' is not on worker w-1: PATH is ");
        assertThat(failed(run("command", "/etc/passwd")).cause())
                .isEqualTo("program '/etc/passwd' is not on worker w-1, or it is no executable file");
        Outcome.Failed directory = failed(run("command", "sh -c true", "directory", "/no/such"));
        assertThat(directory.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(directory.cause()).isEqualTo("directory '/no/such' is not a directory on worker w-1");
    }

    @Test
    void anErrorBeforeTheStartFailsTheTask() throws Exception {
        fixture.broken = true;
        Outcome.Failed failed = failed(run("command", "sh -c true"));
        assertThat(failed.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(failed.cause()).contains("unable to create native thread");
    }

    @Test
    void aProgramHasNoChildrenButItsOwn() throws Exception {
        TaskHandle task = fixture.start("script", "echo $$; echo ready; exec sleep 300");
        fixture.await("OUT ready");
        long program = Long.parseLong(fixture.lines().get(0).substring("OUT ".length()));
        assertThat(ProcessHandle.of(program).orElseThrow().children())
                .as("it may wait for all of them")
                .isEmpty();
        task.cancel();
        assertThat(fixture.outcome(task)).isEqualTo(new Outcome.Canceled());
    }

    @Test
    void badSettingsAreNamedAllAtOnce() throws Exception {
        Outcome.Failed failed = failed(run("command", "'sh", "stop.timeout.ms", "-1"));
        assertThat(failed.kind()).isEqualTo(FailureKind.PERMANENT);
        assertThat(failed.cause())
                .isEqualTo("command is ''sh': closed quotes, and a character after each backslash: the quote ' is not"
                        + " closed; stop.timeout.ms is '-1': a whole number from 0 to 120000");
    }

    @Test
    void theEnvironmentDescribesTheTask() throws Exception {
        run("script", "env; pwd", "environment.GREETING", "good day", "environment.PATH", "/bin:/usr/bin");

        assertThat(fixture.lines())
                .contains(
                        "OUT BERTH_JOB_ID=job-1",
                        "OUT BERTH_JOB_NAME=sums",
                        "OUT BERTH_VERTEX=sum",
                        "OUT BERTH_RANK=0",
                        "OUT BERTH_SIZE=3",
                        "OUT BERTH_ATTEMPT=1.2.0",
                        "OUT BERTH_RENDEZVOUS=" + fixture.rendezvous,
                        "OUT BERTH_CPU=1.500",
                        "OUT BERTH_MEMORY_BYTES=1048576",
                        "OUT BERTH_RESOURCE_GPU=2",
                        "OUT GREETING=good day",
                        "OUT PATH=/bin:/usr/bin");
        Path directory = folder.resolve("job-1.sum.0.1.2.0");
        assertThat(fixture.lines())
                .contains("OUT BERTH_DIRECTORY=" + directory, "OUT BERTH_SCRIPT=" + directory.resolve("script"));
        assertThat(directory).as("removed with the task").doesNotExist();
    }

    @Test
    void theScriptStandsWhereTheCommandSays() throws Exception {
        assertThat(run("command", "sh {script} one 'two words'", "script", "echo \"$# $2\""))
                .isEqualTo(new Outcome.Finished());
        assertThat(fixture.lines()).containsExactly("OUT 2 two words");
        run("script", "#!/bin/sh\necho by itself");
        assertThat(fixture.lines()).contains("OUT by itself");
    }

    @Test
    void aCanceledProcessReceivesItsSignalAndMayEndInOrder() throws Exception {
        Path file = folder.resolve("../stopped-" + folder.getFileName());
        TaskHandle task = fixture.start(
                "script",
                "trap 'echo stopped > " + file + "; exit 0' USR1; echo ready; while true; do sleep 0.05; done",
                "stop.signal",
                "USR1",
                "stop.timeout.ms",
                "60000");
        fixture.await("OUT ready");
        task.cancel();

        assertThat(fixture.outcome(task)).isEqualTo(new Outcome.Canceled());
        assertThat(file).hasContent("stopped");
        Files.delete(file);
    }

    @Test
    void aProcessThatIgnoresItsSignalIsKilledWithAllThatItStarted() throws Exception {
        TaskHandle task = fixture.start(
                "script",
                "trap '' TERM; sleep 300 & (sleep 300 & echo pids; wait) & echo ready; wait",
                "stop.timeout.ms",
                "100");
        fixture.await("OUT pids");
        fixture.await("OUT ready");
        List<Long> tree = fixture.processesOfTheRuntime();
        assertThat(tree).hasSizeGreaterThanOrEqualTo(4);
        task.cancel();

        assertThat(fixture.outcome(task)).isEqualTo(new Outcome.Canceled());
        fixture.awaitEnd(tree);
    }

    @Test
    void nothingOutlivesTheFirstProcess() throws Exception {
        TaskHandle task = fixture.start("script", "sleep 300 & echo child $!; exit 0");
        assertThat(fixture.outcome(task)).isEqualTo(new Outcome.Finished());
        String child = fixture.lines().get(0).substring("OUT child ".length());
        fixture.awaitEnd(List.of(Long.valueOf(child)));
    }

    @Test
    void aTaskThatIsCanceledAtOnceIsCanceled() throws Exception {
        TaskHandle task = fixture.start("script", "sleep 300");
        task.cancel();
        assertThat(fixture.outcome(task)).isEqualTo(new Outcome.Canceled());
    }

    @Test
    void aHealthCommandThatFailsTooOftenEndsTheTask() throws Exception {
        TaskHandle task = fixture.start(
                "script",
                "while true; do sleep 0.05; done",
                "health.command",
                "sh -c 'echo disk is full >&2; exit 4'",
                "health.interval.ms",
                "100",
                "health.failures.max",
                "2");
        Outcome.Failed failed = failed(fixture.outcome(task));
        assertThat(failed.cause())
                .isEqualTo("the health command failed 2 times in a row: exit code 4, its last line is: disk is full");
        assertThat(failed.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(task.metrics().counters()).containsEntry("sum.health.failures", 2L);
    }

    @Test
    void theScriptMayAlsoCheckTheHealth() throws Exception {
        TaskHandle task = fixture.start(
                "command",
                "sh {script} run",
                "script",
                "if [ $1 = check ]; then echo by the script >&2; exit 7; fi; while true; do sleep 0.05; done",
                "health.command",
                "sh {script} check",
                "health.interval.ms",
                "100",
                "health.failures.max",
                "1");
        assertThat(failed(fixture.outcome(task)).cause()).endsWith("exit code 7, its last line is: by the script");
    }

    @Test
    void aHealthCommandThatDoesNotEndIsAFailure() throws Exception {
        TaskHandle task = fixture.start(
                "script",
                "while true; do sleep 0.05; done",
                "health.command",
                "sleep 300",
                "health.interval.ms",
                "100",
                "health.timeout.ms",
                "100",
                "health.failures.max",
                "1");
        assertThat(failed(fixture.outcome(task)).cause()).endsWith("it has not ended within 100 ms");
        fixture.awaitEnd(fixture.processesOfTheRuntime());
    }

    @Test
    void aHealthCommandThatSucceedsChangesNothing() throws Exception {
        Path checks = folder.resolve("../checks-" + folder.getFileName());
        TaskHandle task = fixture.start(
                "script",
                "while [ $(cat " + checks + " 2>/dev/null | wc -l) -lt 3 ]; do sleep 0.05; done; exit 0",
                "health.command",
                "sh -c 'echo check >> " + checks + "'",
                "health.interval.ms",
                "100",
                "health.failures.max",
                "1");
        assertThat(fixture.outcome(task)).isEqualTo(new Outcome.Finished());
        Files.delete(checks);
    }

    @Test
    void longLinesArriveInPartsAndOnlyTheLastLinesAreKept() throws Exception {
        Outcome.Failed failed = failed(run(
                "script",
                "head -c 20000 /dev/zero | tr '\\0' x; echo; for i in $(seq 60); do echo e$i >&2; done; exit 1"));
        assertThat(fixture.lines().stream().filter(line -> line.startsWith("OUT x")))
                .extracting(line -> line.length() - 4)
                .containsExactly(OutputPump.MAX_LINE, OutputPump.MAX_LINE, 20_000 - 2 * OutputPump.MAX_LINE);
        assertThat(failed.stack().lines()).hasSize(OutputPump.KEPT_LINES).last().isEqualTo("e60");
        assertThat(failed.cause()).endsWith("e56 | e57 | e58 | e59 | e60");
    }

    @Test
    void aRendezvousThatAnotherProgramHasFailsTheTaskWithItsPort() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            fixture.rendezvous = "127.0.0.1:" + taken.getLocalPort();
            Outcome.Failed failed = failed(run("script", "exit 0"));
            assertThat(failed.kind()).isEqualTo(FailureKind.TRANSIENT);
            assertThat(failed.cause()).contains("port " + taken.getLocalPort() + " of the rendezvous is in use");
        }
    }

    @Test
    void nothingOutlivesTheWorker() throws Exception {
        Process worker = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        OtherWorker.class.getName())
                .redirectErrorStream(true)
                .start();
        long child;
        try (BufferedReader lines = worker.inputReader()) {
            child = Long.parseLong(lines.readLine());
            assertThat(ProcessHandle.of(child).filter(ProcessHandle::isAlive)).isPresent();
            worker.destroyForcibly();
        }
        worker.waitFor();

        fixture.awaitEnd(List.of(child));
    }

    /** A process that starts another one, prints its id, and has no time to end it. */
    static final class OtherWorker {

        public static void main(String[] none) throws Exception {
            ProcessGroup group = ProcessGroup.start(
                    List.of("/bin/sh", "-c", "trap '' TERM; sleep 300 & echo $!; wait"),
                    Path.of("/tmp"),
                    new TreeMap<>(System.getenv()));
            OutputPump.start(group.output(), TaskLog.Stream.OUT, (stream, text) -> System.out.println(text), "out");
            group.waitFor();
        }
    }

    @Test
    void whatAnEarlierProcessOfTheWorkerLeftIsRemoved() throws IOException {
        Files.createDirectories(folder.resolve("old/deep"));
        Files.writeString(folder.resolve("old/deep/file"), "x");
        ProcessFixture next = new ProcessFixture(folder);
        try (Stream<Path> files = Files.exists(folder) ? Files.list(folder) : Stream.empty()) {
            assertThat(files).isEmpty();
        }
        next.runtime.deactivate();
    }

    @Test
    void theRuntimeKillsWhatRunsWhenItStops() throws Exception {
        TaskHandle task = fixture.start("script", "trap '' TERM; echo ready; while true; do sleep 0.05; done");
        fixture.await("OUT ready");
        List<Long> tree = fixture.processesOfTheRuntime();
        fixture.runtime.deactivate();
        assertThat(fixture.outcome(task)).isEqualTo(new Outcome.Canceled());
        fixture.awaitEnd(tree);
    }
}

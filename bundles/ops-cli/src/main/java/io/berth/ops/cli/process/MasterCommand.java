package io.berth.ops.cli.process;

import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.CommandFailure;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Terminal;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** The control plane of this installation, at its default addresses. */
@Command(
        name = "master",
        mixinStandardHelpOptions = true,
        description = "Runs the control plane in the foreground; 'start' and 'stop' run it in the background.")
public final class MasterCommand implements Callable<Integer> {

    private static final long START_MILLIS = 180_000;
    private static final long STOP_MILLIS = 30_000;
    private static final long TURN_MILLIS = 200;

    @ParentCommand
    private Console berth;

    /** The directory of this installation's control plane, unpacked when it is not or when a newer one was built. */
    static Path unpacked(Terminal terminal) {
        Path directory = terminal.home().resolve(".berth").resolve("master");
        Path archive = ControlPlane.assembly(terminal.home());
        boolean there = Files.isRegularFile(directory.resolve("bin").resolve("karaf"));
        if (there && (directory.toFile().lastModified() >= archive.toFile().lastModified() || running(directory))) {
            return directory;
        }
        terminal.progress("unpacking the control plane into " + directory);
        ControlPlane.delete(directory);
        new ControlPlane(terminal, directory).unpack();
        if (!directory.toFile().setLastModified(terminal.clock().wallMillis())) {
            throw new CommandFailure(ExitCode.FAILED, directory + " cannot be written");
        }
        return directory;
    }

    private static Optional<ProcessHandle> process(Path directory) {
        try {
            Path file = directory.resolve("karaf.pid");
            return Files.exists(file)
                    ? ProcessHandle.of(Long.parseLong(Files.readString(file).strip()))
                            .filter(ProcessHandle::isAlive)
                    : Optional.empty();
        } catch (IOException | NumberFormatException unreadable) {
            return Optional.empty();
        }
    }

    private static boolean running(Path directory) {
        return process(directory).isPresent();
    }

    @Override
    public Integer call() {
        Terminal terminal = berth.terminal();
        Path directory = unpacked(terminal);
        refuseSecond(directory);
        terminal.progress("control plane in the foreground; Ctrl-C stops it; logs in " + directory.resolve("data/log"));
        try (ControlPlane plane = new ControlPlane(terminal, directory)) {
            Api api = new Api("http://127.0.0.1:" + plane.requireFreePorts());
            plane.start(false);
            plane.await(
                    api,
                    "the control plane",
                    status -> status.path("resourceManager").asText().equals("serving"),
                    START_MILLIS);
            terminal.progress("serving; workers join at "
                    + api.get("status").path("masterAddress").asText());
            while (running(directory)) {
                if (terminal.pause(TURN_MILLIS)) {
                    return ExitCode.DONE;
                }
            }
            return ExitCode.DONE;
        }
    }

    private static void refuseSecond(Path directory) {
        process(directory).ifPresent(process -> {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "the control plane already runs as process " + process.pid()
                            + ": stop it with 'berth master stop'");
        });
    }

    @Command(
            name = "start",
            mixinStandardHelpOptions = true,
            description = "Starts the control plane in the background.")
    Integer start() {
        Terminal terminal = berth.terminal();
        Path directory = unpacked(terminal);
        refuseSecond(directory);
        ControlPlane plane = new ControlPlane(terminal, directory);
        Api api = new Api("http://127.0.0.1:" + plane.requireFreePorts());
        boolean well = false;
        try {
            plane.start(true);
            plane.await(
                    api,
                    "the control plane",
                    status -> status.path("resourceManager").asText().equals("serving"),
                    START_MILLIS);
            plane.release();
            well = true;
        } finally {
            if (!well) {
                plane.close();
            }
        }
        terminal.out()
                .println("control plane serves; workers join at "
                        + api.get("status").path("masterAddress").asText());
        terminal.out().flush();
        return ExitCode.DONE;
    }

    @Command(name = "stop", mixinStandardHelpOptions = true, description = "Stops the control plane and its workers.")
    Integer stop() {
        Terminal terminal = berth.terminal();
        Path directory = terminal.home().resolve(".berth").resolve("master");
        Optional<ProcessHandle> process = process(directory);
        if (process.isEmpty()) {
            terminal.progress("no control plane of this installation runs");
            return ExitCode.DONE;
        }
        try {
            Process stop = new ControlPlane(terminal, directory)
                    .environment(new ProcessBuilder(
                            directory.resolve("bin").resolve("stop").toString()))
                    .redirectInput(Redirect.from(new File("/dev/null")))
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.DISCARD)
                    .start();
            stop.waitFor(STOP_MILLIS, TimeUnit.MILLISECONDS);
            long deadline = terminal.clock().millis() + STOP_MILLIS;
            while (process.get().isAlive() && terminal.clock().millis() < deadline && !terminal.pause(TURN_MILLIS)) {
                // Waits for the process itself: bin/stop returns earlier.
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("the control plane cannot be stopped", failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        if (process.get().isAlive()) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "process " + process.get().pid() + " still runs after " + STOP_MILLIS / 1000
                            + " s: end it with kill -9 " + process.get().pid());
        }
        terminal.out().println("stopped");
        terminal.out().flush();
        return ExitCode.DONE;
    }
}

package io.berth.ops.cli.process;

import io.berth.ops.cli.console.CommandFailure;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Terminal;
import io.berth.ops.cli.process.ControlPlane.PortSetting;
import io.berth.ops.cli.process.ControlPlane.Ports;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** The control plane of this installation, in the directory .berth/master. */
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

    @Mixin
    private PortOptions ports = new PortOptions();

    /** Options for the ports of the control plane. The ports are written to its configuration and stay. */
    static final class PortOptions {

        @Option(names = "--free-ports", description = "Replace ports that other programs use by free ones")
        private boolean free;

        @Option(
                names = "--rest-port",
                paramLabel = "N",
                description = "Where REST listens. Default: as configured, 8181")
        private Optional<Integer> rest = Optional.empty();

        @Option(
                names = "--shell-port",
                paramLabel = "N",
                description = "Where the shell listens. Default: as configured, 8101")
        private Optional<Integer> shell = Optional.empty();

        @Option(
                names = "--worker-port",
                paramLabel = "N",
                description = "Where workers join. Default: as configured, 7077")
        private Optional<Integer> worker = Optional.empty();

        private Ports apply(ControlPlane plane) {
            set(plane, PortSetting.HTTP, "--rest-port", rest);
            set(plane, PortSetting.SSH, "--shell-port", shell);
            set(plane, PortSetting.RPC, "--worker-port", worker);
            if (free) {
                plane.replaceTakenPorts();
            }
            return plane.requireFreePorts();
        }

        private static void set(ControlPlane plane, PortSetting setting, String option, Optional<Integer> port) {
            port.ifPresent(number -> {
                if (number < 1 || number > 65_535) {
                    throw new CommandFailure(ExitCode.BAD_INPUT, option + " is " + number + ": allowed is 1 to 65535");
                }
                plane.put(setting, number);
            });
        }
    }

    @Override
    public Integer call() {
        Terminal terminal = berth.terminal();
        Installation installation = prepared(terminal);
        Path directory = installation.directory();
        terminal.progress("control plane in the foreground; Ctrl-C stops it; logs in " + directory.resolve("data/log"));
        try (ControlPlane plane = new ControlPlane(terminal, directory)) {
            Ports used = ports.apply(plane);
            plane.start(false);
            awaitServing(plane, used);
            terminal.progress("control plane serves");
            plane.printAddresses(terminal.err(), used, "Ctrl-C");
            while (installation.process().isPresent()) {
                if (terminal.pause(TURN_MILLIS)) {
                    return ExitCode.DONE;
                }
            }
            return ExitCode.DONE;
        }
    }

    private static Installation prepared(Terminal terminal) {
        Installation installation = new Installation(terminal);
        installation.process().ifPresent(process -> {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "the control plane already runs as process " + process.pid()
                            + ": stop it with 'berth master stop'");
        });
        installation.update();
        return installation;
    }

    private static void awaitServing(ControlPlane plane, Ports ports) {
        plane.await(
                plane.api(ports),
                "the control plane",
                status -> status.path("resourceManager").asText().equals("serving"),
                START_MILLIS);
    }

    @Command(
            name = "start",
            mixinStandardHelpOptions = true,
            description = "Starts the control plane in the background.")
    Integer start(@Mixin PortOptions chosen) {
        Terminal terminal = berth.terminal();
        ControlPlane plane = new ControlPlane(terminal, prepared(terminal).directory());
        Ports used = chosen.apply(plane);
        boolean well = false;
        try {
            plane.start(true);
            awaitServing(plane, used);
            plane.release();
            well = true;
        } finally {
            if (!well) {
                plane.close();
            }
        }
        terminal.out().println("control plane serves");
        plane.printAddresses(terminal.out(), used, "./berth master stop");
        return ExitCode.DONE;
    }

    @Command(name = "stop", mixinStandardHelpOptions = true, description = "Stops the control plane and its workers.")
    Integer stop() {
        Terminal terminal = berth.terminal();
        Installation installation = new Installation(terminal);
        Path directory = installation.directory();
        Optional<ProcessHandle> process = installation.process();
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
                // Waits for the process, because bin/stop returns earlier.
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

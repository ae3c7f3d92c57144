package io.berth.ops.cli.process;

import io.berth.core.api.task.RuntimeSettings;
import io.berth.ops.cli.cluster.WorkerBlockCommand;
import io.berth.ops.cli.cluster.WorkerDrainCommand;
import io.berth.ops.cli.cluster.WorkerLabelCommand;
import io.berth.ops.cli.cluster.WorkerTaintCommand;
import io.berth.ops.cli.cluster.WorkerUnblockCommand;
import io.berth.ops.cli.cluster.WorkerUndrainCommand;
import io.berth.ops.cli.console.CommandFailure;
import io.berth.ops.cli.console.CommandGroup;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Terminal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Runs a worker in the foreground and joins it to a cluster by hand. Its commands change workers that have joined. */
@Command(
        name = "worker",
        mixinStandardHelpOptions = true,
        customSynopsis = {
            "berth worker --master=HOST:PORT[,...] --cpu=N --memory=M [OPTIONS]",
            "       berth worker COMMAND"
        },
        description = "Runs a worker in the foreground and joins it to a cluster; its commands drain, block, label and"
                + " taint workers that have joined.",
        subcommands = {
            WorkerDrainCommand.class,
            WorkerUndrainCommand.class,
            WorkerBlockCommand.class,
            WorkerUnblockCommand.class,
            WorkerLabelCommand.class,
            WorkerTaintCommand.class
        })
public final class WorkerCommand implements Callable<Integer>, CommandGroup {

    /** Needed to run a worker, not by the commands. */
    private static final List<String> REQUIRED = List.of("--master", "--cpu", "--memory");

    private static final Pattern SIZE = Pattern.compile("([0-9]{1,9})([kmgt])b?");
    private static final long MIN_BYTES = 1L << 20;
    private static final long MAX_BYTES = 1L << 50;
    /**
     * Heap and direct memory beyond what the worker offers to slots: the exchange alone may take 128 MiB. Backends use the
     * same value.
     */
    private static final int OVERHEAD_MEBIBYTES = 256;

    private static final long TURN_MILLIS = 200;
    private static final long STOP_MILLIS = 10_000;

    @ParentCommand
    private Console berth;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--master",
            paramLabel = "HOST:PORT[,...]",
            description =
                    "Required. Where the control plane listens for workers; GET /v1/status shows it as masterAddress. "
                            + "Several are tried one after the other until one of them leads")
    private String master = "";

    @Option(names = "--cpu", paramLabel = "N", description = "Required. Cores offered to slots, such as 2 or 1.5")
    private String cpu = "";

    @Option(names = "--memory", paramLabel = "M", description = "Required. Heap offered to slots, such as 512m")
    private String memory = "";

    @Option(
            names = "--off-heap",
            paramLabel = "M",
            description = "Memory outside the heap offered to slots. Default: none")
    private String offHeap = "";

    @Option(
            names = "--managed",
            paramLabel = "M",
            description = "Memory managed by the task runtime, offered to slots. Default: none")
    private String managed = "";

    @Option(
            names = "--resource",
            paramLabel = "NAME=AMOUNT",
            description = "Further resource offered to slots, such as gpu=1; may be repeated")
    private List<String> resources = new ArrayList<>();

    @Option(
            names = "--slots",
            paramLabel = "N",
            description = "Default slots it divides into. Default: ${DEFAULT-VALUE}")
    private int slots = 1;

    @Option(names = "--id", paramLabel = "ID", description = "Name of the worker. Default: generated")
    private String id = "";

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description =
                    "Folder for its files: a worker that is started again with the same --id there offers the same "
                            + "slots. Default: a temporary one")
    private Optional<Path> workFolder = Optional.empty();

    @Option(
            names = "--logs",
            paramLabel = "DIR",
            description = "Folder for logs, each worker in a folder of its own below. They stay when the worker ends. "
                    + "Default: data/berth/worker-logs of this installation. In another folder, 'berth logs' finds them "
                    + "only while the worker runs")
    private Optional<Path> logFolder = Optional.empty();

    @Option(names = "--label", paramLabel = "KEY=VALUE", description = "Attribute for placement; may be repeated")
    private List<String> labels = new ArrayList<>();

    @Option(
            names = "--taint",
            paramLabel = "KEY=VALUE",
            description = "Keeps slots away whose group does not tolerate it; may be repeated")
    private List<String> taints = new ArrayList<>();

    @Option(
            names = "--cost-per-hour",
            paramLabel = "N",
            description =
                    "What the worker costs for each hour, in a currency of yours, such as 0.25, for strategies that"
                            + " weigh costs. Default: not known")
    private String costPerHour = "";

    @Option(
            names = "--runtime",
            paramLabel = "KEY=VALUE",
            description = "Setting of the runtime, as in etc/io.berth.runtime.dataflow.cfg; may be repeated")
    private List<String> runtime = new ArrayList<>();

    @Option(
            names = "--secrets",
            paramLabel = "FILE",
            description = "File with secrets for the operators of jobs, one NAME=VALUE a line, that only you may read")
    private Optional<Path> secrets = Optional.empty();

    @Option(
            names = "--host",
            paramLabel = "HOST",
            description =
                    "Name or address of this host at which the worker listens and others reach it; another one than"
                            + " loopback needs --security. Default: 127.0.0.1")
    private String host = "";

    @Option(
            names = "--security",
            paramLabel = "DIR",
            description = "Folder with the key and the certificate of --id, which 'berth security issue' writes."
                    + " Default: connections are not secured")
    private Optional<Path> security = Optional.empty();

    @Override
    public Console console() {
        return berth;
    }

    @Override
    public Integer call() {
        checkRequired();
        Terminal terminal = berth.terminal();
        List<String> options = javaOptions();
        Path home = installed(terminal);
        Path jar = jar(home);
        Path work = workFolder.map(Path::toAbsolutePath).orElseGet(WorkerCommand::temporary);
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(options);
        command.addAll(List.of("-jar", jar.toString()));
        command.addAll(arguments(
                work,
                logFolder.orElseGet(() -> home.resolve("data").resolve("berth").resolve("worker-logs"))));
        try {
            Process worker = new ProcessBuilder(command).inheritIO().start();
            return await(terminal, worker);
        } catch (IOException failure) {
            throw new UncheckedIOException("the worker cannot be started", failure);
        } finally {
            if (workFolder.isEmpty()) {
                ControlPlane.delete(work);
            }
        }
    }

    private void checkRequired() {
        List<ArgSpec> missing = new ArrayList<>();
        StringJoiner names = new StringJoiner("', '", "'", "'");
        for (String name : REQUIRED) {
            if (!spec.commandLine().getParseResult().hasMatchedOption(name)) {
                OptionSpec option = spec.findOption(name);
                missing.add(option);
                names.add(name + "=" + option.paramLabel());
            }
        }
        if (!missing.isEmpty()) {
            throw new MissingParameterException(
                    spec.commandLine(),
                    missing,
                    "Missing required option" + (missing.size() == 1 ? ": " : "s: ") + names);
        }
    }

    /** Options of the worker's JVM. A worker that is out of memory ends, and another one takes its tasks. */
    List<String> javaOptions() {
        long heap = mebibytes("--memory", memory) + optional("--managed", managed) + moreHeapMebibytes(runtime);
        return List.of(
                "-Xmx" + (heap + OVERHEAD_MEBIBYTES) + "m",
                "-XX:MaxDirectMemorySize=" + (optional("--off-heap", offHeap) + OVERHEAD_MEBIBYTES) + "m",
                "-XX:+UseParallelGC",
                "-XX:+ExitOnOutOfMemoryError");
    }

    private static long optional(String option, String size) {
        return size.isEmpty() ? 0 : mebibytes(option, size);
    }

    /** Arguments of the launcher. */
    List<String> arguments(Path work, Path logs) {
        List<String> arguments = new ArrayList<>(List.of(
                "--master",
                master,
                "--cpu",
                cpu,
                "--memory",
                memory,
                "--slots",
                Integer.toString(slots),
                "--backend",
                "standalone",
                "--work",
                work.toString(),
                "--logs",
                logs.toAbsolutePath().toString()));
        if (!offHeap.isEmpty()) {
            arguments.addAll(List.of("--off-heap", offHeap));
        }
        if (!managed.isEmpty()) {
            arguments.addAll(List.of("--managed", managed));
        }
        if (!id.isEmpty()) {
            arguments.addAll(List.of("--id", id));
        }
        resources.forEach(resource -> arguments.addAll(List.of("--resource", resource)));
        labels.forEach(label -> arguments.addAll(List.of("--label", label)));
        taints.forEach(taint -> arguments.addAll(List.of("--taint", taint)));
        if (!costPerHour.isEmpty()) {
            arguments.addAll(List.of("--cost-per-hour", costPerHour));
        }
        runtime.forEach(setting -> arguments.addAll(List.of("--runtime", setting)));
        secrets.ifPresent(file ->
                arguments.addAll(List.of("--secrets", file.toAbsolutePath().toString())));
        if (!host.isEmpty()) {
            arguments.addAll(List.of("--host", host));
        }
        security.ifPresent(folder ->
                arguments.addAll(List.of("--security", folder.toAbsolutePath().toString())));
        return arguments;
    }

    /**
     * Waits for the end of a process in the foreground. Ends it when this process is asked to end.
     *
     * @return exit code of the process
     */
    static int await(Terminal terminal, Process process) {
        try {
            while (process.isAlive()) {
                if (terminal.pause(TURN_MILLIS)) {
                    process.destroy();
                    if (!process.waitFor(STOP_MILLIS, TimeUnit.MILLISECONDS)) {
                        process.destroyForcibly();
                    }
                    return ExitCode.DONE;
                }
            }
            return process.waitFor();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
            return ExitCode.FAILED;
        }
    }

    /** Heap for network memory beyond the default, which the overhead includes. */
    static long moreHeapMebibytes(List<String> runtime) {
        try {
            return RuntimeSettings.of(runtime).moreHeapBytes() >> 20;
        } catch (IllegalArgumentException refused) {
            throw new CommandFailure(ExitCode.BAD_INPUT, "--runtime: " + refused.getMessage());
        }
    }

    /** A size in MiB, rounded up. A number without a unit is rejected, because it is rarely meant in bytes. */
    static long mebibytes(String option, String size) {
        Matcher matcher = SIZE.matcher(size.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new CommandFailure(
                    ExitCode.BAD_INPUT,
                    option + " is '" + size + "': allowed is a number with k, m, g or t, such as "
                            + (size.matches("[0-9]{1,9}") ? size + "m" : "512m or 2g"));
        }
        int shift = 10 * (1 + "kmgt".indexOf(matcher.group(2)));
        long number = Long.parseLong(matcher.group(1));
        if (number > MAX_BYTES >> shift || number << shift < MIN_BYTES) {
            throw new CommandFailure(ExitCode.BAD_INPUT, option + " is '" + size + "': allowed is 1m to 1024t");
        }
        return ((number << shift) + MIN_BYTES - 1) >> 20;
    }

    /**
     * The launcher of the installation. An existing installation is not updated, because other processes may run from
     * it.
     */
    private static Path installed(Terminal terminal) {
        Installation installation = new Installation(terminal);
        if (!installation.exists()) {
            installation.update();
        }
        return installation.directory();
    }

    private static Path jar(Path home) {
        Path jar = home.resolve("worker").resolve("lib").resolve("berth-worker.jar");
        if (!Files.isRegularFile(jar)) {
            throw new CommandFailure(ExitCode.BAD_INPUT, "no worker in " + home + ": build it with ./mvnw package");
        }
        return jar;
    }

    private static Path temporary() {
        try {
            return Files.createTempDirectory("berth-worker-");
        } catch (IOException failure) {
            throw new UncheckedIOException("no temporary directory can be made", failure);
        }
    }
}

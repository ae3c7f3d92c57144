package io.berth.ops.cli.process;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.core.api.task.RuntimeSettings;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.CommandFailure;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Table;
import io.berth.ops.cli.console.Terminal;
import io.berth.ops.cli.job.JobFollower;
import io.berth.ops.cli.job.RunCommand;
import io.berth.ops.cli.job.Uploads;
import io.berth.ops.cli.process.ControlPlane.Ports;
import io.berth.ops.cli.process.WordCountJob.Parallelism;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Runs a word count from nothing: control plane, workers, job and result. Removes all of it afterwards. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description =
                "Starts a control plane and workers, counts the words of a text and stops everything that it started.")
public final class DemoCommand implements Callable<Integer> {

    private static final long START_MILLIS = 180_000;
    private static final long WORKERS_MILLIS = 120_000;
    private static final int SHOWN = 10;
    private static final int MEBIBYTES_PER_SLOT = 256;

    @ParentCommand
    private Console berth;

    /** The two buffers that it reserves, and half as much that cannot be reserved. */
    private static final long BYTES_PER_CHANNEL_END = 3 * (32L << 10);
    /** More than that would make it hard to start the workers on one machine. */
    private static final long MAX_NETWORK_MEMORY = 4L << 30;

    @Option(names = "--text", arity = "1..*", paramLabel = "FILE", description = "Text to count. Default: Shakespeare")
    private List<Path> texts = new ArrayList<>();

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Where counts.tsv is put. Default: .berth/output in the repository")
    private Optional<Path> output = Optional.empty();

    @Option(names = "--workers", paramLabel = "N", description = "Worker processes. Default: ${DEFAULT-VALUE}")
    private int workers = 2;

    @Option(names = "--slots", paramLabel = "N", description = "Slots of each worker. Default: ${DEFAULT-VALUE}")
    private int slots = 2;

    @Option(
            names = "--parallelism",
            paramLabel = "MIN:MAX",
            description = "Parallelism of the job. Default: 1 to the number of slots")
    private String parallelism = "";

    @Option(
            names = "--policy",
            paramLabel = "KIND=NAME",
            description = "Policy to use, for example matching=spread; may be repeated")
    private Map<String, String> policies = new LinkedHashMap<>();

    @Option(
            names = "--keep",
            description =
                    "Leave the control plane and the workers running and print the addresses. The next demo removes the"
                            + " folder when they have been stopped")
    private boolean keep;

    @Override
    public Integer call() {
        Terminal terminal = berth.terminal();
        Path home = terminal.home();
        Path result = output.map(Path::toAbsolutePath)
                .orElse(home.resolve(".berth").resolve("output"))
                .normalize();
        Parallelism range = check(home);
        checkOutput(result);
        Path jar = ControlPlane.newest(
                        home.resolve("bundles/example-wordcount/target"), "berth-example-wordcount\\.jar")
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.BAD_INPUT, "the example bundle is not built: build it with ./mvnw package"));
        try (DemoFolder folder = DemoFolder.create(terminal)) {
            return call(terminal, folder, result, range, jar);
        }
    }

    private int call(Terminal terminal, DemoFolder folder, Path result, Parallelism range, Path jar) {
        ControlPlane plane = new ControlPlane(terminal, folder.path());
        boolean well = false;
        int code = ExitCode.FAILED;
        try {
            terminal.progress("unpacking the control plane into " + plane.directory());
            plane.unpack();
            Ports ports = keep ? plane.useUsualPorts() : plane.useFreePorts();
            plane.put("io.berth.backend.local.cfg", "workers.min", workers);
            plane.put("io.berth.backend.local.cfg", "workers.max", workers);
            plane.put("io.berth.backend.local.cfg", "worker.slots", slots);
            plane.put("io.berth.backend.local.cfg", "worker.cpu", slots);
            plane.put("io.berth.backend.local.cfg", "worker.memory", slots * MEBIBYTES_PER_SLOT + "m");
            plane.put("io.berth.runtime.dataflow.cfg", RuntimeSettings.NETWORK_MEMORY_BYTES, networkMemory(range));
            terminal.progress("starting the control plane at " + ports.url());
            plane.start(keep);
            Api api = plane.api(ports);
            code = run(api, plane, result, range, jar);
            well = true;
            if (keep) {
                plane.release();
                terminal.out().println();
                terminal.out()
                        .println("left running, in a folder that the next demo removes when this has been stopped:");
                plane.printAddresses(
                        terminal.out(),
                        ports,
                        plane.directory().resolve("bin/stop").toString());
            }
            return code;
        } finally {
            if (!keep || !well) {
                plane.close();
                if (code == ExitCode.DONE || terminal.stopped().getCount() == 0) {
                    folder.delete();
                } else {
                    folder.deleteAllButLogs().ifPresent(logs -> terminal.progress("logs are in " + logs));
                }
            }
        }
    }

    /** Of a worker, enough for the job, with all of its slots on it and all other tasks on other workers. */
    private long networkMemory(Parallelism range) {
        long ends = slots * (2L * range.maximum() + 1) + range.maximum();
        return Math.max(
                RuntimeSettings.DEFAULTS.get(RuntimeSettings.NETWORK_MEMORY_BYTES),
                Math.min(MAX_NETWORK_MEMORY, ends * BYTES_PER_CHANNEL_END));
    }

    private Parallelism check(Path home) {
        requireRange("--workers", workers, 64);
        requireRange("--slots", slots, 64);
        Parallelism range =
                parallelism.isEmpty() ? new Parallelism(1, workers * slots) : Parallelism.parse(parallelism);
        if (range.minimum() > workers * slots) {
            throw new CommandFailure(
                    ExitCode.CANNOT_RUN,
                    "--parallelism is " + range.minimum() + " at least, which needs as many slots: " + workers
                            + " workers of " + slots + " slots have " + workers * slots
                            + "; give more with --workers or --slots");
        }
        for (String kind : policies.keySet()) {
            if (!List.of("matching", "distribution", "scaling").contains(kind)) {
                throw new CommandFailure(
                        ExitCode.BAD_INPUT,
                        "--policy is for '" + kind + "': allowed are matching, distribution and scaling, for example"
                                + " matching=spread");
            }
        }
        if (texts.isEmpty()) {
            texts.add(home.resolve("bundles/example-wordcount/src/main/text/shakespeare.txt"));
        }
        for (Path text : texts) {
            if (!Files.isRegularFile(text) || !Files.isReadable(text)) {
                throw new CommandFailure(
                        ExitCode.BAD_INPUT, "--text is " + text + ": allowed are files that can be read");
            }
        }
        return range;
    }

    private static void checkOutput(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException failure) {
            throw new CommandFailure(
                    ExitCode.BAD_INPUT,
                    "--output is " + directory + ", which cannot be made: allowed is a directory that"
                            + " can be written to");
        }
        if (!Files.isWritable(directory) || Files.isDirectory(directory.resolve(WordCountJob.RESULT))) {
            throw new CommandFailure(
                    ExitCode.BAD_INPUT,
                    "--output is " + directory + ": allowed is a directory that can be written to,"
                            + " without a directory " + WordCountJob.RESULT);
        }
    }

    private static void requireRange(String option, int value, int maximum) {
        if (value < 1 || value > maximum) {
            throw new CommandFailure(ExitCode.BAD_INPUT, option + " is " + value + ": allowed is 1 to " + maximum);
        }
    }

    private int run(Api api, ControlPlane plane, Path result, Parallelism range, Path jar) {
        Terminal terminal = berth.terminal();
        plane.await(
                api,
                "the control plane",
                status -> status.path("resourceManager").asText().equals("serving"),
                START_MILLIS);
        policies.forEach((kind, name) -> {
            api.put("policies/" + kind, Map.of("name", name));
            terminal.progress("using " + kind + " policy " + name);
        });
        plane.await(api, workers + " workers", status -> status.path("workers").asInt() >= workers, WORKERS_MILLIS);
        String bundle = new Uploads(api, terminal).store(jar);
        List<Path> absolute =
                texts.stream().map(text -> text.toAbsolutePath().normalize()).toList();
        String description = api.write(WordCountJob.description(absolute, result, range, bundle));
        String id = RunCommand.submit(
                api,
                terminal,
                description,
                Objects.requireNonNull(jar.getParent()),
                UUID.randomUUID().toString());
        terminal.progress("submitted " + id + " on " + workers + " workers of " + slots + " slots");
        JsonNode job = new JobFollower(api, terminal)
                .follow(id)
                .orElseThrow(() -> new CommandFailure(ExitCode.FAILED, "stopped"));
        int code = RunCommand.exitCode(terminal, job);
        removeTraces(result, id);
        if (code == ExitCode.DONE) {
            report(api, job, result.resolve(WordCountJob.RESULT));
        }
        return code;
    }

    /** The files with which a job can repeat its commit are useless once it has ended. */
    private static void removeTraces(Path result, String job) {
        try (DirectoryStream<Path> traces = Files.newDirectoryStream(result, ".berth-" + job + ".*")) {
            for (Path trace : traces) {
                Files.delete(trace);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("what the job left in " + result + " cannot be removed", failure);
        }
    }

    private void report(Api api, JsonNode job, Path file) {
        long words = 0;
        long distinct = 0;
        List<Map<String, Object>> most = new ArrayList<>();
        Table table = new Table("WORD", "COUNT");
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] columns = line.split("\t");
                long count = Long.parseLong(columns[1]);
                words += count;
                if (distinct++ < SHOWN) {
                    table.row(columns[0], count);
                    most.add(Map.of("word", columns[0], "count", count));
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("the result " + file + " cannot be read", failure);
        }
        long exchanged = 0;
        for (JsonNode vertex : job.path("vertices")) {
            if (vertex.path("name").asText().equals(WordCountJob.COUNT)) {
                exchanged = vertex.path("exchangedIn").asLong();
            }
        }
        long millis = Math.max(1, job.path("runMillis").asLong());
        PrintStream out = berth.terminal().out();
        if (berth.json()) {
            Map<String, Object> report = new LinkedHashMap<>();
            report.put("job", job.path("id").asText());
            report.put("words", words);
            report.put("distinct", distinct);
            report.put("exchanged", exchanged);
            report.put("runMillis", millis);
            report.put("result", file.toString());
            report.put("most", most);
            out.println(api.write(report));
        } else {
            out.println();
            table.print(out);
            out.println();
            out.println(String.format(
                    Locale.ROOT,
                    "%,d words, %,d distinct; %,d records crossed the exchange; %,d ms, %,d words/s",
                    words,
                    distinct,
                    exchanged,
                    millis,
                    words * 1000 / millis));
            out.println("result: " + file);
        }
        out.flush();
    }
}

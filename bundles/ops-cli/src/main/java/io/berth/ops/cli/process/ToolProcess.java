package io.berth.ops.cli.process;

import io.berth.ops.cli.console.CommandFailure;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Terminal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A tool with a jar of its own, in a process of its own, with the arguments that it is given. */
final class ToolProcess {

    private final Console berth;
    private final String bundle;
    private final List<String> javaOptions;
    private final List<String> arguments = new ArrayList<>();

    /** @param bundle the folder of the tool */
    ToolProcess(Console berth, String bundle) {
        // The process lives for a short time, and nobody waits for an answer.
        this(berth, bundle, List.of("-XX:+UseSerialGC", "-Xmn256m"));
    }

    ToolProcess(Console berth, String bundle, List<String> javaOptions) {
        this.berth = berth;
        this.bundle = bundle;
        this.javaOptions = List.copyOf(javaOptions);
    }

    /** Adds a word, which is no option. */
    void give(String word) {
        arguments.add(word);
    }

    void give(String option, Optional<String> value) {
        value.ifPresent(given -> arguments.addAll(List.of(option, given)));
    }

    /** Adds the option once for each value. */
    void give(String option, List<String> values) {
        values.forEach(value -> arguments.addAll(List.of(option, value)));
    }

    /** Adds an option without value. */
    void give(String option, boolean given) {
        if (given) {
            arguments.add(option);
        }
    }

    /** Runs it to its end. @return its exit code */
    int run() {
        Terminal terminal = berth.terminal();
        Path jar = ControlPlane.newest(
                        terminal.home().resolve("bundles/" + bundle + "/target"), "berth-" + bundle + "-all\\.jar")
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.BAD_INPUT, "the " + bundle + " is not built: build it with ./mvnw package"));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(javaOptions);
        command.addAll(List.of("-Dslf4j.internal.verbosity=ERROR", "-jar", jar.toString()));
        command.addAll(arguments);
        command.addAll(List.of("-o", berth.json() ? "json" : "table"));
        try {
            return WorkerCommand.await(
                    terminal, new ProcessBuilder(command).inheritIO().start());
        } catch (IOException failure) {
            throw new UncheckedIOException("the " + bundle + " cannot be started", failure);
        }
    }
}

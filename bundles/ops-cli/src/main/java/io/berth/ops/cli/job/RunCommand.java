package io.berth.ops.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.CommandFailure;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Terminal;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Submits a job description and follows the job to its end. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = "Submits a job description and follows the job to its end.")
public final class RunCommand implements Callable<Integer> {

    private static final int SUBMIT_TRIES = 3;
    private static final long SUBMIT_PAUSE_MILLIS = 1_000;

    @ParentCommand
    private Console berth;

    @Parameters(paramLabel = "FILE", description = "Job description, YAML or JSON; '-' reads standard input")
    private String file = "";

    @Option(
            names = "--key",
            paramLabel = "KEY",
            description = "Key of the submission: repeated with the same one, it is the same job. Default: made up")
    private String key = "";

    @Option(names = "--detach", description = "Print the id of the job and return at once")
    private boolean detach;

    @Override
    public Integer call() {
        Api api = berth.api();
        Terminal terminal = berth.terminal();
        String name = key.isEmpty() ? UUID.randomUUID().toString() : key;
        String id = submit(
                api,
                terminal,
                read(),
                Objects.requireNonNull(Path.of(file).toAbsolutePath().getParent()),
                name);
        if (detach) {
            terminal.out().println(berth.json() ? api.write(Map.of("id", id)) : id);
            terminal.out().flush();
            return ExitCode.DONE;
        }
        terminal.progress("submitted " + id + "; Ctrl-C leaves it running");
        Optional<JsonNode> ended = new JobFollower(api, terminal).follow(id);
        if (ended.isEmpty()) {
            terminal.progress(
                    "job " + id + " continues: 'berth job " + id + "' shows it, 'berth cancel " + id + "' ends it");
            return ExitCode.DONE;
        }
        berth.print(
                api,
                ended.get(),
                job -> terminal.out()
                        .println("Job " + id + " "
                                + JobFollower.status(job) + " " + JobFollower.lasted(job) + ", "
                                + JobFollower.exchanged(job) + " records over exchanges"));
        return exitCode(terminal, ended.get());
    }

    /**
     * Uploads the bundles that a description names by path, and submits it. Repeats the submission when no answer
     * came.
     *
     * @param key makes repeated submissions one job
     */
    public static String submit(Api api, Terminal terminal, String description, Path directory, String key) {
        Uploads uploads = new Uploads(api, terminal);
        String replaced = BundlePaths.replace(description, directory, uploads::store);
        String type = replaced.stripLeading().startsWith("{") ? "application/json" : "application/yaml";
        for (int tries = 1; ; tries++) {
            try {
                return api.post("jobs", type, replaced, Map.of("Idempotency-Key", key))
                        .path("id")
                        .asText();
            } catch (CommandFailure failure) {
                if (failure.exitCode() != ExitCode.NOT_REACHABLE) {
                    throw failure;
                }
                if (tries == SUBMIT_TRIES || terminal.pause(SUBMIT_PAUSE_MILLIS)) {
                    throw new CommandFailure(
                            failure.exitCode(),
                            failure.getMessage() + "\nwith --key " + key + " the job is not submitted twice");
                }
            }
        }
    }

    /** The exit code for the end of a job. */
    public static int exitCode(Terminal terminal, JsonNode job) {
        String status = JobFollower.status(job);
        if (status.equals("Finished")) {
            return ExitCode.DONE;
        }
        String reason = job.path("reason").asText();
        terminal.progress(
                "berth: job " + job.path("id").asText() + " " + status + (reason.isEmpty() ? "" : ": " + reason));
        return JobFollower.failedForLackOfResources(job) ? ExitCode.CANNOT_RUN : ExitCode.FAILED;
    }

    private String read() {
        try {
            return file.equals("-")
                    ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(Path.of(file));
        } catch (CharacterCodingException failure) {
            throw new CommandFailure(ExitCode.BAD_INPUT, "file " + file + " is not text in UTF-8");
        } catch (IOException failure) {
            throw new CommandFailure(ExitCode.BAD_INPUT, "file " + file + " cannot be read");
        }
    }
}

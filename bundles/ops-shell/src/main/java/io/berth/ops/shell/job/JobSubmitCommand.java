package io.berth.ops.shell.job;

import io.berth.core.api.job.Problem;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.JobOperations.SubmitResult;
import io.berth.ops.shell.console.Answers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.completers.FileCompleter;
import org.jspecify.annotations.Nullable;

/** Submit a job description (YAML or JSON). */
@Service
@Command(scope = "berth", name = "job-submit", description = "Submit a job description (YAML or JSON)")
public final class JobSubmitCommand implements Action {

    @Reference(optional = true)
    private @Nullable JobOperations jobOperations;

    @Argument(name = "file", required = true, description = "The description; relative to the home of Karaf")
    @Completion(FileCompleter.class)
    private String file = "";

    @Option(
            name = "-b",
            aliases = "--bundle",
            multiValued = true,
            description = "Store this jar; file:PATH of it in the description is replaced by its hash")
    private List<String> bundles = new ArrayList<>();

    @Option(
            name = "-k",
            aliases = "--key",
            description = "Key of the submission: repeated with the same one, it is the same job. Default: generated")
    private String key = "";

    @Option(name = "-j", aliases = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public @Nullable Object execute() throws Exception {
        JobOperations operations = Answers.ofDispatcher(jobOperations);
        String description = read(Path.of(file));
        for (String bundle : bundles) {
            Path jar = Path.of(bundle);
            if (!Files.isReadable(jar)) {
                throw new IllegalArgumentException(
                        "bundle " + jar.toAbsolutePath() + " cannot be read: build it first");
            }
            String sha256 = Answers.hash(jar);
            try (InputStream content = Files.newInputStream(jar)) {
                operations.storeBundle(sha256, content);
            }
            description = description.replace("file:" + bundle, sha256);
        }
        String name = key.isEmpty() ? UUID.randomUUID().toString() : key;
        SubmitResult result;
        try {
            result = Answers.await(operations.submit(description, Optional.of(name)));
        } catch (IllegalStateException failure) {
            throw new IllegalStateException(
                    failure.getMessage() + "; with -k " + name + " the job is not submitted twice", failure);
        }
        if (result instanceof SubmitResult.Refused refused) {
            throw new IllegalArgumentException("nothing was submitted:\n  "
                    + refused.problems().stream().map(Problem::toString).collect(Collectors.joining("\n  ")));
        }
        boolean repeated = result instanceof SubmitResult.Repeated;
        String id =
                (repeated ? ((SubmitResult.Repeated) result).job() : ((SubmitResult.Submitted) result).job()).value();
        if (json) {
            Answers.print(Map.of("id", id));
        } else {
            Answers.out().println((repeated ? "Already submitted as " : "Submitted ") + id);
        }
        return null;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (CharacterCodingException failure) {
            throw new IllegalArgumentException("file " + file.toAbsolutePath() + " is not text in UTF-8");
        } catch (IOException failure) {
            throw new IllegalArgumentException("file " + file.toAbsolutePath() + " cannot be read");
        }
    }
}

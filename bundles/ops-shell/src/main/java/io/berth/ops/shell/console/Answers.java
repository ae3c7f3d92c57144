package io.berth.ops.shell.console;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.berth.core.api.gateway.ResourceManagerGateway.DrainedWorker;
import io.berth.core.api.gateway.ResourceManagerGateway.RelabeledWorker;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerBlock;
import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Problem;
import io.berth.core.api.operations.ClusterOperations.BlockResult;
import io.berth.core.api.operations.ClusterOperations.DrainResult;
import io.berth.core.api.operations.ClusterOperations.LabelResult;
import io.berth.core.api.operations.PlainText;
import io.berth.core.api.operations.PolicyOperations.SwapCause;
import io.berth.core.api.operations.PolicyOperations.UseResult;
import io.berth.core.api.operations.PolicyVerdict;
import io.berth.core.api.operations.SwapVerdict;
import io.berth.core.api.time.TimeText;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.WorkerId;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.karaf.shell.support.table.ShellTable;
import org.jspecify.annotations.Nullable;

/** What all commands share: bounded waits, words, tables and JSON. */
public final class Answers {

    private static final int WAIT_SECONDS = 15;

    private Answers() {}

    /** They can be large, and the history of a job has them. */
    @JsonIgnoreProperties("events")
    private interface WithoutEvents {}

    /**
     * Operations that only the process has whose Dispatcher leads. A reference to them is optional, because one that is missing
     * would keep all commands of this bundle from being there.
     *
     * @throws IllegalStateException when this process has none
     */
    public static <T> T ofDispatcher(@Nullable T operations) {
        if (operations == null) {
            throw new IllegalStateException(
                    "no dispatcher leads in this process: use the command in the shell of the one that does;"
                            + " berth:role-list shows which one leads");
        }
        return operations;
    }

    /** The outcome. Fails after a while with a message for people. */
    public static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException failure) {
            throw new IllegalStateException("no answer within " + WAIT_SECONDS + " s; try again", failure);
        } catch (InterruptedException failure) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", failure);
        } catch (ExecutionException failure) {
            Throwable cause = Objects.requireNonNull(failure.getCause());
            throw new IllegalStateException(PlainText.of(String.valueOf(cause.getMessage())), cause);
        }
    }

    public static JobId jobId(String text) {
        return new JobId(text);
    }

    static List<String> kinds() {
        return Arrays.stream(PolicyKind.values()).map(PolicyKind::label).toList();
    }

    public static PolicyKind kind(String text) {
        return Arrays.stream(PolicyKind.values())
                .filter(kind -> kind.label().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "kind is '" + text + "': allowed are " + String.join(", ", kinds())));
    }

    /** The option of an index: a negative number means that it is not given. */
    public static OptionalLong index(long given) {
        return given < 0 ? OptionalLong.empty() : OptionalLong.of(given);
    }

    /** The index after a change. Fails with a message for people when another change came first. */
    public static long index(UseResult result) {
        if (result instanceof UseResult.Conflict conflict) {
            throw new IllegalStateException("another change came first: " + conflict.current()
                    + "; nothing was changed, check and try again with that index");
        }
        return ((UseResult.Changed) result).index();
    }

    /** The blocks that were set or lifted. Fails with a message for people when there are none. */
    public static List<WorkerBlock> blocks(BlockResult result) {
        if (result instanceof BlockResult.Refused refused) {
            throw new IllegalArgumentException(
                    refused.problems().stream().map(Problem::toString).collect(Collectors.joining("; ")));
        }
        return ((BlockResult.Done) result).blocks();
    }

    /** The workers that were drained, or no longer are. Fails with a message for people when there are none. */
    public static List<DrainedWorker> drained(DrainResult result) {
        if (result instanceof DrainResult.Refused refused) {
            throw new IllegalArgumentException(
                    refused.problems().stream().map(Problem::toString).collect(Collectors.joining("; ")));
        }
        return ((DrainResult.Done) result).workers();
    }

    /** Prints workers that were drained, or no longer are. */
    public static void printDrained(List<DrainedWorker> workers, boolean json) {
        if (json) {
            List<Map<String, Object>> all = new ArrayList<>();
            for (DrainedWorker worker : workers) {
                Map<String, Object> fields = new LinkedHashMap<>();
                fields.put("worker", worker.worker());
                fields.put(
                        "leavingReason",
                        worker.leaving().map(WorkerLeave::reason).orElse(""));
                fields.put(
                        "leavingMillis",
                        worker.leaving()
                                .filter(WorkerLeave::hasDeadline)
                                .map(WorkerLeave::millis)
                                .orElse(-1L));
                fields.put("problem", worker.problem());
                all.add(fields);
            }
            print(all);
            return;
        }
        for (DrainedWorker worker : workers) {
            out().println("Worker " + worker.worker()
                    + worker.leaving()
                            .map(leave -> " takes no slots and leaves "
                                    + (leave.hasDeadline()
                                            ? "within " + TimeText.of(leave.millis())
                                            : "when it is empty")
                                    + ": " + leave.reason())
                            .orElse(" takes slots again")
                    + (worker.problem().isEmpty() ? "" : "; " + worker.problem()));
        }
    }

    /** The workers that were meant. Fails with a message for people when there are none. */
    public static List<RelabeledWorker> relabeled(LabelResult result) {
        if (result instanceof LabelResult.Refused refused) {
            throw new IllegalArgumentException(
                    refused.problems().stream().map(Problem::toString).collect(Collectors.joining("; ")));
        }
        return ((LabelResult.Done) result).workers();
    }

    public static String hash(Path file) throws IOException {
        try (InputStream content = Files.newInputStream(file)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] buffer = new byte[65_536];
            for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
                digest.update(buffer, 0, read);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException failure) {
            throw new IllegalStateException("each JVM has SHA-256", failure);
        }
    }

    public static ShellTable table(String... columns) {
        ShellTable table = new ShellTable();
        for (String column : columns) {
            table.column(column);
        }
        return table.emptyTableText("none");
    }

    /** The output of commands. Texts of others in it must not control the terminal. */
    public static PrintStream out() {
        return PlainText.stream(System.out);
    }

    public static void print(Object value) {
        out().println(json(value));
    }

    /** An object with one more field, for {@link #print}. */
    public static Object with(Object value, String name, Object more) {
        ObjectNode node = mapper().valueToTree(value);
        return node.set(name, mapper().valueToTree(more));
    }

    private static ObjectMapper mapper() {
        SimpleModule words = new SimpleModule("berth");
        words.addSerializer(JobId.class, word(JobId::value));
        words.addSerializer(WorkerId.class, word(WorkerId::value));
        words.addSerializer(JobStatus.class, word(JobStatus::label));
        words.addSerializer(PolicyKind.class, word(PolicyKind::label));
        words.addSerializer(PolicyVerdict.class, word(PolicyVerdict::label));
        words.addSerializer(SwapCause.class, word(SwapCause::label));
        words.addSerializer(SwapVerdict.class, word(SwapVerdict::label));
        words.addSerializer(new Known());
        return JsonMapper.builder()
                .addModule(words)
                .addMixIn(JobDetails.class, WithoutEvents.class)
                .enable(SerializationFeature.INDENT_OUTPUT)
                .build();
    }

    static String json(Object value) {
        try {
            return mapper().writeValueAsString(value);
        } catch (JsonProcessingException failure) {
            throw new IllegalStateException("an answer cannot be written as JSON", failure);
        }
    }

    /** What is not known is null. */
    private static final class Known extends StdSerializer<Optional<?>> {

        private static final long serialVersionUID = 1;

        private Known() {
            super(Optional.class, false);
        }

        @Override
        public void serialize(Optional<?> value, JsonGenerator out, SerializerProvider provider) throws IOException {
            provider.defaultSerializeValue(value.orElse(null), out);
        }
    }

    private static <T> JsonSerializer<T> word(Function<T, String> text) {
        return new JsonSerializer<>() {
            @Override
            public void serialize(T value, JsonGenerator out, SerializerProvider provider) throws IOException {
                out.writeString(text.apply(value));
            }
        };
    }
}

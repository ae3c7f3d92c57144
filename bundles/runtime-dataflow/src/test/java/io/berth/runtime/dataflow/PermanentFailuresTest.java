package io.berth.runtime.dataflow;

import static io.berth.runtime.dataflow.MiniCluster.operator;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.task.FailureKind;
import io.berth.core.api.task.RuntimeSettings;
import io.berth.core.api.task.TaskHandle.Outcome;
import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.ConfigurationException;
import io.berth.dataflow.api.KeyedContext;
import io.berth.dataflow.api.KeyedProcess;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.PermanentException;
import io.berth.dataflow.api.ProcessOperator;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;
import io.berth.dataflow.api.StreamOperator;
import io.berth.dataflow.api.Text;
import io.berth.runtime.dataflow.MiniCluster.Chain;
import io.berth.runtime.dataflow.exchange.ExchangeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which failures of a task say that another attempt would fail in the same way. */
@Timeout(60)
class PermanentFailuresTest {

    private static final Callable<Void> NOTHING = () -> null;

    @TempDir
    private Path directory;

    private MiniCluster cluster;
    private Path text;

    @BeforeEach
    void start() throws IOException {
        cluster = new MiniCluster(1, ExchangeSettings.of(RuntimeSettings.DEFAULTS));
        text = Files.writeString(directory.resolve("in.txt"), "a line\n");
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** Between lines and the sink; each step does what a test wants. */
    private record Step(Callable<Void> create, Callable<Void> open, Callable<Void> process, boolean serializes)
            implements OperatorFactory<Text, Text> {

        static Step creating(Callable<Void> create) {
            return new Step(create, NOTHING, NOTHING, true);
        }

        static Step opening(Callable<Void> open) {
            return new Step(NOTHING, open, NOTHING, true);
        }

        static Step processing(Callable<Void> process) {
            return new Step(NOTHING, NOTHING, process, true);
        }

        @Override
        public StreamOperator create(Configuration configuration) {
            try {
                create.call();
            } catch (RuntimeException failure) {
                throw failure;
            } catch (Exception failure) {
                throw new AssertionError(failure);
            }
            return new ProcessOperator<Text, Text>() {
                @Override
                public void open(OperatorContext context) throws Exception {
                    open.call();
                }

                @Override
                public void process(Text line, Collector<Text> out) throws Exception {
                    process.call();
                    out.collect(line);
                }
            };
        }

        @Override
        public Optional<Serializer<Text>> outputSerializer(Configuration configuration) {
            return serializes ? Optional.of(Serializers.text()) : Optional.empty();
        }
    }

    private static final class Unkeyed implements OperatorFactory<Text, Text> {

        @Override
        public StreamOperator create(Configuration configuration) {
            return new KeyedProcess<Text, Text, Text>() {
                @Override
                public void open(KeyedContext<Text> context) {}

                @Override
                public void process(Text key, Text line, Collector<Text> out) {}
            };
        }

        @Override
        public Optional<Serializer<Text>> outputSerializer(Configuration configuration) {
            return Optional.of(Serializers.text());
        }
    }

    private Outcome.Failed failing(String input, OperatorFactory<?, ?> step, Path output) {
        cluster.factories.put("step", step);
        MiniCluster.Job job = cluster.submit(
                "job",
                List.of(
                        new Chain(
                                List.of(
                                        operator("lines", "file-source", Map.of("path", input)),
                                        operator("step", "step", Map.of())),
                                1,
                                Partitioning.FORWARD),
                        new Chain(
                                List.of(operator(
                                        "file", "file-sink", Map.of("path", output.toString(), "file", "out.txt"))),
                                1,
                                Partitioning.REBALANCE)));
        CompletableFuture<Outcome.Failed> root = new CompletableFuture<>();
        job.tasks.forEach(chain -> chain.forEach(task -> task.outcome().thenAccept(outcome -> {
            if (outcome instanceof Outcome.Failed failed && failed.kind() != FailureKind.CONSEQUENCE) {
                root.complete(failed);
            }
        })));
        Outcome.Failed failed = root.orTimeout(30, TimeUnit.SECONDS).join();
        // Nobody else does it here, and the others may wait for it.
        job.cancel();
        return failed;
    }

    private Outcome.Failed failing(OperatorFactory<?, ?> step) {
        return failing(text.toString(), step, directory.resolve("out"));
    }

    private static void assertPermanent(Outcome.Failed failed, String... texts) {
        assertThat(failed.cause()).contains(texts);
        assertThat(failed.kind()).as(failed.cause()).isEqualTo(FailureKind.PERMANENT);
    }

    private static void assertTransient(Outcome.Failed failed) {
        assertThat(failed.kind()).as(failed.cause()).isEqualTo(FailureKind.TRANSIENT);
    }

    @Test
    void inputThatIsNotThereIsPermanent() {
        String missing = directory.resolve("nothing.txt").toString();
        assertPermanent(failing(missing, Step.creating(NOTHING), directory.resolve("out")), missing);
    }

    @Test
    void anOutputDirectoryThatCannotBeMadeIsPermanent() {
        Path output = text.resolve("out");
        assertPermanent(
                failing(text.toString(), Step.creating(NOTHING), output),
                "the output directory " + output + " cannot be made on this worker");
    }

    @Test
    void aValueThatDoesNotFitIsPermanent() {
        assertPermanent(
                failing(Step.creating(() -> {
                    throw new ConfigurationException("step", "limit", Optional.of("-1"), "at least 0");
                })),
                "limit is '-1'; allowed: at least 0");
    }

    @Test
    void anOutputWithoutSerializerIsPermanent() {
        assertPermanent(failing(new Step(NOTHING, NOTHING, NOTHING, false)), "its factory gives no output serializer");
    }

    @Test
    void aKeyedOperatorWithoutKeyingIsPermanent() {
        assertPermanent(failing(new Unkeyed()), "has no keying");
    }

    @Test
    void anErrorOfTheProgramBeforeTheFirstRecordIsPermanent() {
        assertPermanent(
                failing(Step.opening(() -> {
                    throw new NullPointerException("no table");
                })),
                "no table");
    }

    @Test
    void whatSaysSoItselfIsPermanentAlsoWithinAnotherExceptionAndAtARecord() {
        assertPermanent(
                failing(Step.processing(() -> {
                    throw new IOException("line 1", new PermanentException("the file is of version 3, not 2"));
                })),
                "of version 3");
    }

    @Test
    void whatMayBeOfTheMomentIsTriedAgain() {
        assertTransient(failing(Step.opening(() -> {
            throw new IOException("connection refused");
        })));
        assertTransient(failing(Step.processing(() -> {
            throw new NullPointerException("a record");
        })));
    }
}

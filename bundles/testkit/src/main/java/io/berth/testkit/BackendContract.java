package io.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.berth.spi.WorkerId;
import io.berth.spi.backend.Backend;
import io.berth.spi.backend.BackendFactory;
import io.berth.spi.backend.WorkerDeclaration;
import io.berth.spi.backend.WorkerSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every backend must guarantee. Extend it in your test and provide the factory. Tests that need to start workers
 * skip a backend without specs.
 */
public interface BackendContract {

    /** How long a worker may take to start or to end. */
    long PATIENCE_MILLIS = 30_000;

    /** The factory to test. */
    BackendFactory factory();

    /** The configuration to test with; its first spec should allow 3 workers. */
    default Map<String, String> configuration() {
        return Map.of();
    }

    /** A command that stands for a worker: it runs until it is stopped. */
    default List<String> workerCommand() {
        return List.of("sleep", "600");
    }

    @Test
    default void describesItselfAlwaysTheSame() {
        assertThat(factory().describe()).isEqualTo(factory().describe());
        assertThat(factory().describe().summary()).isNotBlank();
    }

    @Test
    @Timeout(60)
    default void isCreatedWithTheDefaultsThatItDescribesAndStartsNothing(@TempDir Path directory) throws Exception {
        RecordedBackendContext context = new RecordedBackendContext(directory, workerCommand());
        try (Backend backend = factory().create(FixedConfiguration.of(factory().describe(), Map.of()), context)) {
            List<WorkerSpec> specs = backend.specs();
            assertThat(specs).extracting(WorkerSpec::name).doesNotHaveDuplicates();
            assertThat(backend.specs()).isEqualTo(specs);
        }
        assertThat(context.started()).isEmpty();
        assertThat(context.failures()).isEmpty();
    }

    @Test
    @Timeout(120)
    default void startsWhatIsDeclaredAndNoMore(@TempDir Path directory) throws Exception {
        RecordedBackendContext context = new RecordedBackendContext(directory, workerCommand());
        try (Backend backend = create(context)) {
            WorkerSpec spec = specOf(backend);
            backend.declare(declaration(spec, 2));
            assertThat(context.awaitStarted(2, PATIENCE_MILLIS))
                    .as("2 workers are started")
                    .isTrue();
            backend.declare(declaration(spec, 2));
            backend.declare(declaration(spec, 3));
            assertThat(context.awaitStarted(3, PATIENCE_MILLIS))
                    .as("one more is started")
                    .isTrue();
            assertThat(context.started()).hasSize(3).containsValue(spec.name());
            assertThat(context.ended()).isEmpty();
        }
        assertThat(context.violations()).isEmpty();
    }

    @Test
    @Timeout(120)
    default void stopsNoWorkerThatIsNotNamedAsUnwanted(@TempDir Path directory) throws Exception {
        RecordedBackendContext context = new RecordedBackendContext(directory, workerCommand());
        try (Backend backend = create(context)) {
            WorkerSpec spec = specOf(backend);
            backend.declare(declaration(spec, 2));
            assertThat(context.awaitStarted(2, PATIENCE_MILLIS)).isTrue();
            WorkerId unwanted = context.started().firstKey();
            backend.declare(declaration(spec, 1));
            backend.declare(declaration(spec, 1, unwanted));
            assertThat(context.awaitEnded(unwanted, PATIENCE_MILLIS))
                    .as("the unwanted one is stopped")
                    .isTrue();
            assertThat(context.ended()).containsOnlyKeys(unwanted);
            assertThat(context.started()).hasSize(2);
        }
        assertThat(context.violations()).isEmpty();
    }

    private Backend create(RecordedBackendContext context) throws Exception {
        return factory().create(FixedConfiguration.of(factory().describe(), configuration()), context);
    }

    private static WorkerSpec specOf(Backend backend) {
        assumeTrue(!backend.specs().isEmpty(), "starts no workers");
        WorkerSpec spec = backend.specs().get(0);
        assertThat(spec.maximum()).as("workers that the first spec allows").isGreaterThanOrEqualTo(3);
        return spec;
    }

    private static WorkerDeclaration declaration(WorkerSpec spec, int needed, WorkerId... unwanted) {
        return new WorkerDeclaration(new TreeMap<>(Map.of(spec.name(), needed)), List.of(unwanted));
    }
}

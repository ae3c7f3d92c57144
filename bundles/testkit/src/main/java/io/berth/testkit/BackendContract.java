package io.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.berth.policy.rules.SpecsCheck;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.Backend;
import io.berth.spi.backend.BackendContext;
import io.berth.spi.backend.BackendFactory;
import io.berth.spi.backend.WorkerDeclaration;
import io.berth.spi.backend.WorkerSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every backend must guarantee. Extend it in your test and provide the factory. Tests that need to start workers
 * skip a backend without specs.
 */
public interface BackendContract {

    /** How long a backend may take to close. */
    Duration CLOSE_LIMIT = Duration.ofSeconds(10);

    /** How long a worker may take to start or to end. */
    long PATIENCE_MILLIS = 30_000;

    /** How long the backend may take to close; override it only to test with less. */
    default Duration closeLimit() {
        return CLOSE_LIMIT;
    }

    /** How long a worker may take to start or to end; override it for a cluster manager that takes longer. */
    default long patienceMillis() {
        return PATIENCE_MILLIS;
    }

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

    /** A command that cannot be run; empty if the backend does not run commands, so that none can fail. */
    default Optional<List<String>> brokenCommand() {
        return Optional.of(List.of("/no/such/program/for/a/worker"));
    }

    /** A command that ignores being asked to end; empty if the backend does not run commands. */
    default Optional<List<String>> stubbornCommand() {
        return Optional.of(List.of("sh", "-c", "trap '' TERM; while true; do sleep 0.1; done"));
    }

    /** Makes a backend offer other specs; empty if its specs never change. */
    default Optional<Consumer<Backend>> changeOfSpecs() {
        return Optional.empty();
    }

    /** The cluster manager announces that it will take a worker away. */
    interface AnnouncementOfLeaving {

        /** @param context that the backend was created with */
        void announce(Backend backend, BackendContext context, WorkerId worker) throws Exception;
    }

    /** Makes the cluster manager announce that it will take a worker away; empty if it never does. */
    default Optional<AnnouncementOfLeaving> announcementOfLeaving() {
        return Optional.empty();
    }

    /** Whether workers of the backend outlive it, and the next instance finds them. */
    default boolean workersOutliveBackend() {
        return true;
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
            List<WorkerSpec> specs = specs(backend);
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
            assertThat(context.awaitStarted(2, patienceMillis()))
                    .as("2 workers are started")
                    .isTrue();
            backend.declare(declaration(spec, 2));
            backend.declare(declaration(spec, 3));
            assertThat(context.awaitStarted(3, patienceMillis()))
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
            assertThat(context.awaitStarted(2, patienceMillis())).isTrue();
            WorkerId unwanted = context.started().firstKey();
            backend.declare(declaration(spec, 1));
            backend.declare(declaration(spec, 1, unwanted));
            assertThat(context.awaitEnded(unwanted, patienceMillis()))
                    .as("the unwanted one is stopped")
                    .isTrue();
            assertThat(context.ended()).containsOnlyKeys(unwanted);
            assertThat(context.started()).hasSize(2);
        }
        assertThat(context.violations()).isEmpty();
    }

    @Test
    @Timeout(120)
    default void startsOneOfEachSpec(@TempDir Path directory) throws Exception {
        RecordedBackendContext context = new RecordedBackendContext(directory, workerCommand());
        try (Backend backend = create(context)) {
            List<WorkerSpec> specs = specs(backend);
            assumeTrue(specs.size() > 1, "offers one spec at most");
            SortedMap<String, Integer> needed = new TreeMap<>();
            specs.stream().filter(spec -> spec.maximum() > 0).forEach(spec -> needed.put(spec.name(), 1));
            backend.declare(WorkerDeclaration.builder().needed(needed).build());
            assertThat(context.awaitStarted(needed.size(), patienceMillis()))
                    .as("%s workers of other specs are started", needed.size())
                    .isTrue();
            assertThat(context.started().values()).containsExactlyInAnyOrderElementsOf(needed.keySet());
        }
        assertThat(context.violations()).isEmpty();
    }

    @Test
    @Timeout(120)
    default void reportsAStartThatFails(@TempDir Path directory) throws Exception {
        assumeTrue(brokenCommand().isPresent(), "runs no commands");
        RecordedBackendContext context =
                new RecordedBackendContext(directory, brokenCommand().orElseThrow());
        try (Backend backend = create(context)) {
            WorkerSpec spec = specOf(backend);
            backend.declare(declaration(spec, 1));
            assertThat(context.awaitFailure(patienceMillis()))
                    .as("a failed start is reported")
                    .isTrue();
            assertThat(context.failures()).containsOnlyKeys(spec.name());
            assertThat(context.failures().get(spec.name()))
                    .allSatisfy(failure -> assertThat(failure.diagnostics()).isNotBlank());
        }
        assertThat(context.started().keySet())
                .as("each started worker ended")
                .isEqualTo(context.ended().keySet());
    }

    @Test
    @Timeout(120)
    default void reportsChangedSpecsAndStartsTheNewOnes(@TempDir Path directory) throws Exception {
        assumeTrue(changeOfSpecs().isPresent(), "its specs never change");
        RecordedBackendContext context = new RecordedBackendContext(directory, workerCommand());
        try (Backend backend = create(context)) {
            List<WorkerSpec> before = context.reportedSpecs().orElseGet(() -> specs(backend));
            backend.declare(WorkerDeclaration.builder().build());
            awaitOtherSpecs(backend, context, before);
            List<WorkerSpec> now = context.reportedSpecs().orElseThrow();
            for (WorkerSpec spec : now) {
                if (spec.maximum() > 0) {
                    backend.declare(declaration(spec, 1));
                    assertThat(context.awaitStarted(1, patienceMillis())).isTrue();
                    assertThat(context.started()).containsValue(spec.name());
                    break;
                }
            }
        }
        assertThat(context.violations()).isEmpty();
    }

    @Test
    @Timeout(120)
    default void aWorkerOfASpecThatIsGoneStaysUntilItIsUnwanted(@TempDir Path directory) throws Exception {
        assumeTrue(changeOfSpecs().isPresent(), "its specs never change");
        RecordedBackendContext context = new RecordedBackendContext(directory, workerCommand());
        try (Backend backend = create(context)) {
            List<WorkerSpec> before = context.reportedSpecs().orElseGet(() -> specs(backend));
            Optional<WorkerSpec> first =
                    before.stream().filter(one -> one.maximum() > 0).findFirst();
            assumeTrue(first.isPresent(), "offers nothing before the change");
            backend.declare(declaration(first.orElseThrow(), 1));
            assertThat(context.awaitStarted(1, patienceMillis())).isTrue();
            WorkerId worker = context.started().firstKey();
            awaitOtherSpecs(backend, context, before);
            backend.declare(WorkerDeclaration.builder().build());
            assertThat(context.ended()).as("ended without being unwanted").isEmpty();
            backend.declare(
                    WorkerDeclaration.builder().unwanted(List.of(worker)).build());
            assertThat(context.awaitEnded(worker, patienceMillis()))
                    .as("the unwanted one is stopped, whatever is offered now")
                    .isTrue();
        }
        assertThat(context.violations()).isEmpty();
    }

    @Test
    @Timeout(120)
    default void reportsAWorkerThatWillBeTakenAwayAndStopsItWhenItIsUnwanted(@TempDir Path directory) throws Exception {
        RecordedBackendContext context = new RecordedBackendContext(directory, workerCommand());
        try (Backend backend = create(context)) {
            WorkerSpec spec = specOf(backend);
            WorkerId leaving = announced(backend, context, spec);
            assertThat(context.leaving()).containsOnlyKeys(leaving);
            backend.declare(declaration(spec, 1, leaving));
            assertThat(context.awaitEnded(leaving, patienceMillis()))
                    .as("it is stopped when it is unwanted")
                    .isTrue();
        }
        assertThat(context.violations()).isEmpty();
    }

    @Test
    @Timeout(120)
    default void theNextInstanceReportsAgainThatAWorkerWillBeTakenAway(@TempDir Path directory) throws Exception {
        assumeTrue(workersOutliveBackend(), "its workers end with it");
        RecordedBackendContext first = new RecordedBackendContext(directory, workerCommand());
        WorkerSpec spec;
        WorkerId leaving;
        try (Backend backend = create(first)) {
            spec = specOf(backend);
            leaving = announced(backend, first, spec);
            first.letWorkersStay();
        }
        RecordedBackendContext next = new RecordedBackendContext("test", "test-2-", directory, workerCommand());
        try (Backend backend = create(next)) {
            backend.declare(declaration(spec, 2));
            assertThat(next.awaitLeaving(leaving, patienceMillis()))
                    .as("it is reported again, because nobody else knows if it has not registered yet")
                    .isTrue();
        }
        assertThat(next.violations()).isEmpty();
    }

    /** Starts two workers, of which the cluster manager will take one away. */
    private WorkerId announced(Backend backend, RecordedBackendContext context, WorkerSpec spec) throws Exception {
        assumeTrue(announcementOfLeaving().isPresent(), "takes no workers away");
        backend.declare(declaration(spec, 2));
        assertThat(context.awaitStarted(2, patienceMillis())).isTrue();
        WorkerId leaving = context.started().firstKey();
        announcementOfLeaving().orElseThrow().announce(backend, context, leaving);
        assertThat(context.awaitLeaving(leaving, patienceMillis()))
                .as("it is reported as one that leaves")
                .isTrue();
        return leaving;
    }

    @Test
    @Timeout(120)
    default void reportsThatItHasRecovered(@TempDir Path directory) throws Exception {
        RecordedBackendContext context = new RecordedBackendContext(directory, workerCommand());
        try (Backend backend = create(context)) {
            assumeTrue(!backend.specs().isEmpty(), "starts no workers");
            backend.declare(WorkerDeclaration.builder().build());
            assertThat(context.awaitRecovered(patienceMillis()))
                    .as("recovered() is called after the first declaration")
                    .isTrue();
            assertThat(context.started()).isEmpty();
        }
    }

    @Test
    @Timeout(120)
    default void theNextInstanceTakesWorkersOver(@TempDir Path directory) throws Exception {
        assumeTrue(workersOutliveBackend(), "its workers end with it");
        RecordedBackendContext first = new RecordedBackendContext(directory, workerCommand());
        WorkerSpec spec;
        try (Backend backend = create(first)) {
            spec = specOf(backend);
            backend.declare(declaration(spec, 2));
            assertThat(first.awaitStarted(2, patienceMillis())).isTrue();
            first.letWorkersStay();
        }
        assertThat(first.ended()).as("the workers stay").isEmpty();

        RecordedBackendContext next = new RecordedBackendContext("test", "test-2-", directory, workerCommand());
        try (Backend backend = create(next)) {
            backend.declare(declaration(spec, 0));
            assertThat(next.awaitRecovered(patienceMillis())).isTrue();
            assertThat(next.started()).isEqualTo(first.started());
            backend.declare(declaration(spec, 3));
            assertThat(next.awaitStarted(3, patienceMillis())).isTrue();
            assertThat(next.started()).as("one more is started").hasSize(3);
            WorkerId unwanted = first.started().firstKey();
            backend.declare(declaration(spec, 2, unwanted));
            assertThat(next.awaitEnded(unwanted, patienceMillis()))
                    .as("a worker that was taken over is stopped like any other")
                    .isTrue();
            assertThat(next.ended()).containsOnlyKeys(unwanted);
        }
        assertThat(next.violations()).isEmpty();
    }

    @Test
    @Timeout(120)
    default void endsInTimeAlsoWhenWorkersDoNot(@TempDir Path directory) throws Exception {
        assumeTrue(stubbornCommand().isPresent(), "runs no commands");
        RecordedBackendContext context =
                new RecordedBackendContext(directory, stubbornCommand().orElseThrow());
        long begun;
        try (Backend backend = create(context)) {
            WorkerSpec spec = specOf(backend);
            backend.declare(declaration(spec, 2));
            assertThat(context.awaitStarted(2, patienceMillis())).isTrue();
            begun = System.nanoTime();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begun))
                .as("how long close took")
                .isLessThanOrEqualTo(closeLimit());
    }

    private Backend create(RecordedBackendContext context) throws Exception {
        return factory().create(FixedConfiguration.of(factory().describe(), configuration()), context);
    }

    /** The specs that it offers, by the check of the host itself. */
    private static List<WorkerSpec> specs(Backend backend) {
        try {
            return SpecsCheck.copy(backend.specs());
        } catch (IllegalArgumentException refused) {
            throw new AssertionError("specs that the host refuses: the backend " + refused.getMessage(), refused);
        }
    }

    private void awaitOtherSpecs(Backend backend, RecordedBackendContext context, List<WorkerSpec> before)
            throws InterruptedException {
        try {
            changeOfSpecs().orElseThrow().accept(backend);
        } catch (IllegalArgumentException refused) {
            // The context throws it for specs that the host refuses.
            assertThat(context.violations()).as("broken rules").isEmpty();
            throw refused;
        }
        boolean reported = context.awaitSpecs(before, patienceMillis());
        assertThat(context.violations()).as("broken rules").isEmpty();
        assertThat(reported).as("other specs are reported").isTrue();
    }

    private static WorkerSpec specOf(Backend backend) {
        List<WorkerSpec> specs = specs(backend);
        assumeTrue(!specs.isEmpty(), "starts no workers");
        WorkerSpec spec = specs.get(0);
        assertThat(spec.maximum()).as("workers that the first spec allows").isGreaterThanOrEqualTo(3);
        return spec;
    }

    private static WorkerDeclaration declaration(WorkerSpec spec, int needed, WorkerId... unwanted) {
        return WorkerDeclaration.builder()
                .needed(spec.name(), needed)
                .unwanted(List.of(unwanted))
                .build();
    }
}

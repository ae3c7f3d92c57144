package io.berth.core.policies.backends;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.policy.BackendHost.BackendFollower;
import io.berth.core.api.policy.BackendHost.BackendHandle;
import io.berth.core.policies.Bench;
import io.berth.core.policies.FakeRegistration;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.Backend;
import io.berth.spi.backend.BackendContext;
import io.berth.spi.backend.BackendFactory;
import io.berth.spi.backend.StartFailure;
import io.berth.spi.backend.WorkerDeclaration;
import io.berth.spi.backend.WorkerSpec;
import io.berth.testkit.RecordedBackendContext;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LiveContextTest {

    private static final WorkerSpec SPEC =
            WorkerSpec.of("small", Bench.SIZE).defaultSlots(4).maximum(9).build();

    private final Bench bench = new Bench(5_000);
    private final RecordedBackendContext heard = new RecordedBackendContext(Path.of("target"), List.of("run"));
    private final List<List<WorkerSpec>> changed = new CopyOnWriteArrayList<>();
    private final List<BackendHandle> handles = new CopyOnWriteArrayList<>();
    private final AutoCloseable following = bench.platform.backends().follow(new BackendFollower() {
        @Override
        public BackendContext context(String backend) {
            return heard;
        }

        @Override
        public void added(BackendHandle backend) {
            handles.add(backend);
        }

        @Override
        public void specsChanged(BackendHandle backend) {
            changed.add(backend.specs());
        }

        @Override
        public void removed(BackendHandle backend) {
            handles.remove(backend);
        }
    });
    /** For each closed backend, whether its workers stay. */
    private final List<Boolean> stayed = new CopyOnWriteArrayList<>();

    /** Reported in {@code create}; none if empty. */
    private List<WorkerSpec> whileCreated = List.of();

    private final List<BackendContext> given = new CopyOnWriteArrayList<>();

    @AfterEach
    void end() throws Exception {
        following.close();
        bench.close();
    }

    private BackendFactory factory() {
        return new BackendFactory() {
            @Override
            public PolicyDescription describe() {
                return new PolicyDescription(
                        "fake",
                        "for a test",
                        List.of(ConfigurationKey.choice("mood", "good", List.of("good", "bad"), "what create does")));
            }

            @Override
            public Backend create(PolicyConfiguration configuration, BackendContext context) {
                given.add(context);
                if (!whileCreated.isEmpty()) {
                    context.specs(whileCreated);
                }
                if (configuration.text("mood").equals("bad")) {
                    throw new IllegalStateException("bad mood");
                }
                return new Backend() {
                    @Override
                    public List<WorkerSpec> specs() {
                        return List.of(SPEC);
                    }

                    @Override
                    public void declare(WorkerDeclaration declaration) {}

                    @Override
                    public void close() {
                        stayed.add(context.workersStay());
                        context.ended(new WorkerId("last"), "closed");
                    }
                };
            }
        };
    }

    @Test
    void reportsOfABackendCountUntilItIsClosed() {
        FakeRegistration fake = bench.add(PolicyKind.BACKEND, "fake", 0, factory());
        await().until(() -> handles.size() == 1);
        given.get(0).started(new WorkerId("last"), SPEC.name());
        assertThat(heard.started()).containsKey(new WorkerId("last"));
        given.get(0).leaving(new WorkerId("last"), 60_000, "spot\nnotice");
        RecordedBackendContext.Leave leave = heard.leaving().get(new WorkerId("last"));
        assertThat(leave.millis()).isEqualTo(60_000);
        assertThat(leave.reason()).isEqualTo("spot notice");

        bench.platform.registry().remove(fake.id());
        await().until(() -> fake.released.get() == 1);

        assertThat(heard.ended()).as("what it reports while it is closed").containsKey(new WorkerId("last"));
        given.get(0).started(new WorkerId("ghost"), SPEC.name());
        given.get(0).leaving(new WorkerId("ghost"), 1, "taken away");
        given.get(0).ended(new WorkerId("ghost"), "gone");
        given.get(0)
                .startFailed(
                        SPEC.name(),
                        StartFailure.of(StartFailure.Kind.FAILED, "no").build());
        assertThat(heard.started()).doesNotContainKey(new WorkerId("ghost"));
        assertThat(heard.leaving()).doesNotContainKey(new WorkerId("ghost"));
        assertThat(heard.ended()).doesNotContainKey(new WorkerId("ghost"));
        assertThat(heard.failures()).isEmpty();
        assertThat(((LiveContext) given.get(0)).ignored()).isEqualTo(4);
        assertThat(given.get(0).launch(new WorkerId("x"), SPEC).javaOptions()).contains("exec 'run'");
    }

    @Test
    void changedSpecsAreCheckedAndReachTheOwnerAndRefusedOnesChangeNothing() {
        bench.add(PolicyKind.BACKEND, "fake", 0, factory());
        await().until(() -> handles.size() == 1);
        assertThat(handles.get(0).specs()).containsExactly(SPEC);
        WorkerSpec more = WorkerSpec.of("more", Bench.SIZE).maximum(2).build();

        given.get(0).specs(List.of(SPEC, more));
        assertThat(changed).containsExactly(List.of(SPEC, more));
        assertThat(handles.get(0).specs()).containsExactly(SPEC, more);

        assertThatThrownBy(() -> given.get(0).specs(List.of(more, more)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("offers spec more twice; its previous specs stay in effect");
        assertThatThrownBy(() -> given.get(0)
                        .specs(List.of(WorkerSpec.of("many", Bench.SIZE)
                                .maximum(200_000)
                                .build())))
                .hasMessageContaining("offers 200000 workers of spec many: at most 100000 are allowed");
        assertThat(handles.get(0).specs()).containsExactly(SPEC, more);
        assertThat(changed).hasSize(1);
        given.get(0).specs(List.of());
        assertThat(handles.get(0).specs()).isEmpty();
    }

    @Test
    void specsThatABackendReportsWhileItIsCreatedReplaceThoseThatItReturns() {
        WorkerSpec first = WorkerSpec.of("first", Bench.SIZE).build();
        whileCreated = List.of(first);
        bench.add(PolicyKind.BACKEND, "fake", 0, factory());
        await().until(() -> handles.size() == 1);
        assertThat(handles.get(0).specs()).containsExactly(first);
    }

    @Test
    void workersStayWhenTheConfigurationOrTheBundleChangesAndEndWithTheOwner() throws Exception {
        FakeRegistration fake = bench.add(PolicyKind.BACKEND, "fake", 0, factory());
        await().until(() -> handles.size() == 1);
        BackendHandle first = handles.get(0);
        bench.configured.put(fake.bundle(), new TreeMap<>(Map.of("mood", "good")));
        bench.platform.registry().configurationChanged(fake.bundle());
        await().until(() -> handles.size() == 1 && handles.get(0) != first);
        assertThat(stayed).as("another configuration").containsExactly(true);

        bench.platform.registry().remove(fake.id());
        await().until(() -> fake.released.get() > 0 && stayed.size() == 2);
        assertThat(stayed).as("its bundle is updated").containsExactly(true, true);

        bench.add(PolicyKind.BACKEND, "fake", 0, factory());
        await().until(() -> handles.size() == 1);
        following.close();
        assertThat(stayed).as("the control plane stops").containsExactly(true, true, false);
    }

    @Test
    void workersEndWithTheFramework() {
        FakeRegistration fake = bench.add(PolicyKind.BACKEND, "fake", 0, factory());
        await().until(() -> handles.size() == 1);
        fake.frameworkStops = true;
        bench.platform.registry().remove(fake.id());
        await().until(() -> stayed.size() == 1);

        assertThat(stayed).containsExactly(false);
    }

    @Test
    void aFactoryThatThrowsForANewConfigurationKeepsTheOldBackendAndItsNewContextHasNoEffect() {
        FakeRegistration fake = bench.add(PolicyKind.BACKEND, "fake", 0, factory());
        await().until(() -> handles.size() == 1);
        BackendHandle first = handles.get(0);
        bench.configured.put(fake.bundle(), new TreeMap<>(Map.of("mood", "bad")));
        bench.platform.registry().configurationChanged(fake.bundle());

        bench.awaitState("fake", "deciding with its last good configuration; configuration refused: create threw");

        assertThat(handles).containsExactly(first);
        assertThat(given).hasSize(2);
        given.get(1).started(new WorkerId("ghost"), SPEC.name());
        assertThat(heard.started()).isEmpty();
        given.get(0).started(new WorkerId("real"), SPEC.name());
        assertThat(heard.started()).containsOnlyKeys(new WorkerId("real"));
    }
}

package io.berth.core.policies.backends;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.operations.PolicyMetrics.FailureKind;
import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.api.operations.PolicyOperations.SwapDetails;
import io.berth.core.api.policy.BackendHost.BackendFollower;
import io.berth.core.api.policy.BackendHost.BackendHandle;
import io.berth.core.policies.Bench;
import io.berth.core.policies.FakeRegistration;
import io.berth.core.policies.guard.CallDeadline;
import io.berth.core.policies.registry.HostSettings;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.Backend;
import io.berth.spi.backend.BackendContext;
import io.berth.spi.backend.BackendFactory;
import io.berth.spi.backend.WorkerDeclaration;
import io.berth.spi.backend.WorkerSpec;
import io.berth.testkit.RecordedBackendContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The host runs one instance of each backend, gives it the newest declaration, and ends it before the next one. */
class RunningBackendTest {

    private final Bench bench = new Bench();
    private final CountDownLatch mayReturn = new CountDownLatch(1);
    private final Follower follower = new Follower();
    private AutoCloseable following = () -> {};

    private void follow() {
        following = bench.platform.backends().follow(follower);
    }

    /** Follows the backends until this one runs. */
    private FakeRegistration run(FakeBackend backend) {
        follow();
        FakeRegistration registration = bench.add(PolicyKind.BACKEND, "fake", 0, backend);
        await().until(() -> follower.handles.size() == 1);
        return registration;
    }

    @AfterEach
    void end() {
        mayReturn.countDown();
        bench.close();
    }

    /** Keeps all threads of a bundle busy with calls that have a very long deadline. */
    private void occupy(FakeRegistration policy) {
        for (int nth = 0; nth < 20; nth++) {
            bench.platform.guard().call(policy, PolicyCall.DECLARE, "declare", CallDeadline.of(600_000), phases -> {
                mayReturn.await();
                return true;
            });
        }
    }

    private long notTried() {
        return bench.platform
                .policyFigures(PolicyKind.BACKEND, "fake")
                .orElseThrow()
                .failures(FailureKind.NOT_TRIED);
    }

    @Test
    void aDeclarationThatGetsNoThreadIsMadeLaterAndIsNoFailure() throws Exception {
        FakeBackend backend = new FakeBackend();
        backend.go.countDown();
        FakeRegistration registration = run(backend);
        occupy(registration);
        follower.handles.get(0).declare(declaration(2, "w1"));
        await().atMost(Duration.ofSeconds(60)).until(() -> notTried() > 0);
        follower.handles.get(0).declare(declaration(3));
        mayReturn.countDown();
        await().atMost(Duration.ofSeconds(60)).until(() -> !backend.declared.isEmpty());
        assertThat(backend.declared.get(0).needed()).containsEntry("small", 3);
        assertThat(backend.declared.get(0).unwanted())
                .extracting(WorkerId::value)
                .containsExactly("w1");
        assertThat(bench.details("fake").orElseThrow().failures()).isZero();
        following.close();
    }

    @Test
    void aBackendKnowsHowMuchTimeTheCallHasLeft() throws Exception {
        FakeBackend backend = new FakeBackend();
        FakeRegistration registration = run(backend);
        long deadline = bench.platform.registry().deadline(registration).millis();
        BackendContext context = backend.context.orElseThrow();
        follower.handles.get(0).declare(declaration(2));
        await().until(() -> context.remainingMillis() < deadline);
        backend.go.countDown();
        await().untilAsserted(() -> assertThat(context.remainingMillis())
                .as("no call is in progress")
                .isEqualTo(deadline));
        assertThat(context.wallTime()).isPositive();
        assertThat(context.zone()).isNotNull();
        following.close();
    }

    @Test
    void aFailedDeclarationIsNotMadeAgainAfterANewerOne() throws Exception {
        FakeBackend backend = new FakeBackend();
        backend.failing.set(1);
        backend.go.countDown();
        run(backend);
        follower.handles.get(0).declare(declaration(2, "w1"));
        await().until(() -> backend.declared.size() == 1);
        follower.handles.get(0).declare(declaration(3));
        await().atMost(Duration.ofSeconds(60)).until(() -> backend.declared.size() == 2);
        assertThat(backend.declared.get(1).needed()).containsEntry("small", 3);
        assertThat(backend.declared.get(1).unwanted())
                .extracting(WorkerId::value)
                .containsExactly("w1");
        following.close();
    }

    @Test
    void aNewConfigurationThatGetsNoThreadIsNotRefused() throws Exception {
        FakeBackend backend = new FakeBackend();
        backend.go.countDown();
        FakeRegistration registration = run(backend);
        occupy(registration);
        configure(registration, "7");
        await().atMost(Duration.ofSeconds(60)).until(() -> notTried() > 0);
        assertThat(bench.state("fake")).doesNotContain("refused");
        mayReturn.countDown();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> follower.handles.size() == 1
                        && follower.handles.get(0).specs().get(0).maximum() == 7);
        assertThat(bench.details("fake").orElseThrow().failures()).isZero();
        following.close();
    }

    @Test
    void sendsTheNewestDeclarationWithAllUnwantedWorkers() throws Exception {
        FakeBackend backend = new FakeBackend();
        FakeRegistration registration = run(backend);
        BackendHandle handle = follower.handles.get(0);
        assertThat(handle.specs()).hasSize(1);
        handle.declare(declaration(1));
        await().until(() -> backend.declared.size() == 1);
        handle.declare(declaration(2, "w2"));
        handle.declare(declaration(3, "w3"));
        backend.go.countDown();
        await().until(() -> backend.declared.size() == 2);
        assertThat(backend.declared.get(1).needed()).containsEntry("small", 3);
        assertThat(backend.declared.get(1).unwanted())
                .extracting(WorkerId::value)
                .containsExactly("w2", "w3");
        assertThat(bench.state("fake")).isEqualTo("deciding");
        bench.platform.registry().remove(registration.id());
        await().until(() -> follower.handles.isEmpty() && backend.closed.get() == 1);
        await().until(() -> registration.released.get() == 1);
        following.close();
    }

    @Test
    void closingTheFollowerClosesTheBackends() throws Exception {
        FakeBackend backend = new FakeBackend();
        backend.go.countDown();
        run(backend);
        following.close();
        assertThat(backend.closed).hasValue(1);
    }

    @Test
    void closingTheFollowerClosesABackendThatIsBeingCreated() throws Exception {
        FakeBackend backend = new FakeBackend();
        backend.create = new CountDownLatch(1);
        follow();
        FakeRegistration registration = bench.add(PolicyKind.BACKEND, "fake", 0, backend);
        assertThat(backend.creating.await(5, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> {
            try {
                following.close();
            } catch (Exception failure) {
                throw new IllegalStateException(failure);
            }
        });
        await().during(Duration.ofMillis(100)).until(() -> !closing.isDone());
        backend.create.countDown();
        closing.get(5, TimeUnit.SECONDS);
        assertThat(backend.closed).hasValue(1);
        bench.platform.registry().remove(registration.id());
        await().until(() -> registration.released.get() == 1);
    }

    @Test
    void aBackendIsReplacedOnANewConfigurationAndKeptOnARefusedOne() throws Exception {
        FakeBackend backend = new FakeBackend();
        backend.go.countDown();
        FakeRegistration registration = run(backend);
        BackendHandle first = follower.handles.get(0);
        configure(registration, "0");
        bench.awaitState("fake", "deciding with its last good configuration; configuration refused: most is '0'");
        assertThat(follower.handles).containsExactly(first);
        assertThat(backend.closed).hasValue(0);
        configure(registration, "7");
        await().until(() -> follower.handles.size() == 1 && follower.handles.get(0) != first);
        assertThat(follower.handles.get(0).specs().get(0).maximum()).isEqualTo(7);
        assertThat(backend.closed).hasValue(1);
        List<SwapDetails> swaps = bench.platform.swaps(Optional.of(PolicyKind.BACKEND), 10);
        assertThat(swaps).extracting(swap -> swap.cause().label()).containsExactly("configuration", "install");
        assertThat(swaps.get(0).owner()).isEqualTo("backend fake");
        assertThat(swaps.get(0).from()).isEqualTo(swaps.get(1).to());
        assertThat(swaps.get(0).to().generation())
                .isGreaterThan(swaps.get(0).from().generation());
        following.close();
    }

    @Test
    void anUpdatedBackendIsCreatedOnlyWhenTheOldOneHasEnded() throws Exception {
        FakeBackend old = new FakeBackend();
        FakeRegistration registration = run(old);
        follower.handles.get(0).declare(declaration(1));
        await().until(() -> old.declared.size() == 1);
        bench.platform.registry().remove(registration.id());
        await().until(() -> follower.handles.isEmpty());
        FakeBackend renewed = new FakeBackend();
        renewed.go.countDown();
        FakeRegistration updated = bench.add(PolicyKind.BACKEND, "fake", 0, renewed);
        bench.awaitState("fake", "ready");
        assertThat(follower.handles).isEmpty();
        assertThat(old.closed).as("not closed while a call runs").hasValue(0);
        old.go.countDown();
        await().until(() -> follower.handles.size() == 1);
        assertThat(old.closed).hasValue(1);
        List<SwapDetails> swaps = bench.platform.swaps(Optional.of(PolicyKind.BACKEND), 10);
        assertThat(swaps)
                .as("an update is one record")
                .extracting(swap -> swap.cause().label())
                .containsExactly("update", "install");
        assertThat(swaps.get(0).from()).isEqualTo(swaps.get(1).to());
        bench.platform.registry().remove(updated.id());
        await().until(follower.handles::isEmpty);
        SwapDetails last =
                bench.platform.swaps(Optional.of(PolicyKind.BACKEND), 1).get(0);
        assertThat(last.cause().label()).isEqualTo("uninstall");
        assertThat(last.to().name()).isEqualTo("none");
        following.close();
    }

    private void configure(FakeRegistration policy, String most) {
        bench.configured.put(policy.bundle(), new TreeMap<>(Map.of("most", most)));
        bench.platform.registry().configurationChanged(policy.bundle());
    }

    private static WorkerDeclaration declaration(int needed, String... unwanted) {
        return WorkerDeclaration.builder()
                .needed("small", needed)
                .unwanted(List.of(unwanted).stream().map(WorkerId::new).toList())
                .build();
    }

    @Test
    void aBackendInDevelopmentThatCannotBeCreatedIsNotCreatedInALoop() throws Exception {
        bench.platform.settings(HostSettings.defaults().withDevelopment(PolicyKind.BACKEND, List.of("mine")));
        AtomicInteger created = new AtomicInteger();
        bench.add(PolicyKind.BACKEND, "mine", 0, new BackendFactory() {
            @Override
            public PolicyDescription describe() {
                return new PolicyDescription("mine", "for a test");
            }

            @Override
            public Backend create(PolicyConfiguration configuration, BackendContext context) {
                created.incrementAndGet();
                throw new IllegalStateException("not yet written");
            }
        });
        long from = System.nanoTime();
        follow();
        await().atMost(Duration.ofSeconds(60)).until(() -> created.get() >= 4);
        following.close();
        assertThat(Duration.ofNanos(System.nanoTime() - from)).isGreaterThan(Duration.ofMillis(2_500));
        assertThat(bench.state("mine")).doesNotContain("quarantined");
    }

    private static final class Follower implements BackendFollower {
        private final List<BackendHandle> handles = new CopyOnWriteArrayList<>();

        @Override
        public BackendContext context(String backend) {
            return new RecordedBackendContext(backend, "w", Path.of("target"), List.of("run"));
        }

        @Override
        public void added(BackendHandle backend) {
            handles.add(backend);
        }

        @Override
        public void specsChanged(BackendHandle backend) {}

        @Override
        public void removed(BackendHandle backend) {
            handles.remove(backend);
        }
    }

    private static final class FakeBackend implements BackendFactory {
        private final List<WorkerDeclaration> declared = new CopyOnWriteArrayList<>();
        private volatile Optional<BackendContext> context = Optional.empty();
        private final AtomicInteger closed = new AtomicInteger();
        private final AtomicInteger failing = new AtomicInteger();
        private final CountDownLatch go = new CountDownLatch(1);
        private final CountDownLatch creating = new CountDownLatch(1);
        private volatile CountDownLatch create = new CountDownLatch(0);

        @Override
        public PolicyDescription describe() {
            return new PolicyDescription(
                    "fake", "for a test", List.of(ConfigurationKey.number("most", 4, 1, 9, "workers")));
        }

        @Override
        public Backend create(PolicyConfiguration configuration, BackendContext context)
                throws InvalidConfigurationException {
            int most = (int) configuration.number("most");
            this.context = Optional.of(context);
            creating.countDown();
            try {
                create.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
            return new Backend() {
                @Override
                public List<WorkerSpec> specs() {
                    return List.of(WorkerSpec.of("small", Bench.SIZE)
                            .defaultSlots(4)
                            .maximum(most)
                            .build());
                }

                @Override
                public void declare(WorkerDeclaration declaration) {
                    declared.add(declaration);
                    if (failing.getAndDecrement() > 0) {
                        throw new IllegalStateException("the cluster is not there");
                    }
                    try {
                        go.await();
                    } catch (InterruptedException ended) {
                        Thread.currentThread().interrupt();
                    }
                }

                @Override
                public void close() {
                    closed.incrementAndGet();
                }
            };
        }
    }
}

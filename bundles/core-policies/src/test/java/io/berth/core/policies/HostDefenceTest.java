package io.berth.core.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.api.policy.BackendHost.BackendFollower;
import io.berth.core.api.policy.BackendHost.BackendHandle;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.policies.guard.CallDeadline;
import io.berth.core.policies.guard.CallOutcome;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import io.berth.spi.ResourceProfile;
import io.berth.spi.backend.Backend;
import io.berth.spi.backend.BackendContext;
import io.berth.spi.backend.BackendFactory;
import io.berth.spi.backend.WorkerDeclaration;
import io.berth.spi.backend.WorkerSpec;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How the host protects itself from faulty policies and backends. */
class HostDefenceTest {

    private Bench bench = new Bench();

    @AfterEach
    void end() {
        bench.close();
    }

    @Test
    void aPolicyThatCannotBeOpenedIsNamedInTheDecisionOfTheFallback() throws Exception {
        bench.withDefaults();
        bench.add(PolicyKind.MATCHING, "villain", 1_000, new MatchingStrategyFactory() {
            private final AtomicInteger created = new AtomicInteger();

            @Override
            public PolicyDescription describe() {
                return new PolicyDescription("villain", "for a test");
            }

            @Override
            public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
                if (created.incrementAndGet() > 1) {
                    throw new IllegalStateException("not a second time");
                }
                return (MatchingStrategy) Proxy.newProxyInstance(
                        HostDefenceTest.class.getClassLoader(),
                        new Class<?>[] {MatchingStrategy.class},
                        (proxy, method, arguments) -> null);
            }
        });
        bench.awaitState("villain", "deciding");
        PlanOutcome.Planned planned = Bench.planned(bench.planner(), bench.twoWorkersAndAJob());
        assertThat(planned.matching().name()).isEqualTo("first-fit");
        assertThat(bench.platform.decision(planned.decision()).orElseThrow().reasons())
                .anySatisfy(reason -> assertThat(reason)
                        .contains("matching villain")
                        .contains("create for pool default threw java.lang.IllegalStateException: not a second time"));
    }

    @Test
    void callsThatWaitBehindHangingOnesAreNotTriedOnceTheBundleIsAtItsLimit() throws Exception {
        bench.close();
        bench = new Bench(1_000);
        CountDownLatch mayReturn = new CountDownLatch(1);
        AtomicInteger entered = new AtomicInteger();
        FakeRegistration faulty = new FakeRegistration(1, PolicyKind.SCALING, "villain", 0, Object::new);
        List<CompletableFuture<CallOutcome<Boolean>>> calls = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            calls.add(bench.platform
                    .guard()
                    .call(faulty, PolicyCall.DESIRE, CallDeadline.of(1_000), () -> {
                        entered.incrementAndGet();
                        while (mayReturn.getCount() > 0) {
                            Thread.interrupted();
                            Thread.onSpinWait();
                        }
                        return true;
                    })
                    .toCompletableFuture());
        }
        CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
        // Four calls are abandoned, and a fifth one may have begun at the same time as the fourth.
        assertThat(entered.get()).isBetween(4, 5);
        assertThat(bench.platform.guard().abandoned()).isBetween(4, 5);
        assertThat(calls)
                .allSatisfy(call -> assertThat(call.get())
                        .isInstanceOfSatisfying(
                                CallOutcome.Failed.class,
                                failed -> assertThat(failed.hung()).isTrue()));
        assertThat(((CallOutcome.Failed<?>) calls.get(39).get()).text())
                .contains("calls into bundle test.scaling.villain never returned; desire was not tried");
        mayReturn.countDown();
        await().until(() -> bench.platform.guard().abandoned() == 0);
    }

    @Test
    void whatACallChangesInTheProcessIsRestoredAndCountsAsAFailure() throws Exception {
        bench.withDefaults();
        Locale locale = Locale.getDefault();
        TimeZone zone = TimeZone.getDefault();
        bench.add(PolicyKind.MATCHING, "villain", 1_000, Bench.placing("villain", (workers, admitted, plan) -> {
            Locale.setDefault(Locale.forLanguageTag("tr-TR"));
            TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Apia"));
        }));
        bench.awaitState("villain", "deciding");
        PlanOutcome.Planned planned = Bench.planned(bench.planner(), bench.twoWorkersAndAJob());
        assertThat(planned.matching().name()).isEqualTo("first-fit");
        assertThat(Locale.getDefault()).isEqualTo(locale);
        assertThat(TimeZone.getDefault()).isEqualTo(zone);
        assertThat(bench.platform
                        .decision(planned.decision())
                        .orElseThrow()
                        .reasons()
                        .get(0))
                .contains("place changed the default locale, the default time zone of the process, which was restored");
        assertThat(bench.details("villain").orElseThrow().failures()).isEqualTo(1);
    }

    @Test
    void whatOtherCodeChangesInTheProcessDuringACallIsNoFailureOfThePolicy() throws Exception {
        bench.withDefaults();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.UncaughtExceptionHandler others = (thread, failure) -> {};
        bench.add(PolicyKind.MATCHING, "innocent", 1_000, Bench.placing("innocent", (workers, admitted, plan) -> {
            Thread.setDefaultUncaughtExceptionHandler(others);
            Bench.LEAVES_OUT.place(workers, admitted, plan);
        }));
        bench.awaitState("innocent", "deciding");
        try {
            Bench.planned(bench.planner(), bench.twoWorkersAndAJob());
            assertThat(Thread.getDefaultUncaughtExceptionHandler()).isSameAs(others);
            assertThat(bench.details("innocent").orElseThrow().decisions()).isEqualTo(1);
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    static Stream<Arguments> wrongSpecs() {
        ResourceProfile size = Bench.SIZE;
        WorkerSpec right = WorkerSpec.of("small", size).build();
        return Stream.of(
                Arguments.of(null, "an empty list is allowed"),
                Arguments.of(Arrays.asList(right, null), "a spec that is nothing"),
                Arguments.of(List.of(WorkerSpec.of(null, size).build()), "named 'null'"),
                Arguments.of(List.of(WorkerSpec.of("../up", size).build()), "named '../up'"),
                Arguments.of(List.of(WorkerSpec.of("none", null).build()), "spec none without a size"),
                Arguments.of(
                        List.of(WorkerSpec.of("none", ResourceProfile.UNKNOWN).build()), "without a size"),
                Arguments.of(List.of(right, right), "spec small twice"),
                Arguments.of(
                        List.of(WorkerSpec.of("s", size).defaultSlots(1_000_000).build()), "1000000 default slots"),
                Arguments.of(List.of(WorkerSpec.of("s", size).maximum(1_000_000).build()), "offers 1000000 workers"),
                Arguments.of(
                        List.of(WorkerSpec.of("s", size)
                                .minimum(50_000)
                                .maximum(50_000)
                                .build()),
                        "keeps 50000 workers"),
                Arguments.of(Collections.nCopies(101, right), "spec small twice"));
    }

    @ParameterizedTest
    @MethodSource("wrongSpecs")
    void namesWhatIsWrongWithTheSpecsOfABackendAndClosesIt(List<WorkerSpec> specs, String text) throws Exception {
        ScriptedBackend backend = new ScriptedBackend(specs, () -> {});
        Handles handles = new Handles();
        AutoCloseable following = bench.platform.backends().follow(handles);
        bench.add(PolicyKind.BACKEND, "villain", 0, backend);
        bench.awaitState("villain", "quarantined");
        assertThat(bench.state("villain")).contains(text);
        assertThat(handles.all).isEmpty();
        assertThat(backend.closed.get())
                .as("each of the three created instances was closed")
                .isEqualTo(3);
        following.close();
    }

    @Test
    void aListenerThatThrowsDoesNotKeepAChangeFromTheOthers() {
        AtomicInteger notified = new AtomicInteger();
        bench.platform.registry().listen(() -> {
            throw new IllegalStateException("this bundle has stopped");
        });
        bench.platform.registry().listen(notified::incrementAndGet);
        bench.firstFit();
        await().until(() -> notified.get() > 0);
    }

    @Test
    void aDeclarationThatABackendRefusesIsAFailureAndIsSentAgain() throws Exception {
        AtomicInteger declared = new AtomicInteger();
        ScriptedBackend backend =
                new ScriptedBackend(List.of(WorkerSpec.of("small", Bench.SIZE).build()), () -> {
                    if (declared.incrementAndGet() == 1) {
                        HostDefenceTest.<RuntimeException>sneakyThrow(new InvalidConfigurationException("not now"));
                    }
                });
        Handles handles = new Handles();
        AutoCloseable following = bench.platform.backends().follow(handles);
        bench.add(PolicyKind.BACKEND, "villain", 0, backend);
        await().until(() -> handles.all.size() == 1);
        handles.all.get(0).declare(WorkerDeclaration.builder().build());
        await().until(() -> declared.get() == 2);
        assertThat(bench.details("villain").orElseThrow().failures()).isEqualTo(1);
        following.close();
    }

    @SuppressWarnings("unchecked")
    private static <T extends Exception> void sneakyThrow(Exception failure) throws T {
        throw (T) failure;
    }

    @Test
    void aBackendThatHungIsCreatedAgainWhenAnOperatorReleasesIt() throws Exception {
        bench.close();
        bench = new Bench(2_000);
        CountDownLatch mayReturn = new CountDownLatch(1);
        AtomicInteger declared = new AtomicInteger();
        ScriptedBackend backend =
                new ScriptedBackend(List.of(WorkerSpec.of("small", Bench.SIZE).build()), () -> {
                    if (declared.incrementAndGet() == 1) {
                        while (mayReturn.getCount() > 0) {
                            Thread.interrupted();
                            Thread.onSpinWait();
                        }
                    }
                });
        Handles handles = new Handles();
        AutoCloseable following = bench.platform.backends().follow(handles);
        bench.add(PolicyKind.BACKEND, "villain", 0, backend);
        await().until(() -> handles.all.size() == 1);
        BackendHandle first = handles.all.get(0);
        first.declare(WorkerDeclaration.builder().build());
        bench.awaitState("villain", "quarantined: declare did not return within 2000 ms");
        bench.platform.release(PolicyKind.BACKEND, "villain", "a test");
        await().until(() -> handles.all.size() == 1 && handles.all.get(0) != first);
        handles.all.get(0).declare(WorkerDeclaration.builder().build());
        await().until(() -> declared.get() == 2);
        assertThat(bench.state("villain")).isEqualTo("deciding");
        mayReturn.countDown();
        following.close();
    }

    private static final class Handles implements BackendFollower {
        private final List<BackendHandle> all = new CopyOnWriteArrayList<>();

        @Override
        public BackendContext context(String backend) {
            return (BackendContext) Proxy.newProxyInstance(
                    HostDefenceTest.class.getClassLoader(),
                    new Class<?>[] {BackendContext.class},
                    (proxy, method, arguments) -> null);
        }

        @Override
        public void added(BackendHandle backend) {
            all.add(backend);
        }

        @Override
        public void specsChanged(BackendHandle backend) {}

        @Override
        public void removed(BackendHandle backend) {
            all.remove(backend);
        }
    }

    private static final class ScriptedBackend implements BackendFactory {
        private final List<WorkerSpec> specs;
        private final Runnable declaring;
        private final AtomicInteger closed = new AtomicInteger();

        private ScriptedBackend(List<WorkerSpec> specs, Runnable declaring) {
            this.specs = specs;
            this.declaring = declaring;
        }

        @Override
        public PolicyDescription describe() {
            return new PolicyDescription("villain", "for a test");
        }

        @Override
        public Backend create(PolicyConfiguration configuration, BackendContext context) {
            return new Backend() {
                @Override
                public List<WorkerSpec> specs() {
                    return specs;
                }

                @Override
                public void declare(WorkerDeclaration declaration) {
                    declaring.run();
                }

                @Override
                public void close() {
                    closed.incrementAndGet();
                }
            };
        }
    }
}

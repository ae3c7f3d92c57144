package io.berth.core.policies.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.policies.Bench;
import io.berth.core.policies.FakeRegistration;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The host closes a result that comes too late or that it does not use. */
class LateResultsTest {

    private final Bench bench = new Bench(2_000);
    private final CountDownLatch mayReturn = new CountDownLatch(1);
    private final List<Object> discarded = new CopyOnWriteArrayList<>();
    private final FakeRegistration faulty = new FakeRegistration(900, PolicyKind.MATCHING, "villain", 0, Object::new);

    @AfterEach
    void end() {
        mayReturn.countDown();
        bench.close();
    }

    private void ignoreInterrupts() {
        while (mayReturn.getCount() > 0) {
            Thread.interrupted();
            Thread.yield();
        }
    }

    @Test
    void aSessionThatIsOpenedAfterTheDeadlineIsClosed() throws Exception {
        bench.withDefaults();
        AtomicInteger created = new AtomicInteger();
        AtomicInteger closed = new AtomicInteger();
        FakeRegistration slow = bench.add(PolicyKind.MATCHING, "slow", 1_000, new MatchingStrategyFactory() {
            @Override
            public PolicyDescription describe() {
                return new PolicyDescription("slow", "for a test");
            }

            @Override
            public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
                if (created.incrementAndGet() > 1) {
                    ignoreInterrupts();
                }
                return new Counting(closed);
            }
        });
        bench.awaitState("slow", "deciding");
        PlanOutcome.Planned planned = Bench.planned(bench.planner(), bench.twoWorkersAndAJob());
        assertThat(planned.matching().name()).isEqualTo("first-fit");
        assertThat(closed).hasValue(0);
        mayReturn.countDown();
        await().until(() -> closed.get() == 1);
        await().until(() -> bench.platform.guard().abandoned() == 0);
        bench.platform.registry().remove(slow.id());
        await().until(() -> slow.released.get() == 1);
    }

    @Test
    void aLateResultIsClosedWithTheClassLoaderOfTheBundleAndStillCountsAsAbandoned() throws Exception {
        CountDownLatch ending = new CountDownLatch(1);
        CallOutcome<String> outcome = bench.platform
                .guard()
                .call(
                        faulty,
                        PolicyCall.CREATE,
                        "create",
                        CallDeadline.of(100),
                        phases -> {
                            ignoreInterrupts();
                            return "made";
                        },
                        made -> {
                            discarded.add(made);
                            discarded.add(Thread.currentThread().getContextClassLoader());
                            ending.await();
                            throw new IllegalStateException("hostile to the end");
                        })
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        CallOutcome.Failed.class,
                        hung -> assertThat(hung.hung()).isTrue());
        mayReturn.countDown();
        await().until(() -> discarded.size() == 2);
        assertThat(discarded).containsExactly("made", faulty.loader());
        assertThat(bench.platform.guard().abandoned()).isEqualTo(1);
        ending.countDown();
        await().until(() -> bench.platform.guard().abandoned() == 0);
    }

    @Test
    void theResultOfACallThatFailedBecauseItChangedTheProcessIsClosed() throws Exception {
        Locale locale = Locale.getDefault();
        CallOutcome<String> outcome = bench.platform
                .guard()
                .call(
                        faulty,
                        PolicyCall.CREATE,
                        "create",
                        CallDeadline.of(10_000),
                        phases -> {
                            Locale.setDefault(Locale.forLanguageTag("tr-TR"));
                            return "made";
                        },
                        discarded::add)
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
        assertThat(outcome).isInstanceOf(CallOutcome.Failed.class);
        assertThat(discarded).containsExactly("made");
        assertThat(Locale.getDefault()).isEqualTo(locale);
    }

    @Test
    void aResultThatIsUsedIsNotClosed() throws Exception {
        CallOutcome<String> outcome = bench.platform
                .guard()
                .call(faulty, PolicyCall.CREATE, "create", CallDeadline.of(10_000), phases -> "made", discarded::add)
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
        assertThat(outcome).isEqualTo(new CallOutcome.Returned<>("made"));
        assertThat(discarded).isEmpty();
    }

    private record Counting(AtomicInteger closed) implements MatchingStrategy, PlacementSession {

        @Override
        public PlacementSession openPlacement(WorkersView workers) {
            return this;
        }

        @Override
        public AssignmentSession openAssignment() {
            return (input, result) -> {};
        }

        @Override
        public void delta(int[] changed) {}

        @Override
        public void place(AdmittedView admitted, PlacementBuilder plan) {}

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }
}

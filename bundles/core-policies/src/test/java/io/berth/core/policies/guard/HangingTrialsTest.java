package io.berth.core.policies.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.core.policies.Bench;
import io.berth.core.policies.FakeRegistration;
import io.berth.core.policies.registry.HostSettings;
import io.berth.core.policies.registry.PolicyLimits;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A trial that hangs affects neither the deciding instance nor later trials. */
class HangingTrialsTest {

    private final Bench bench = new Bench(1_000);
    private final CountDownLatch mayReturn = new CountDownLatch(1);

    @AfterEach
    void end() {
        mayReturn.countDown();
        bench.close();
    }

    private final class HangsAboveOne implements MatchingStrategyFactory {

        private final Bench.Scripted model = new Bench.Scripted(
                "touchy", List.of(ConfigurationKey.number("limit", 1, 1, 10, "more than 1 hangs")), Bench.LEAVES_OUT);

        @Override
        public PolicyDescription describe() {
            return model.describe();
        }

        @Override
        public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context)
                throws InvalidConfigurationException {
            while (configuration.number("limit") > 1 && mayReturn.getCount() > 0) {
                Thread.interrupted();
                Thread.yield();
            }
            return model.create(configuration, context);
        }
    }

    @Test
    void trialsUpToTheLimitOfABundleDoNotAffectTheDecidingInstance() throws Exception {
        bench.fifo();
        FakeRegistration touchy = bench.add(PolicyKind.MATCHING, "touchy", 1_000, new HangsAboveOne());
        bench.awaitState("touchy", "deciding");
        var planner = bench.planner();
        assertThat(Bench.planned(planner, bench.twoWorkersAndAJob()).matching().name())
                .isEqualTo("touchy");
        for (int limit = 2; limit <= 6; limit++) {
            long before = bench.details("touchy").orElseThrow().failures();
            bench.configured.put(touchy.bundle(), new TreeMap<>(Map.of("limit", "" + limit)));
            bench.platform.registry().configurationChanged(touchy.bundle());
            await().until(() -> bench.details("touchy").orElseThrow().failures() > before);
        }
        assertThat(bench.platform.guard().abandoned()).isEqualTo(4);
        assertThat(Bench.planned(planner, bench.input().build()).matching().name())
                .isEqualTo("touchy");
        assertThat(bench.state("touchy")).startsWith("deciding with its last good configuration");
    }

    @Test
    void aPolicyWhoseFirstTrialHungIsTriedAgainAutomatically() {
        bench.platform.settings(HostSettings.defaults()
                .withDeadline(PolicyKind.MATCHING, 2_000)
                .withLimits(new PolicyLimits(60_000, 3, 8, 30, 50, 100, 100)));
        AtomicInteger trials = new AtomicInteger();
        Bench.Scripted model = new Bench.Scripted("late", List.of(), Bench.LEAVES_OUT);
        bench.add(PolicyKind.MATCHING, "late", 1_000, new MatchingStrategyFactory() {
            @Override
            public PolicyDescription describe() {
                return model.describe();
            }

            @Override
            public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context)
                    throws InvalidConfigurationException {
                while (trials.get() == 0 && !Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                }
                trials.incrementAndGet();
                return model.create(configuration, context);
            }
        });
        bench.awaitState("late", "deciding");
        assertThat(trials.get()).isGreaterThan(1);
        assertThat(bench.details("late").orElseThrow().failures()).isEqualTo(1);
    }
}

package io.berth.core.policies.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.operations.PolicyOperations.PolicyDiagnosis;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.policies.Bench;
import io.berth.core.policies.FakeRegistration;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.testkit.FixedConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A configuration is accepted completely or not at all. */
class PolicyConfigurationTest {

    private static final List<ConfigurationKey> KEYS = List.of(
            ConfigurationKey.number("limit", 5, 1, 10, "most of something"),
            ConfigurationKey.flag("eager", false, "whether at once"),
            ConfigurationKey.choice("order", "up", List.of("up", "down"), "where to begin"),
            ConfigurationKey.text("name", "", "what it is called"),
            ConfigurationKey.text("mood", "good", "what the factory does: good, refuse, throw, hang or wait"));

    private final Bench bench = new Bench(2_000);
    private final Moody factory = new Moody(KEYS);

    @AfterEach
    void end() {
        factory.never.countDown();
        factory.wait.countDown();
        bench.close();
    }

    /** Does in create what its configuration says. */
    private static final class Moody implements MatchingStrategyFactory {
        private final List<ConfigurationKey> keys;
        private final CountDownLatch never = new CountDownLatch(1);
        private final CountDownLatch wait = new CountDownLatch(1);
        private final List<Map<String, String>> tried = new CopyOnWriteArrayList<>();
        private final AtomicInteger running = new AtomicInteger();
        private final AtomicInteger mostAtOnce = new AtomicInteger();
        private volatile PolicyConfiguration last;

        private Moody(List<ConfigurationKey> keys) {
            this.keys = keys;
        }

        @Override
        public PolicyDescription describe() {
            return new PolicyDescription("moody", "for a test", keys);
        }

        @Override
        public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context)
                throws InvalidConfigurationException {
            if (context.owner().equals("check")) {
                tried.add(configuration.entries());
                mostAtOnce.accumulateAndGet(running.incrementAndGet(), Math::max);
            }
            try {
                act(configuration.text("mood"));
            } finally {
                running.decrementAndGet();
            }
            last = configuration;
            return new Bench.Scripted("moody", List.of(), (workers, admitted, plan) -> {
                        for (int entry = 0; entry < admitted.size(); entry++) {
                            plan.place(entry, 0, admitted.count(entry));
                        }
                    })
                    .create(FixedConfiguration.empty(), context);
        }

        private void act(String mood) throws InvalidConfigurationException {
            switch (mood) {
                case "good" -> {}
                case "refuse" -> throw new InvalidConfigurationException("mood is 'refuse': good is allowed");
                case "throw" -> throw new IllegalStateException("mood is bad");
                case "wait" -> awaitUninterruptibly(wait);
                default -> awaitUninterruptibly(never);
            }
        }

        private static void awaitUninterruptibly(CountDownLatch latch) {
            for (boolean open = false; !open; ) {
                try {
                    latch.await();
                    open = true;
                } catch (InterruptedException ignored) {
                    // This policy ignores interrupts.
                }
            }
        }
    }

    private FakeRegistration moody() {
        FakeRegistration added = bench.add(PolicyKind.MATCHING, "moody", 1_000, factory);
        bench.awaitState("moody", "deciding");
        return added;
    }

    private void configure(Map<String, String> entries) {
        bench.configured.put("test.matching.moody", new TreeMap<>(entries));
        bench.platform.registry().configurationChanged("test.matching.moody");
    }

    private PolicyIdentity decide(PlacementPlanner planner) throws Exception {
        return Bench.planned(planner, bench.twoWorkersAndAJob()).matching();
    }

    private PolicyDiagnosis diagnosis() {
        return bench.platform
                .diagnose(Optional.of(PolicyKind.MATCHING), Optional.of("moody"))
                .get(0);
    }

    static Stream<Arguments> bad() {
        return Stream.of(
                Arguments.of(Map.of("limti", "3"), "unknown key limti; known are limit, eager, order, name, mood"),
                Arguments.of(Map.of("limit", "many"), "limit is 'many': a whole number from 1 to 10 is allowed"),
                Arguments.of(Map.of("limit", "11"), "limit is '11': a whole number from 1 to 10 is allowed"),
                Arguments.of(Map.of("eager", "yes"), "eager is 'yes': true or false is allowed"),
                Arguments.of(Map.of("order", "left"), "order is 'left': one of up, down is allowed"),
                Arguments.of(
                        Map.of("limit", "0", "order", "left"),
                        "limit is '0': a whole number from 1 to 10 is allowed; order is 'left'"),
                Arguments.of(
                        Map.of("name", "x".repeat(5_000)),
                        "(5000 characters)': a text of 0 to 4096 characters is allowed"),
                Arguments.of(Map.of("name", "x".repeat(10_000_000)), "at most 65536 are allowed"),
                Arguments.of(Map.of("mood", "refuse"), "mood is 'refuse': good is allowed (with {mood=refuse})"),
                Arguments.of(Map.of("mood", "throw"), "create threw java.lang.IllegalStateException: mood is bad"),
                Arguments.of(Map.of("mood", "hang"), "create did not return within 2000 ms (with {mood=hang})"));
    }

    @ParameterizedTest
    @MethodSource("bad")
    void aBadConfigurationLeavesTheOldGenerationDecidingUntilAGoodOneIsAccepted(
            Map<String, String> entries, String problem) throws Exception {
        bench.withDefaults();
        moody();
        try (PlacementPlanner planner = bench.planner()) {
            PolicyIdentity before = decide(planner);

            configure(entries);

            bench.awaitState("moody", "deciding with its last good configuration; configuration refused: ");
            assertThat(bench.state("moody")).contains(problem);
            assertThat(bench.state("moody").length()).isLessThan(1_500);
            assertThat(diagnosis().verdict().label()).isEqualTo("deciding");
            assertThat(diagnosis().text()).contains("keeps its last good configuration", problem);
            assertThat(decide(planner)).isEqualTo(before);

            configure(Map.of("limit", " 7 ", "eager", "true", "order", "down"));

            await().atMost(Duration.ofSeconds(30))
                    .until(() -> bench.state("moody").equals("deciding"));
            PolicyIdentity after = decide(planner);
            assertThat(after.name()).isEqualTo("moody");
            assertThat(after.configurationRevision()).isEqualTo(before.configurationRevision() + 1);
            assertThat(factory.last.number("limit")).isEqualTo(7);
            assertThat(factory.last.flag("eager")).isTrue();
            assertThat(factory.last.text("order")).isEqualTo("down");
            assertThat(factory.last.text("name")).isEmpty();
        }
    }

    @Test
    void theDefaultsApplyWithoutAPidAndAfterAPidIsDeleted() throws Exception {
        bench.withDefaults();
        moody();
        try (PlacementPlanner planner = bench.planner()) {
            assertThat(decide(planner).configurationRevision()).isEqualTo(1);
            assertThat(factory.last.number("limit")).isEqualTo(5);
            configure(Map.of("limit", "7"));
            await().atMost(Duration.ofSeconds(30)).until(() -> decide(planner).configurationRevision() == 2);
            assertThat(factory.last.number("limit")).isEqualTo(7);

            bench.configured.remove("test.matching.moody");
            bench.platform.registry().configurationChanged("test.matching.moody");

            await().atMost(Duration.ofSeconds(30)).until(() -> decide(planner).configurationRevision() == 3);
            assertThat(factory.last.number("limit")).isEqualTo(5);
            assertThat(factory.last.entries()).isEmpty();
        }
    }

    @Test
    void aMissingRequiredKeyIsNamedAndThePolicyDecidesOnceItIsThere() {
        Moody needy = new Moody(List.of(
                KEYS.get(4),
                ConfigurationKey.number("quota.slots", 1, 1, 100, "slots of a queue")
                        .asRequired()));
        bench.add(PolicyKind.MATCHING, "moody", 1_000, needy);
        bench.awaitState(
                "moody",
                "configuration refused: key quota.slots is missing: a whole number from 1 to 100 is"
                        + " required (slots of a queue)");
        assertThat(diagnosis().verdict().label()).isEqualTo("configuration refused");
        assertThat(diagnosis().text()).contains("change configuration test.matching.moody");

        configure(Map.of("quota.slots", "40"));

        bench.awaitState("moody", "deciding");
        assertThat(needy.last.number("quota.slots")).isEqualTo(40);
        configure(Map.of());
        bench.awaitState("moody", "deciding with its last good configuration; configuration refused: key quota.slots");
    }

    @Test
    void triesOneConfigurationAtATimeAndTheLatestWins() throws Exception {
        bench.platform.settings(HostSettings.defaults().withDeadline(PolicyKind.MATCHING, 20_000));
        moody();
        configure(Map.of("mood", "wait"));
        await().atMost(Duration.ofSeconds(30)).until(() -> factory.tried.size() == 2);
        configure(Map.of("limit", "2"));
        configure(Map.of("limit", "3"));
        configure(Map.of("limit", "4"));
        factory.wait.countDown();

        await().atMost(Duration.ofSeconds(30))
                .until(() -> bench.platform
                        .registry()
                        .select(PolicyKind.MATCHING, Optional.empty())
                        .candidates()
                        .get(0)
                        .configuration()
                        .entries()
                        .equals(Map.of("limit", "4")));
        assertThat(factory.tried).containsExactly(Map.of(), Map.of("mood", "wait"), Map.of("limit", "4"));
        assertThat(factory.mostAtOnce).hasValue(1);
        assertThat(candidate().revision())
                .as("a configuration that was replaced during its trial is not accepted")
                .isEqualTo(2);
        assertThat(bench.state("moody")).isEqualTo("deciding");
    }

    @Test
    void acceptsAConfigurationThatReturnsAfterItWasReplacedDuringItsTrial() throws Exception {
        moody();
        configure(Map.of("mood", "wait"));
        await().atMost(Duration.ofSeconds(30)).until(() -> factory.tried.size() == 2);
        configure(Map.of("limit", "99"));
        configure(Map.of("mood", "wait"));
        factory.wait.countDown();

        await().atMost(Duration.ofSeconds(30)).until(() -> factory.tried.size() == 3);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> bench.platform
                        .registry()
                        .select(PolicyKind.MATCHING, Optional.empty())
                        .candidates()
                        .get(0)
                        .configuration()
                        .entries()
                        .equals(Map.of("mood", "wait")));
    }

    @Test
    void neverGivesTwoConfigurationsTheSameRevision() {
        moody();
        configure(Map.of("limit", "2"));
        await().atMost(Duration.ofSeconds(30)).until(() -> candidate().revision() == 2);
        PolicyCandidate second = candidate();

        bench.platform.registry().refused(second, "not for this pool");

        assertThat(candidate().revision()).as("back to the previous one").isEqualTo(1);
        assertThat(bench.state("moody")).contains("last good configuration", "not for this pool");
        configure(Map.of("limit", "3"));
        await().atMost(Duration.ofSeconds(30))
                .until(() -> candidate().configuration().entries().equals(Map.of("limit", "3")));
        assertThat(candidate().revision()).isEqualTo(3);
        assertThat(candidate().same(second)).isFalse();
    }

    private PolicyCandidate candidate() {
        return bench.platform
                .registry()
                .select(PolicyKind.MATCHING, Optional.empty())
                .candidates()
                .get(0);
    }

    @Test
    void anUnreadableConfigurationChangesNothing() throws Exception {
        bench.withDefaults();
        moody();
        try (PlacementPlanner planner = bench.planner()) {
            PolicyIdentity before = decide(planner);
            bench.unreadable.add("test.matching.moody");
            configure(Map.of("limit", "3"));
            bench.awaitState(
                    "moody", "deciding with its last good configuration; configuration refused: cannot be read: torn");
            assertThat(decide(planner)).isEqualTo(before);
            bench.unreadable.clear();
            configure(Map.of("limit", "3"));
            await().atMost(Duration.ofSeconds(30)).until(() -> decide(planner).configurationRevision() == 2);
        }
    }

    @Test
    void policiesOfOneBundleShareItsPid() {
        FakeRegistration first = new FakeRegistration(901, PolicyKind.MATCHING, "moody", 5, () -> factory);
        first.bundle = "shared";
        bench.configured.put("shared", new TreeMap<>(Map.of("limit", "3", "depth", "4")));
        bench.platform.registry().add(first);
        bench.awaitState("moody", "configuration refused: unknown key depth");
        FakeRegistration second = new FakeRegistration(
                902,
                PolicyKind.DISTRIBUTION,
                "deep",
                5,
                () -> new Deep(List.of(ConfigurationKey.number("depth", 1, 1, 9, "how deep"))));
        second.bundle = "shared";
        bench.platform.registry().add(second);

        bench.awaitState("deep", "deciding");
        bench.awaitState("moody", "deciding");
        assertThat(factory.last.entries()).isEqualTo(Map.of("limit", "3"));
    }

    private record Deep(List<ConfigurationKey> keys) implements io.berth.spi.distribution.DistributionPolicyFactory {
        @Override
        public PolicyDescription describe() {
            return new PolicyDescription("deep", "for a test", keys);
        }

        @Override
        public io.berth.spi.distribution.DistributionPolicy create(
                PolicyConfiguration configuration, PolicyContext context) {
            return demands -> {
                throw new UnsupportedOperationException("not in this test");
            };
        }
    }

    @Test
    void aBundleThatDeclaresOtherKeysThanItsPolicyDescribesCannotBeUsed() {
        FakeRegistration liar = new FakeRegistration(903, PolicyKind.MATCHING, "moody", 5, () -> factory);
        liar.extra = new TreeMap<>(Map.of("io.berth.policy.configuration", new String[] {"limit", "size"}));
        bench.platform.registry().add(liar);

        bench.awaitState("moody", "cannot be used: declares configuration [limit, size] but describes [eager, limit,");
    }

    static Stream<Arguments> releases() {
        return Stream.of(
                Arguments.of("by configuration"), Arguments.of("by registration"), Arguments.of("by an operator"));
    }

    /**
     * When create hangs with the first configuration, the policy is quarantined. There are three ways to release it.
     */
    @ParameterizedTest
    @MethodSource("releases")
    void aPolicyThatHungInItsFirstTrialIsReleased(String how) {
        bench.configured.put("test.matching.moody", new TreeMap<>(Map.of("mood", "wait")));
        FakeRegistration hung = bench.add(PolicyKind.MATCHING, "moody", 1_000, factory);
        bench.awaitState("moody", "quarantined: create did not return within 2000 ms");

        switch (how) {
            case "by configuration" -> configure(Map.of("limit", "2"));
            case "by registration" -> {
                factory.wait.countDown();
                bench.platform.registry().remove(hung.id());
                bench.add(PolicyKind.MATCHING, "moody", 1_000, factory);
            }
            default -> {
                factory.wait.countDown();
                bench.platform.release(PolicyKind.MATCHING, "moody", "anna");
            }
        }

        await().atMost(Duration.ofSeconds(30)).until(() -> bench.state("moody").equals("deciding"));
    }

    @Test
    void aPolicyWhoseDescribeHungIsDescribedAgainAfterARelease() {
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        bench.add(PolicyKind.MATCHING, "late", 1, new MatchingStrategyFactory() {
            @Override
            public PolicyDescription describe() {
                if (asked.incrementAndGet() == 1) {
                    Moody.awaitUninterruptibly(never);
                }
                return new PolicyDescription("late", "for a test");
            }

            @Override
            public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context)
                    throws InvalidConfigurationException {
                return factory.create(PolicyConfiguration.of(new TreeMap<>(), KEYS), context);
            }
        });
        bench.awaitState("late", "cannot be used: describe did not return within 2000 ms");

        bench.platform.release(PolicyKind.MATCHING, "late", "anna");

        bench.awaitState("late", "deciding");
        assertThat(asked).hasValue(2);
        never.countDown();
    }
}

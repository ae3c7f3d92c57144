package io.berth.core.policies.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.policies.FakeRegistration;
import io.berth.core.policies.PolicyPlatform;
import io.berth.core.policies.registry.HostSettings;
import io.berth.distribution.fifo.FifoFactory;
import io.berth.matching.firstfit.FirstFitFactory;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.testkit.FixedConfiguration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The latest configuration wins: a configuration that was replaced during its trial never decides. One thread simulates
 * all threads of the host, and the events during a trial happen inside the call of the factory, so the order is always
 * the same.
 */
class LatestConfigurationTest {

    private static final String PID = "test.matching.eager";
    private static final Map<String, String> DEFAULTS = Map.of();

    private final World world = new World(0, false, frame -> {});
    private final SortedMap<String, SortedMap<String, String>> configured = new TreeMap<>();
    private final PolicyPlatform platform =
            world.host(pid -> configured.getOrDefault(pid, new TreeMap<>()), HostSettings.defaults());
    private final Eager factory = new Eager();
    private final PlacementPlanner planner = platform.openPlanner("default", MatchingRule.EXACT, () -> {});
    private long states;

    /** Runs an action during a trial, and records the configurations of its trials and of the instances that decide. */
    private static final class Eager implements MatchingStrategyFactory {
        private final Map<Map<String, String>, Runnable> during = new HashMap<>();
        private final List<Map<String, String>> tried = new ArrayList<>();
        private final List<Map<String, String>> decidedWith = new ArrayList<>();

        @Override
        public PolicyDescription describe() {
            return new PolicyDescription(
                    "eager",
                    "for a test",
                    List.of(
                            ConfigurationKey.number("limit", 5, 1, 10, "most of something"),
                            ConfigurationKey.text("mood", "good", "how its trial ends: good, refuse or throw")));
        }

        @Override
        public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context)
                throws InvalidConfigurationException {
            if (!context.owner().equals("check")) {
                decidedWith.add(configuration.entries());
                return new FirstFitFactory().create(FixedConfiguration.empty(), context);
            }
            tried.add(configuration.entries());
            during.getOrDefault(configuration.entries(), () -> {}).run();
            return switch (configuration.text("mood")) {
                case "refuse" -> throw new InvalidConfigurationException("mood is 'refuse': good is allowed");
                case "throw" -> throw new IllegalStateException("mood is bad");
                default -> new FirstFitFactory().create(FixedConfiguration.empty(), context);
            };
        }
    }

    @BeforeEach
    void decidesWithItsDefaults() {
        platform.registry().add(new FakeRegistration(1, PolicyKind.DISTRIBUTION, "fifo", 100, FifoFactory::new));
        platform.registry().add(new FakeRegistration(2, PolicyKind.MATCHING, "eager", 100, () -> factory));
        world.drain();
        assertThat(revisionOf(plan())).isEqualTo(1);
        assertThat(factory.decidedWith).containsExactly(DEFAULTS);
    }

    @AfterEach
    void end() {
        planner.close();
        platform.close();
        world.drain();
    }

    private void configure(Map<String, String> entries) {
        configured.put(PID, new TreeMap<>(entries));
        platform.registry().configurationChanged(PID);
    }

    private CompletableFuture<PlanOutcome> plan() {
        PlanningInput input = new PlanningInput(++states, List.of(), List.of(), List.of());
        return planner.plan(input).toCompletableFuture();
    }

    private long revisionOf(CompletableFuture<PlanOutcome> decision) {
        world.drain();
        return ((PlanOutcome.Planned) decision.join()).matching().configurationRevision();
    }

    @ParameterizedTest
    @ValueSource(strings = {"good", "refuse", "throw"})
    void aConfigurationThatWasReplacedDuringItsTrialNeverDecides(String mood) {
        Map<String, String> replaced = Map.of("limit", "2", "mood", mood);
        Map<String, String> latest = Map.of("limit", "3");
        List<CompletableFuture<PlanOutcome>> meanwhile = new ArrayList<>();
        List<String> states = new ArrayList<>();
        factory.during.put(replaced, () -> {
            configure(latest);
            meanwhile.add(plan());
        });
        factory.during.put(latest, () -> {
            states.add(platform.policies().stream()
                    .filter(one -> one.name().equals("eager"))
                    .findFirst()
                    .orElseThrow()
                    .state());
            meanwhile.add(plan());
        });

        configure(replaced);
        world.drain();

        assertThat(factory.tried).containsExactly(DEFAULTS, replaced, latest);
        assertThat(meanwhile)
                .hasSize(2)
                .allSatisfy(one -> assertThat(revisionOf(one)).isIn(1L, 2L));
        assertThat(revisionOf(plan())).isEqualTo(2);
        assertThat(factory.decidedWith).containsExactly(DEFAULTS, latest);
        assertThat(states).as("the replaced one is no longer refused").containsExactly("deciding");
    }

    @Test
    void ofManyThatComeDuringATrialOnlyTheLastIsTriedAndTaken() {
        Map<String, String> first = Map.of("limit", "1");
        factory.during.put(
                first, () -> IntStream.rangeClosed(2, 9).forEach(limit -> configure(Map.of("limit", "" + limit))));

        configure(first);
        world.drain();

        assertThat(revisionOf(plan())).isEqualTo(2);
        assertThat(factory.tried).containsExactly(DEFAULTS, first, Map.of("limit", "9"));
        assertThat(factory.decidedWith).containsExactly(DEFAULTS, Map.of("limit", "9"));
    }

    @Test
    void theDefaultsKeepDecidingWhenTheyAreRestoredDuringATrial() {
        Map<String, String> replaced = Map.of("limit", "2");
        factory.during.put(replaced, () -> configure(DEFAULTS));

        configure(replaced);
        world.drain();

        assertThat(revisionOf(plan())).isEqualTo(1);
        assertThat(factory.decidedWith).containsExactly(DEFAULTS);
    }
}

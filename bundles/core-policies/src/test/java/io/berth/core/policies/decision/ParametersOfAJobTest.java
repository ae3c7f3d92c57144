package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.PolicyChoice;
import io.berth.core.api.job.Problem;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import io.berth.core.api.policy.ScalingAdvisor;
import io.berth.core.api.policy.ScalingAdvisor.ScalingInput;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.policies.Bench;
import io.berth.core.policies.FakeRegistration;
import io.berth.core.policies.PolicyPlatform;
import io.berth.core.policies.Stage;
import io.berth.core.policies.registry.HostSettings;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.JobId;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import io.berth.spi.scaling.FeasibleChange;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.JudgementBuilder;
import io.berth.spi.scaling.ParallelismBuilder;
import io.berth.spi.scaling.ScalingPolicy;
import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.spi.scaling.ScalingSession;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A job gives parameters to the scaling policy that it names; they are for its instance only. */
class ParametersOfAJobTest {

    private static final ConfigurationKey PAUSE = ConfigurationKey.duration(
            "pause", Duration.ofSeconds(60), Duration.ofSeconds(1), Duration.ofHours(1), "time between two reviews");

    private final Stage stage = new Stage();
    private final PolicyPlatform platform = stage.platform(HostSettings.defaults());
    private long ids;

    /** Keeps what the job has, and says in its reason which pause it was created with. */
    private record Paced(String name, List<ConfigurationKey> keys) implements ScalingPolicyFactory {

        @Override
        public PolicyDescription describe() {
            return new PolicyDescription(name, "for a test", keys);
        }

        @Override
        public ScalingPolicy create(PolicyConfiguration configuration, PolicyContext context)
                throws InvalidConfigurationException {
            Duration pause = keys.isEmpty() ? Duration.ofDays(1) : configuration.duration("pause");
            if (pause.toMinutes() == 13) {
                throw new InvalidConfigurationException("pause is unlucky");
            }
            return job -> new Session(job, pause);
        }
    }

    private record Session(JobView job, Duration pause) implements ScalingSession {

        @Override
        public void delta() {}

        @Override
        public void desire(ParallelismBuilder result) {
            result.parallelism(0, job.desired(0));
            result.reason("reviews after " + pause);
            result.reviewAfter(pause.toMillis());
        }

        @Override
        public void judge(FeasibleChange change, JudgementBuilder result) {
            result.decline();
        }

        @Override
        public void close() {}
    }

    @BeforeEach
    void install() {
        add("paced", 10, List.of(PAUSE));
        add("other", 5, List.of(PAUSE));
    }

    private FakeRegistration add(String name, int ranking, List<ConfigurationKey> keys) {
        FakeRegistration added =
                new FakeRegistration(++ids, PolicyKind.SCALING, name, ranking, () -> new Paced(name, keys));
        platform.registry().add(added);
        stage.runAll();
        return added;
    }

    private static SortedMap<String, String> parameters(String... pairs) {
        SortedMap<String, String> parameters = new TreeMap<>();
        for (int at = 0; at < pairs.length; at += 2) {
            parameters.put(pairs[at], pairs[at + 1]);
        }
        return parameters;
    }

    private ScalingOutcome decide(String policy, String... parameters) {
        JobGraph graph = new JobGraph(
                new JobId("a"),
                "a",
                1,
                SchedulingAttributes.DEFAULT,
                new TreeMap<>(Map.of(PolicyKind.SCALING, new PolicyChoice(policy, parameters(parameters)))),
                List.of(),
                List.of(new JobVertex("source", "source", 1, 2, 3, 128, "default", new TreeMap<>())),
                List.of(),
                List.of(new SlotSharingGroup("default", Bench.SLOT)));
        ScalingAdvisor advisor = platform.openScaling(graph, () -> {});
        stage.runAll();
        var outcome =
                advisor.decide(new ScalingInput(1, List.of(0), List.of(2))).toCompletableFuture();
        stage.runAll();
        return outcome.join();
    }

    private ScalingOutcome.Decided decided(String policy, String... parameters) {
        return (ScalingOutcome.Decided) decide(policy, parameters);
    }

    private PolicyDetails details(String name) {
        return platform.policies().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void thePolicyOfTheJobIsCreatedWithThem() {
        assertThat(decided("paced").reason()).isEqualTo("reviews after PT1M");
        assertThat(decided("paced", "pause", "5 s").reason()).isEqualTo("reviews after PT5S");
    }

    @Test
    void theJobIsAskedAgainAfterTheTimeThatItsParametersSay() {
        assertThat(decided("paced", "pause", "5 s").reviewAfterMillis()).hasValue(5_000);
    }

    @Test
    void aPolicyThatTheJobDidNotNameDoesNotGetThem() {
        assertThat(decided("missing", "pause", "5 s").reason()).isEqualTo("reviews after PT1M");
    }

    @Test
    void aPolicyThatNoLongerKnowsThemIsLeftOutForTheJobAndStaysHealthy() {
        ScalingOutcome.Decided decided = decided("paced", "speed", "5");
        assertThat(decided.scaling().name()).isEqualTo("other");
        assertThat(platform.decision(decided.decision()).orElseThrow().reasons())
                .anySatisfy(reason -> assertThat(reason)
                        .contains("refuses the parameters of job a: unknown key speed; known are pause"));
        assertThat(details("paced").failures()).isZero();
        assertThat(decided("paced").scaling().name()).isEqualTo("paced");
    }

    @Test
    void aPolicyThatRefusesThemItselfIsLeftOutForTheJobAndKeepsItsConfiguration() {
        ScalingOutcome.Decided decided = decided("paced", "pause", "13 min");
        assertThat(decided.scaling().name()).isEqualTo("other");
        assertThat(platform.decision(decided.decision()).orElseThrow().reasons())
                .anySatisfy(reason -> assertThat(reason).contains("refuses the parameters of job a: pause is unlucky"));
        assertThat(details("paced").state()).isEqualTo("deciding");
        assertThat(decided("paced").scaling().name()).isEqualTo("paced");
    }

    @Test
    void theSubmissionIsToldWhatIsWrongByKey() {
        assertThat(platform.problems(PolicyKind.SCALING, "paced", parameters("pause", "5 s")))
                .isEmpty();
        assertThat(platform.problems(PolicyKind.SCALING, "paced", parameters("pause", "5", "speed", "1")))
                .containsExactly(
                        new Problem("pause", "'5'", PAUSE.allowed()),
                        new Problem("speed", "an unknown parameter", "known are pause"));
    }
}

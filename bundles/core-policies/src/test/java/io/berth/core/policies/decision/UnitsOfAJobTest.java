package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.PolicyChoice;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.policy.ScalingAdvisor;
import io.berth.core.api.policy.ScalingAdvisor.ScalingInput;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.policies.Bench;
import io.berth.core.policies.FakeRegistration;
import io.berth.core.policies.PolicyPlatform;
import io.berth.core.policies.Stage;
import io.berth.core.policies.frame.DecisionFrame;
import io.berth.core.policies.frame.DecisionObserver;
import io.berth.core.policies.registry.HostSettings;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The units of a job have their scaling decided side by side; what is known of the job stays until the last one ends. */
class UnitsOfAJobTest {

    private static final JobId JOB = new JobId("a");

    private final Stage stage = new Stage();
    private final PolicyPlatform platform = stage.platform(HostSettings.defaults());
    private final List<JobId> ended = new ArrayList<>();

    private record Policy(String name, boolean fails) implements ScalingPolicyFactory {

        @Override
        public PolicyDescription describe() {
            return new PolicyDescription(name, "for a test", List.of());
        }

        @Override
        public ScalingPolicy create(PolicyConfiguration configuration, PolicyContext context) {
            return job -> new Session(job, fails);
        }
    }

    private record Session(JobView job, boolean fails) implements ScalingSession {

        @Override
        public void delta() {}

        @Override
        public void desire(ParallelismBuilder result) {
            if (fails) {
                throw new IllegalStateException("as the test wants");
            }
            result.parallelism(0, job.desired(0));
        }

        @Override
        public void judge(FeasibleChange change, JudgementBuilder result) {
            result.decline();
        }

        @Override
        public void close() {}
    }

    private final class Watching implements DecisionObserver {

        @Override
        public boolean needsState(String pool) {
            return false;
        }

        @Override
        public void decided(DecisionFrame frame) {}

        @Override
        public void ended(JobId job) {
            ended.add(job);
        }
    }

    @BeforeEach
    void install() {
        add(1, "calm", 10, false);
        add(2, "touchy", 5, true);
        platform.observers().add(new Watching());
    }

    private void add(long id, String name, int ranking, boolean fails) {
        platform.registry()
                .add(new FakeRegistration(id, PolicyKind.SCALING, name, ranking, () -> new Policy(name, fails)));
        stage.runAll();
    }

    private ScalingAdvisor unit(String vertex) {
        JobGraph graph = new JobGraph(
                JOB,
                "a",
                1,
                SchedulingAttributes.DEFAULT,
                new TreeMap<>(Map.of(PolicyKind.SCALING, new PolicyChoice("touchy", new TreeMap<>()))),
                List.of(),
                List.of(new JobVertex(vertex, vertex, 1, 2, 3, 128, "default", new TreeMap<>())),
                List.of(),
                List.of(new SlotSharingGroup("default", Bench.SLOT)));
        ScalingAdvisor advisor = platform.openScaling(graph, () -> {});
        stage.runAll();
        return advisor;
    }

    private String decider(ScalingAdvisor advisor) {
        var outcome =
                advisor.decide(new ScalingInput(1, List.of(0), List.of(2))).toCompletableFuture();
        stage.runAll();
        return ((ScalingOutcome.Decided) outcome.join()).scaling().name();
    }

    private void close(ScalingAdvisor advisor) {
        advisor.close();
        stage.runAll();
    }

    private String diagnosis() {
        return platform.diagnose(Optional.of(PolicyKind.SCALING), Optional.of("touchy"))
                .get(0)
                .text();
    }

    @Test
    void whatIsKnownOfAJobStaysUntilItsLastUnitEnds() {
        ScalingAdvisor first = unit("first");
        ScalingAdvisor second = unit("second");
        for (int round = 0; round < 3; round++) {
            assertThat(decider(first)).isEqualTo("calm");
        }
        assertThat(diagnosis()).contains("quarantined for job a", "job a, which chooses 'touchy'");

        close(first);
        close(first);

        assertThat(diagnosis()).contains("quarantined for job a", "job a, which chooses 'touchy'");
        assertThat(ended).isEmpty();
        assertThat(decider(second)).isEqualTo("calm");

        close(second);

        assertThat(diagnosis()).doesNotContain("job a");
        assertThat(ended).containsExactly(JOB);
    }
}

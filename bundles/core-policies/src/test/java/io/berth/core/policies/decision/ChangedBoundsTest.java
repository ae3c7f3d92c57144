package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.ParallelismBounds;
import io.berth.core.api.job.ParallelismBounds.VertexBounds;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.policy.ScalingAdvisor;
import io.berth.core.api.policy.ScalingAdvisor.ScalingInput;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.policies.Bench;
import io.berth.core.policies.FakeRegistration;
import io.berth.core.policies.PolicyPlatform;
import io.berth.core.policies.Stage;
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
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A job whose bounds change while it is open: a session knows one job, and what is known of the job stays. */
class ChangedBoundsTest {

    private record Seen(
            int session,
            int minimum,
            int desired,
            int maximum,
            OptionalInt lastDesired,
            OptionalLong runningSince,
            int history) {}

    private final class Desires implements ScalingPolicyFactory {

        @Override
        public PolicyDescription describe() {
            return new PolicyDescription("desires", "for a test", List.of());
        }

        @Override
        public ScalingPolicy create(PolicyConfiguration configuration, PolicyContext context) {
            return job -> new Session(job, ++opened);
        }
    }

    private final class Session implements ScalingSession {

        private final JobView job;
        private final int number;

        Session(JobView job, int number) {
            this.job = job;
            this.number = number;
        }

        @Override
        public void delta() {}

        @Override
        public void desire(ParallelismBuilder result) {
            seen.add(new Seen(
                    number,
                    job.minimum(0),
                    job.desired(0),
                    job.maximum(0),
                    job.lastDesired(0),
                    job.runningSince(),
                    job.history()));
            result.parallelism(0, job.desired(0));
        }

        @Override
        public void judge(FeasibleChange change, JudgementBuilder result) {
            result.decline();
        }

        @Override
        public void close() {
            closed++;
        }
    }

    private final Stage stage = new Stage();
    private final PolicyPlatform platform = stage.platform(HostSettings.defaults());
    private final List<Seen> seen = new ArrayList<>();
    private int opened;
    private int closed;
    private final JobGraph job = new JobGraph(
            new JobId("a"),
            "a",
            1,
            SchedulingAttributes.DEFAULT,
            new TreeMap<>(),
            List.of(),
            List.of(new JobVertex("source", "source", 1, 2, 3, 128, "default", new TreeMap<>())),
            List.of(),
            List.of(new SlotSharingGroup("default", Bench.SLOT)));

    @BeforeEach
    void install() {
        platform.registry().add(new FakeRegistration(1, PolicyKind.SCALING, "desires", 1, Desires::new));
        stage.runAll();
    }

    private ScalingOutcome.Decided decide(ScalingAdvisor advisor, long number, int current, int slots) {
        var outcome = advisor.decide(new ScalingInput(number, List.of(current), List.of(slots)))
                .toCompletableFuture();
        stage.runAll();
        return (ScalingOutcome.Decided) outcome.join();
    }

    private JobGraph with(long revision, int minimum, int desired, int maximum) {
        return job.with(
                new ParallelismBounds(revision, List.of(new VertexBounds("source", minimum, desired, maximum))));
    }

    @Test
    void theNextDecisionSeesTheNewBoundsAndAllThatWasKnown() {
        ScalingAdvisor advisor = platform.openScaling(job, () -> {});
        stage.runAll();
        decide(advisor, 1, 0, 0);
        decide(advisor, 2, 2, 2);
        Seen before = seen.get(1);
        assertThat(before.session()).isEqualTo(1);
        assertThat(before.runningSince()).isPresent();
        assertThat(before.history()).isEqualTo(1);

        advisor.changed(with(2, 4, 5, 6));
        stage.runAll();
        assertThat(decide(advisor, 3, 2, 5).desired()).containsExactly(5);
        assertThat(seen.get(2)).isEqualTo(new Seen(2, 4, 5, 6, OptionalInt.of(4), before.runningSince(), 2));
        assertThat(closed).isEqualTo(1);

        advisor.changed(with(3, 1, 1, 1));
        stage.runAll();
        assertThat(decide(advisor, 4, 2, 5).desired()).containsExactly(1);
        assertThat(seen.get(3).lastDesired()).hasValue(1);

        advisor.close();
        stage.runAll();
        assertThat(closed).isEqualTo(opened).isEqualTo(3);
    }
}

package io.berth.core.policies.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.JobMeasures;
import io.berth.core.api.job.JobMeasures.Means;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.job.VertexMeasures;
import io.berth.core.api.job.VertexMeasures.Spread;
import io.berth.core.api.job.VertexMeasures.TaskMeasures;
import io.berth.core.api.policy.ScalingAdvisor.Limit;
import io.berth.core.api.policy.ScalingAdvisor.ScalingInput;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.frame.ScalingDraft;
import io.berth.core.policies.frame.ScalingFrame;
import io.berth.core.policies.scaling.GraphView;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a job that was rescaled a hundred times costs in the journal; prints it. */
class ScalingFrameSizeTest {

    private static final int VERTICES = 10;

    private final Random random = new Random(1);
    private final JobGraph job = new JobGraph(
            new JobId("job"),
            "",
            0,
            SchedulingAttributes.DEFAULT,
            new TreeMap<>(),
            List.of(),
            IntStream.range(0, VERTICES)
                    .mapToObj(vertex -> new JobVertex("v" + vertex, "", 1, 1, 500, 512, "g", new TreeMap<>()))
                    .toList(),
            List.of(),
            List.of(new SlotSharingGroup("g", ResourceProfile.of(1_000, 1_000))));
    private final GraphView view = new GraphView(job);
    private long now;

    private Spread spread() {
        return new Spread(random.nextDouble(), random.nextDouble());
    }

    private JobMeasures measures() {
        List<VertexMeasures> vertices = IntStream.range(0, VERTICES)
                .mapToObj(vertex -> new VertexMeasures(
                        Optional.of(new TaskMeasures(9, spread(), spread(), spread(), spread(), spread())),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()))
                .toList();
        return new JobMeasures(Optional.of(60_000L + random.nextInt(1_000)), vertices, Optional.of(900L), List.of());
    }

    /** A decision about a job that runs at that parallelism, a minute after the one before. */
    private ScalingFrame decide(int parallelism) {
        now += 60_000;
        DecisionTime time = new DecisionTime(now, now);
        ScalingInput input = new ScalingInput(
                now,
                Collections.nCopies(VERTICES, parallelism),
                List.of(parallelism),
                Limit.NONE,
                measures(),
                Means.NONE);
        ScalingDraft draft = new ScalingDraft(job, view.past(), time, "UTC", input);
        assertThat(view.apply(input, time)).isEmpty();
        return draft.finish(List.of(), new ScalingOutcome.NotDecided("no policy"), 100);
    }

    private static int size(FrameOutput out, FrameInput in, ScalingFrame frame) {
        out.begin();
        byte type = JournalFormat.write(out, frame);
        in.begin(Arrays.copyOf(out.bytes(), out.size()));
        assertThat(JournalFormat.read(type, in)).isEqualTo(frame);
        in.end();
        return out.size();
    }

    @Test
    void aSegmentRepeatsNoFiguresOfEarlierStates() {
        FrameOutput young = new FrameOutput();
        FrameInput youngIn = new FrameInput();
        size(young, youngIn, decide(1));
        int without = size(young, youngIn, decide(1));
        for (int parallelism = 2; parallelism <= 102; parallelism++) {
            decide(parallelism);
        }
        assertThat(view.history()).isEqualTo(100);
        FrameOutput out = new FrameOutput();
        FrameInput in = new FrameInput();
        int first = size(out, in, decide(102));
        int next = size(out, in, decide(102));
        size(out, in, decide(103));
        int changed = size(out, in, decide(103));
        System.out.println(
                "scaling frame, 10 vertices, 100 earlier states: first of a segment " + first + " bytes, later ones "
                        + next + ", after a rescale " + changed + "; without earlier states " + without);
        assertThat(first).isLessThan(50_000);
        assertThat(next - without)
                .as("two bytes an earlier state, and the windows of the most work")
                .isLessThan(450);
        assertThat(changed - next).as("one state is new").isLessThan(100);
    }
}

package io.berth.core.policies.journal;

import io.berth.core.api.job.GroupRoom;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.JobMeasures;
import io.berth.core.api.job.JobMeasures.Means;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.job.VertexMeasures;
import io.berth.core.api.job.VertexMeasures.Spread;
import io.berth.core.api.job.VertexMeasures.TaskMeasures;
import io.berth.core.api.policy.ScalingAdvisor.Feasible;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.policies.frame.ScalingFrame;
import io.berth.core.policies.frame.ScalingFrame.Bound;
import io.berth.core.policies.frame.ScalingFrame.Input;
import io.berth.core.policies.scaling.JobPast;
import io.berth.policy.rules.scaling.WorkPeaks;
import io.berth.policy.rules.scaling.WorkPeaks.Peaks;
import io.berth.policy.rules.scaling.WorkPeaks.Window;
import io.berth.spi.JobId;
import java.nio.DoubleBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Scaling frames and outcomes as bytes; see {@link InputCodec} for how to add a field. */
final class ScalingCodec {

    private ScalingCodec() {}

    static void write(FrameOutput out, ScalingFrame frame) {
        // First, for those who look for a decision without reading the others.
        out.fixed(frame.decision());
        out.shared(frame.job(), ScalingCodec::job);
        past(out, frame.before());
        StateCodec.time(out, frame.time());
        out.text(frame.zone());
        out.number(frame.input().stateNumber());
        numbers(out, frame.input().current());
        numbers(out, frame.input().slots());
        measures(out, frame.input().measures());
        means(out, frame.input().stopped());
        out.list(frame.bounds(), (o, bound) -> {
            numbers(o, bound.planned());
            feasible(o, bound.feasible());
        });
        out.list(frame.scaling(), FrameCodec::step);
        outcome(out, frame.outcome());
        out.number(frame.micros());
    }

    static ScalingFrame read(FrameInput in) {
        in.fixed();
        return new ScalingFrame(
                in.shared(ScalingCodec::job),
                past(in),
                StateCodec.time(in),
                in.text(),
                new Input(in.number(), numbers(in), numbers(in), measures(in), means(in)),
                in.list(i -> new Bound(numbers(i), feasible(i))),
                in.list(FrameCodec::step),
                outcome(in),
                in.number());
    }

    /** Only what {@link ScalingFrame#visible} leaves. */
    private static void job(FrameOutput out, JobGraph job) {
        out.text(job.id().value());
        out.list(job.vertices(), (o, vertex) -> {
            o.text(vertex.name());
            o.number(vertex.minimum());
            o.number(vertex.desired());
            o.number(vertex.maximum());
            o.number(vertex.maxParallelism());
            o.text(vertex.group());
        });
        out.list(job.edges(), (o, edge) -> {
            o.text(edge.from());
            o.text(edge.to());
            o.word(edge.partitioning());
        });
        out.list(job.groups(), (o, group) -> {
            o.text(group.name());
            InputCodec.profile(o, group.profile());
            o.shared(group.constraints(), InputCodec::constraints);
        });
    }

    private static JobGraph job(FrameInput in) {
        return new JobGraph(
                new JobId(in.text()),
                "",
                0,
                SchedulingAttributes.DEFAULT,
                new TreeMap<>(),
                List.of(),
                in.list(i -> new JobVertex(
                        i.text(), "", i.whole(), i.whole(), i.whole(), i.whole(), i.text(), new TreeMap<>())),
                in.list(i -> new JobEdge(i.text(), i.text(), i.word(Partitioning.class))),
                in.list(i -> new SlotSharingGroup(i.text(), InputCodec.profile(i), i.shared(InputCodec::constraints))));
    }

    private static void past(FrameOutput out, JobPast past) {
        state(out, past.last());
        means(out, past.measured());
        out.list(past.earlier(), ScalingCodec::earlier);
        numbers(out, past.lastRan());
        moment(out, past.runningSince());
        moment(out, past.lastRescale());
        numbers(out, past.lastDesired());
        peaks(out, past.peaks());
    }

    private static JobPast past(FrameInput in) {
        return new JobPast(
                state(in),
                means(in),
                in.list(ScalingCodec::earlier),
                numbers(in),
                moment(in),
                moment(in),
                numbers(in),
                peaks(in));
    }

    /** Most parts are those of the frame before. */
    private static void peaks(FrameOutput out, WorkPeaks peaks) {
        moment(out, peaks.since());
        out.list(
                peaks.windows(),
                (o, window) -> o.shared(window, (w, value) -> {
                    w.number(value.number());
                    w.list(value.parts(), (p, part) -> p.shared(part, (q, one) -> reals(q, one.values())));
                }));
    }

    private static WorkPeaks peaks(FrameInput in) {
        return new WorkPeaks(
                moment(in),
                in.list(i -> i.shared(w ->
                        new Window(w.number(), w.list(p -> p.shared(values -> Peaks.of(reals(values))))))));
    }

    private static void reals(FrameOutput out, double[] values) {
        out.number(values.length);
        for (double one : values) {
            out.real(one);
        }
    }

    private static double[] reals(FrameInput in) {
        double[] values = new double[in.count()];
        for (int nth = 0; nth < values.length; nth++) {
            values[nth] = in.real();
        }
        return values;
    }

    /** On a clock that may be negative. */
    private static void moment(FrameOutput out, OptionalLong moment) {
        out.flag(moment.isPresent());
        moment.ifPresent(out::number);
    }

    private static OptionalLong moment(FrameInput in) {
        return in.flag() ? OptionalLong.of(in.number()) : OptionalLong.empty();
    }

    /** Each of them is part of up to a hundred frames. */
    private static void earlier(FrameOutput out, JobPast.Earlier earlier) {
        out.shared(earlier, (o, value) -> {
            state(o, value.state());
            means(o, value.measured());
        });
    }

    private static JobPast.Earlier earlier(FrameInput in) {
        return in.shared(i -> new JobPast.Earlier(state(i), means(i)));
    }

    private static void state(FrameOutput out, JobPast.State state) {
        out.shared(state, (o, value) -> {
            o.number(value.since());
            numbers(o, value.current());
            numbers(o, value.slots());
        });
    }

    private static JobPast.State state(FrameInput in) {
        return in.shared(i -> new JobPast.State(i.number(), numbers(i), numbers(i)));
    }

    /** What is measured in one frame is part of the past of the next one. */
    private static void means(FrameOutput out, Means means) {
        out.shared(means, (o, value) -> {
            o.optional(value.windowMillis(), FrameOutput::number);
            reals(o, value.values());
        });
    }

    private static Means means(FrameInput in) {
        return in.shared(i -> {
            Optional<Long> windowMillis = i.optional(FrameInput::number);
            return Means.of(windowMillis, reals(i));
        });
    }

    private static void measures(FrameOutput out, JobMeasures measures) {
        means(out, measures.means());
        out.list(measures.vertices(), (o, vertex) -> {
            o.optional(vertex.tasks(), ScalingCodec::tasks);
            o.optional(vertex.backlogSplits(), FrameOutput::number);
            o.optional(vertex.backlogRecords(), FrameOutput::number);
            o.optional(vertex.lagMillis(), FrameOutput::number);
        });
        out.optional(measures.lastRescaleMillis(), FrameOutput::number);
        out.list(measures.room(), (o, room) -> {
            o.text(room.group());
            o.number(room.free());
            o.number(room.startable());
            o.optional(room.queue(), FrameOutput::number);
        });
    }

    private static JobMeasures measures(FrameInput in) {
        Means means = means(in);
        DoubleBuffer values = DoubleBuffer.wrap(means.values());
        return new JobMeasures(
                means.windowMillis(),
                in.list(i -> vertex(i, values)),
                in.optional(FrameInput::number),
                in.list(i -> new GroupRoom(i.text(), i.number(), i.number(), i.optional(FrameInput::number))));
    }

    private static VertexMeasures vertex(FrameInput in, DoubleBuffer means) {
        double[] own = new double[Means.FIGURES];
        if (means.remaining() >= own.length) {
            means.get(own);
        }
        return new VertexMeasures(
                in.optional(i -> tasks(i, own)),
                in.optional(FrameInput::number),
                in.optional(FrameInput::number),
                in.optional(FrameInput::number));
    }

    /** Without the means, which are written before. */
    private static void tasks(FrameOutput out, TaskMeasures tasks) {
        out.number(tasks.count());
        out.real(tasks.recordsIn().greatest());
        out.real(tasks.recordsOut().greatest());
        out.real(tasks.busy().greatest());
        out.real(tasks.idle().greatest());
        out.real(tasks.backPressured().greatest());
    }

    private static TaskMeasures tasks(FrameInput in, double[] means) {
        return new TaskMeasures(
                in.whole(),
                new Spread(means[0], in.real()),
                new Spread(means[1], in.real()),
                new Spread(means[2], in.real()),
                new Spread(means[3], in.real()),
                new Spread(means[4], in.real()));
    }

    private static void numbers(FrameOutput out, List<Integer> numbers) {
        out.list(numbers, (o, number) -> o.number(number));
    }

    private static List<Integer> numbers(FrameInput in) {
        return in.list(FrameInput::whole);
    }

    private static void feasible(FrameOutput out, Feasible feasible) {
        out.optional(feasible.parallelism(), ScalingCodec::numbers);
        out.text(feasible.bound());
    }

    private static Feasible feasible(FrameInput in) {
        return new Feasible(in.optional(ScalingCodec::numbers), in.text());
    }

    static void outcome(FrameOutput out, ScalingOutcome outcome) {
        out.flag(outcome instanceof ScalingOutcome.Decided);
        if (outcome instanceof ScalingOutcome.Decided decided) {
            out.number(decided.decision());
            FrameCodec.identity(out, decided.scaling());
            numbers(out, decided.desired());
            feasible(out, decided.feasible());
            out.flag(decided.accepted());
            FrameCodec.millis(out, decided.reviewAfterMillis());
            out.text(decided.reason());
        } else if (outcome instanceof ScalingOutcome.NotDecided notDecided) {
            FrameCodec.reason(out, notDecided.why());
        }
    }

    private static ScalingOutcome outcome(FrameInput in) {
        if (!in.flag()) {
            return new ScalingOutcome.NotDecided(FrameCodec.reason(in));
        }
        return new ScalingOutcome.Decided(
                in.number(),
                FrameCodec.identity(in),
                numbers(in),
                feasible(in),
                in.flag(),
                FrameCodec.millis(in),
                in.text());
    }
}

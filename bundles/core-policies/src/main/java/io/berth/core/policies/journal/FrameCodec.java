package io.berth.core.policies.journal;

import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.policy.PlacementRuns;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanOutcome.GiveBack;
import io.berth.core.api.policy.PlanOutcome.Reclaim;
import io.berth.core.api.policy.PlanOutcome.Returns;
import io.berth.core.api.policy.PlanOutcome.UnitReason;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.policies.frame.DecisionFrame;
import io.berth.core.policies.frame.FramedPolicy;
import io.berth.core.policies.frame.PolicyStep;
import io.berth.core.policies.frame.TimeAnswers;
import io.berth.spi.PolicyKind;
import java.util.OptionalLong;

/** Frames and outcomes of pools as bytes, and what all frames have in common; see {@link InputCodec} for how to add a field. */
final class FrameCodec {

    private FrameCodec() {}

    static void write(FrameOutput out, DecisionFrame frame) {
        // First, for those who look for a decision without reading the others.
        out.fixed(frame.decision());
        out.text(frame.pool());
        out.number(frame.sequence());
        out.optional(frame.before(), StateCodec::write);
        out.list(frame.uses(), StateCodec::moment);
        out.list(frame.open(), FrameOutput::number);
        StateCodec.time(out, frame.moment().time());
        out.text(frame.moment().zone());
        out.number(frame.moment().leftOutMillis());
        SettingsCodec.write(out, frame.settings());
        InputCodec.write(out, frame.input());
        out.optional(frame.restored(), StateCodec::past);
        out.list(frame.distribution(), FrameCodec::step);
        out.list(frame.matching(), FrameCodec::step);
        outcome(out, frame.result().outcome());
        millis(out, frame.result().reviewMillis());
        out.number(frame.result().micros());
    }

    static DecisionFrame read(FrameInput in) {
        in.fixed();
        return new DecisionFrame(
                in.text(),
                in.number(),
                in.optional(StateCodec::read),
                in.list(StateCodec::moment),
                in.list(FrameInput::number),
                new DecisionFrame.Moment(StateCodec.time(in), in.text(), in.number()),
                SettingsCodec.read(in),
                InputCodec.read(in),
                in.optional(StateCodec::past),
                in.list(FrameCodec::step),
                in.list(FrameCodec::step),
                new DecisionFrame.Result(outcome(in), millis(in), in.number()));
    }

    /** A duration, which is not negative, or none. */
    static void millis(FrameOutput out, OptionalLong millis) {
        out.number(millis.orElse(-1));
    }

    static OptionalLong millis(FrameInput in) {
        long millis = in.number();
        return millis < 0 ? OptionalLong.empty() : OptionalLong.of(millis);
    }

    static void step(FrameOutput out, PolicyStep step) {
        if (step instanceof PolicyStep.Taken taken) {
            out.number(0);
            out.shared(taken.policy(), FrameCodec::policy);
            out.flag(taken.fresh());
        } else if (step instanceof PolicyStep.Vacant vacant) {
            out.number(1);
            out.text(vacant.text());
        } else if (step instanceof PolicyStep.CallFailed failed) {
            out.number(2);
            out.number(failed.call());
            out.text(failed.text());
        } else if (step instanceof PolicyStep.Other other) {
            out.number(3);
            out.flag(other.ready());
        } else if (step instanceof PolicyStep.TimeRead read) {
            out.number(4);
            out.number(read.call());
            out.list(read.answers().now(), FrameCodec::answers);
            out.list(read.answers().remaining(), FrameCodec::answers);
        }
    }

    static PolicyStep step(FrameInput in) {
        int type = in.whole();
        return switch (type) {
            case 0 -> new PolicyStep.Taken(in.shared(FrameCodec::policy), in.flag());
            case 1 -> new PolicyStep.Vacant(in.text());
            case 2 -> new PolicyStep.CallFailed(in.whole(), in.text());
            case 3 -> new PolicyStep.Other(in.flag());
            case 4 ->
                new PolicyStep.TimeRead(
                        in.whole(), new TimeAnswers(in.list(FrameCodec::answers), in.list(FrameCodec::answers)));
            default -> throw new IllegalArgumentException("a step has type " + type);
        };
    }

    private static void answers(FrameOutput out, TimeAnswers.Run run) {
        out.number(run.millis());
        out.number(run.count());
    }

    private static TimeAnswers.Run answers(FrameInput in) {
        return new TimeAnswers.Run(in.number(), in.number());
    }

    private static void policy(FrameOutput out, FramedPolicy policy) {
        identity(out, policy.identity());
        out.number(policy.service());
        out.map(policy.configuration(), FrameOutput::text, FrameOutput::text);
        out.number(policy.seed());
        out.number(policy.deadlineMillis());
    }

    private static FramedPolicy policy(FrameInput in) {
        return new FramedPolicy(
                identity(in), in.number(), in.map(FrameInput::text, FrameInput::text), in.number(), in.number());
    }

    static void identity(FrameOutput out, PolicyIdentity identity) {
        out.shared(identity, (o, value) -> {
            o.word(value.kind());
            o.text(value.name());
            o.text(value.bundle());
            o.text(value.version());
            o.number(value.generation());
            o.number(value.configurationRevision());
        });
    }

    static PolicyIdentity identity(FrameInput in) {
        return in.shared(i ->
                new PolicyIdentity(i.word(PolicyKind.class), i.text(), i.text(), i.text(), i.number(), i.number()));
    }

    static void outcome(FrameOutput out, PlanOutcome outcome) {
        out.flag(outcome instanceof PlanOutcome.Planned);
        if (outcome instanceof PlanOutcome.Planned planned) {
            planned(out, planned);
        } else if (outcome instanceof PlanOutcome.NotDecided notDecided) {
            reason(out, notDecided.why());
        }
    }

    private static PlanOutcome outcome(FrameInput in) {
        return in.flag() ? planned(in) : new PlanOutcome.NotDecided(reason(in));
    }

    private static void planned(FrameOutput out, PlanOutcome.Planned planned) {
        out.number(planned.decision());
        out.number(planned.stateNumber());
        identity(out, planned.distribution());
        identity(out, planned.matching());
        PlacementRuns runs = planned.runs();
        out.number(runs.size());
        for (int run = 0; run < runs.size(); run++) {
            out.number(runs.unit(run));
            out.number(runs.group(run));
            out.number(runs.worker(run));
            out.number(runs.count(run));
            out.flag(runs.minimum(run));
        }
        out.list(planned.newWorkers(), (o, spec) -> o.number(spec));
        out.number(planned.firstNew());
        out.list(planned.reasons(), (o, one) -> {
            o.number(one.unit());
            reason(o, one.why());
        });
        out.list(planned.returns().giveBacks(), (o, one) -> {
            InputCodec.allocation(o, one.allocation());
            o.text(one.reason());
        });
        out.list(planned.returns().reclaims(), (o, one) -> {
            o.number(one.unit());
            o.number(one.group());
            o.number(one.count());
            o.text(one.reason());
        });
    }

    private static PlanOutcome planned(FrameInput in) {
        return new PlanOutcome.Planned(
                in.number(),
                in.number(),
                identity(in),
                identity(in),
                runs(in),
                in.list(FrameInput::whole),
                in.whole(),
                in.list(i -> new UnitReason(i.whole(), reason(i))),
                new Returns(
                        in.list(i -> new GiveBack(InputCodec.allocation(i), i.text())),
                        in.list(i -> new Reclaim(i.whole(), i.whole(), i.whole(), i.text()))));
    }

    private static PlacementRuns runs(FrameInput in) {
        PlacementRuns.Builder runs = new PlacementRuns.Builder();
        int count = in.count();
        for (int run = 0; run < count; run++) {
            runs.add(in.whole(), in.whole(), in.whole(), in.whole(), in.flag());
        }
        return runs.build();
    }

    static void reason(FrameOutput out, Reason reason) {
        out.word(reason.code());
        out.number(reason.count());
        out.text(reason.text());
        out.list(reason.causes(), FrameCodec::reason);
    }

    static Reason reason(FrameInput in) {
        return new Reason(in.word(ReasonCode.class), in.whole(), in.text(), in.list(FrameCodec::reason));
    }
}

package io.berth.core.policies.journal;

import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.api.policy.AssignmentQuery.Requirement;
import io.berth.core.api.policy.AssignmentQuery.Slot;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.policies.frame.AssignmentFrame;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;

/** Frames and outcomes of assignments as bytes; see {@link InputCodec} for how to add a field. */
final class AssignmentCodec {

    private AssignmentCodec() {}

    static void write(FrameOutput out, AssignmentFrame frame) {
        // First, for those who look for a decision without reading the others.
        out.fixed(frame.decision());
        StateCodec.time(out, frame.time());
        out.text(frame.zone());
        query(out, frame.query());
        out.list(frame.matching(), FrameCodec::step);
        outcome(out, frame.outcome());
        out.number(frame.micros());
    }

    static AssignmentFrame read(FrameInput in) {
        in.fixed();
        return new AssignmentFrame(
                StateCodec.time(in), in.text(), query(in), in.list(FrameCodec::step), outcome(in), in.number());
    }

    private static void query(FrameOutput out, AssignmentQuery query) {
        out.text(query.job().value());
        out.text(query.pool());
        out.word(query.rule());
        out.number(query.stateNumber());
        out.list(query.slots(), (o, slot) -> {
            InputCodec.allocation(o, slot.allocation());
            o.text(slot.worker().value());
            InputCodec.profile(o, slot.profile());
            o.number(slot.allocatedFor());
            o.flag(slot.defaultSlot());
            o.shared(slot.constraints(), InputCodec::constraints);
        });
        out.list(query.requirements(), (o, requirement) -> {
            o.text(requirement.unit());
            o.text(requirement.group());
            InputCodec.profile(o, requirement.profile());
            o.number(requirement.count());
            o.shared(requirement.constraints(), InputCodec::constraints);
        });
    }

    private static AssignmentQuery query(FrameInput in) {
        return new AssignmentQuery(
                new JobId(in.text()),
                in.text(),
                in.word(MatchingRule.class),
                in.number(),
                in.list(i -> new Slot(
                        InputCodec.allocation(i),
                        new WorkerId(i.text()),
                        InputCodec.profile(i),
                        i.whole(),
                        i.flag(),
                        i.shared(InputCodec::constraints))),
                in.list(i -> new Requirement(
                        i.text(), i.text(), InputCodec.profile(i), i.whole(), i.shared(InputCodec::constraints))));
    }

    static void outcome(FrameOutput out, AssignmentOutcome outcome) {
        out.flag(outcome instanceof AssignmentOutcome.Assigned);
        if (outcome instanceof AssignmentOutcome.Assigned assigned) {
            out.number(assigned.decision());
            FrameCodec.identity(out, assigned.matching());
            out.list(assigned.requirementOfSlot(), (o, requirement) -> o.number(requirement));
            FrameCodec.millis(out, assigned.reviewAfterMillis());
        } else if (outcome instanceof AssignmentOutcome.NotDecided notDecided) {
            FrameCodec.reason(out, notDecided.why());
        }
    }

    private static AssignmentOutcome outcome(FrameInput in) {
        return in.flag()
                ? new AssignmentOutcome.Assigned(
                        in.number(), FrameCodec.identity(in), in.list(FrameInput::whole), FrameCodec.millis(in))
                : new AssignmentOutcome.NotDecided(FrameCodec.reason(in));
    }
}

package io.berth.core.policies.journal;

import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.PlacementConstraints.LabelRule;
import io.berth.core.api.job.PlacementConstraints.Operator;
import io.berth.core.api.job.PlacementConstraints.Preference;
import io.berth.core.api.job.PlacementConstraints.Spread;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.api.policy.PlanningInput.SlotChange;
import io.berth.core.api.policy.PlanningInput.SlotChanges;
import io.berth.core.api.policy.PlanningInput.SlotColumn;
import io.berth.core.api.policy.PlanningInput.SpecColumn;
import io.berth.core.api.policy.PlanningInput.UnitChange;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.api.policy.PlanningInput.WorkerChange;
import io.berth.core.api.policy.PlanningInput.WorkerColumn;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Inputs of planners as bytes. A new field is one line in the method that writes and one in the method that reads, at
 * the same place, and another {@link JournalFormat#VERSION}.
 */
final class InputCodec {

    private InputCodec() {}

    static void write(FrameOutput out, PlanningInput input) {
        out.number(input.stateNumber());
        out.list(input.workers(), (o, change) -> {
            o.number(change.index());
            o.optional(change.worker(), InputCodec::worker);
        });
        out.list(input.units(), (o, change) -> {
            o.number(change.index());
            o.optional(change.unit(), InputCodec::unit);
        });
        out.shared(input.specs(), (o, specs) -> o.list(specs, InputCodec::spec));
        out.word(input.slots().listing());
        out.list(input.slots().changes(), (o, change) -> {
            allocation(o, change.allocation());
            o.optional(change.slot(), InputCodec::slot);
        });
    }

    static PlanningInput read(FrameInput in) {
        return new PlanningInput(
                in.number(),
                in.list(i -> new WorkerChange(i.whole(), i.optional(InputCodec::worker))),
                in.list(i -> new UnitChange(i.whole(), i.optional(InputCodec::unit))),
                in.shared(i -> i.list(InputCodec::spec)),
                new SlotChanges(
                        in.word(SlotChanges.Listing.class),
                        in.list(i -> new SlotChange(allocation(i), i.optional(InputCodec::slot)))));
    }

    static void worker(FrameOutput out, WorkerColumn worker) {
        out.text(worker.id().value());
        out.flag(worker.pending());
        profile(out, worker.total());
        profile(out, worker.free());
        profile(out, worker.defaultSlot());
        origin(out, worker.origin());
        labels(out, worker.labels());
        out.number(worker.startedMillis());
        out.number(worker.leavingMillis());
    }

    static WorkerColumn worker(FrameInput in) {
        return new WorkerColumn(
                        new WorkerId(in.text()),
                        in.flag(),
                        profile(in),
                        profile(in),
                        profile(in),
                        origin(in),
                        labels(in))
                .startedAt(in.number())
                .leavingAt(in.number());
    }

    static void unit(FrameOutput out, UnitDemand unit) {
        out.text(unit.job().value());
        out.text(unit.unit());
        out.number(unit.submissionIndex());
        out.shared(unit.attributes(), InputCodec::attributes);
        out.list(unit.groups(), InputCodec::group);
        out.flag(unit.returnable());
        FrameCodec.millis(out, unit.lastRescaleMillis());
    }

    static UnitDemand unit(FrameInput in) {
        return new UnitDemand(
                new JobId(in.text()),
                in.text(),
                in.number(),
                in.shared(InputCodec::attributes),
                in.list(InputCodec::group),
                in.flag(),
                FrameCodec.millis(in));
    }

    private static void attributes(FrameOutput out, SchedulingAttributes attributes) {
        out.text(attributes.pool());
        out.text(attributes.queue());
        out.text(attributes.submitter());
        out.number(attributes.priority());
        out.number(attributes.expectedRuntimeMillis());
        out.number(attributes.runtimeLearnedFrom());
        out.map(attributes.labels(), FrameOutput::text, FrameOutput::text);
    }

    private static SchedulingAttributes attributes(FrameInput in) {
        return new SchedulingAttributes(
                in.text(),
                in.text(),
                in.text(),
                in.whole(),
                in.number(),
                in.whole(),
                in.map(FrameInput::text, FrameInput::text));
    }

    private static void group(FrameOutput out, GroupDemand group) {
        out.text(group.group());
        profile(out, group.profile());
        out.number(group.minimum());
        out.number(group.desired());
        out.number(group.allocated());
        out.shared(group.constraints(), InputCodec::constraints);
        Set<String> former = new TreeSet<>();
        group.formerWorkers().forEach(worker -> former.add(worker.value()));
        out.list(former, FrameOutput::text);
        out.map(group.slotsOn(), (o, worker) -> o.number(worker), (o, count) -> o.number(count));
        out.number(group.returning());
    }

    private static GroupDemand group(FrameInput in) {
        return new GroupDemand(
                in.text(),
                profile(in),
                in.whole(),
                in.whole(),
                in.whole(),
                in.shared(InputCodec::constraints),
                in.list(FrameInput::text).stream().map(WorkerId::new).collect(Collectors.toSet()),
                in.map(FrameInput::whole, FrameInput::whole),
                in.whole());
    }

    static void constraints(FrameOutput out, PlacementConstraints constraints) {
        out.list(constraints.require(), InputCodec::rule);
        out.list(constraints.prefer(), (o, preference) -> {
            rule(o, preference.rule());
            o.number(preference.weight());
        });
        out.map(constraints.tolerate(), FrameOutput::text, FrameOutput::text);
        out.optional(constraints.spread(), (o, spread) -> {
            o.text(spread.label());
            o.number(spread.maxSkew());
        });
    }

    static PlacementConstraints constraints(FrameInput in) {
        return new PlacementConstraints(
                in.list(InputCodec::rule),
                in.list(i -> new Preference(rule(i), i.whole())),
                in.map(FrameInput::text, FrameInput::text),
                in.optional(i -> new Spread(i.text(), i.whole())));
    }

    private static void rule(FrameOutput out, LabelRule rule) {
        out.text(rule.key());
        out.word(rule.operator());
        out.list(rule.values(), FrameOutput::text);
    }

    private static LabelRule rule(FrameInput in) {
        return new LabelRule(in.text(), in.word(Operator.class), in.list(FrameInput::text));
    }

    static void spec(FrameOutput out, SpecColumn spec) {
        origin(out, spec.origin());
        profile(out, spec.total());
        profile(out, spec.defaultSlot());
        out.number(spec.left());
        labels(out, spec.labels());
        out.number(spec.startMillis());
    }

    static SpecColumn spec(FrameInput in) {
        return new SpecColumn(origin(in), profile(in), profile(in), in.whole(), labels(in), in.number());
    }

    static void slot(FrameOutput out, SlotColumn slot) {
        out.text(slot.job().value());
        out.text(slot.unit());
        out.text(slot.group());
        out.number(slot.worker());
        profile(out, slot.profile());
        out.number(slot.sinceMillis());
    }

    static SlotColumn slot(FrameInput in) {
        return new SlotColumn(new JobId(in.text()), in.text(), in.text(), in.whole(), profile(in), in.number());
    }

    static void allocation(FrameOutput out, AllocationId allocation) {
        out.number(allocation.epoch());
        out.number(allocation.number());
    }

    static AllocationId allocation(FrameInput in) {
        return new AllocationId(in.number(), in.number());
    }

    private static void origin(FrameOutput out, Origin origin) {
        out.shared(origin, (o, value) -> {
            o.text(value.backend());
            o.text(value.spec());
            o.real(value.costPerHour());
            o.flag(value.preemptible());
        });
    }

    private static Origin origin(FrameInput in) {
        return in.shared(i -> new Origin(i.text(), i.text(), i.real(), i.flag()));
    }

    private static void labels(FrameOutput out, WorkerLabels labels) {
        out.shared(labels, (o, value) -> {
            o.map(value.labels(), FrameOutput::text, FrameOutput::text);
            o.map(value.taints(), FrameOutput::text, FrameOutput::text);
        });
    }

    private static WorkerLabels labels(FrameInput in) {
        return in.shared(i ->
                new WorkerLabels(i.map(FrameInput::text, FrameInput::text), i.map(FrameInput::text, FrameInput::text)));
    }

    static void profile(FrameOutput out, ResourceProfile profile) {
        out.shared(profile, (o, value) -> {
            o.flag(value.isUnknown());
            if (!value.isUnknown()) {
                o.number(value.cpuMillis());
                o.number(value.heapBytes());
                o.number(value.offHeapBytes());
                o.number(value.managedBytes());
                o.map(value.extended(), FrameOutput::text, (to, amount) -> to.number(amount));
            }
        });
    }

    static ResourceProfile profile(FrameInput in) {
        return in.shared(i -> i.flag()
                ? ResourceProfile.UNKNOWN
                : new ResourceProfile(
                        i.number(), i.number(), i.number(), i.number(), i.map(FrameInput::text, FrameInput::number)));
    }
}

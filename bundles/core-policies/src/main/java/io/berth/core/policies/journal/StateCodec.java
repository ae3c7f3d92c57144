package io.berth.core.policies.journal;

import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.cache.PoolState;
import io.berth.core.policies.cache.PoolState.AllocationRow;
import io.berth.core.policies.cache.PoolState.LeftOut;
import io.berth.core.policies.cache.PoolState.Queues;
import io.berth.core.policies.cache.PoolState.UnitRow;
import io.berth.core.policies.cache.PoolState.Used;
import io.berth.core.policies.cache.PoolState.WorkerRow;
import io.berth.core.policies.frame.UseMoment;
import io.berth.core.policies.pools.PastUse;
import io.berth.spi.JobId;

/** States of pools as bytes; see {@link InputCodec} for how to add a field. */
final class StateCodec {

    private StateCodec() {}

    static void write(FrameOutput out, PoolState state) {
        out.number(state.stateNumber());
        out.list(state.dimensions(), FrameOutput::text);
        out.number(state.notOffered());
        out.list(state.workers(), (o, row) -> {
            o.number(row.index());
            o.number(row.revision());
            InputCodec.worker(o, row.worker());
        });
        out.list(state.specs(), InputCodec::spec);
        out.list(state.units(), (o, row) -> {
            o.number(row.index());
            o.number(row.arrivedMillis());
            o.number(row.sinceMillis());
            o.flag(row.hasMinimum());
            InputCodec.unit(o, row.unit());
        });
        out.list(state.allocations(), (o, row) -> {
            o.number(row.index());
            InputCodec.allocation(o, row.allocation());
            InputCodec.slot(o, row.slot());
        });
        queues(out, state.queues());
        out.list(state.leftOut(), (o, row) -> {
            o.text(row.job().value());
            o.text(row.unit());
            o.number(row.candidate());
            o.number(row.sinceNanos());
        });
    }

    static PoolState read(FrameInput in) {
        return new PoolState(
                in.number(),
                in.list(FrameInput::text),
                in.whole(),
                in.list(i -> new WorkerRow(i.whole(), i.whole(), InputCodec.worker(i))),
                in.list(InputCodec::spec),
                in.list(i -> new UnitRow(i.whole(), i.number(), i.number(), i.flag(), InputCodec.unit(i))),
                in.list(i -> new AllocationRow(i.whole(), InputCodec.allocation(i), InputCodec.slot(i))),
                queues(in),
                in.list(i -> new LeftOut(new JobId(i.text()), i.text(), i.number(), i.number())));
    }

    private static void queues(FrameOutput out, Queues queues) {
        SettingsCodec.write(out, queues.settings());
        out.number(queues.revision());
        out.flag(queues.begun());
        out.number(queues.nowMillis());
        out.map(queues.queues(), FrameOutput::text, StateCodec::used);
        out.map(queues.submitters(), FrameOutput::text, StateCodec::used);
        out.map(queues.former(), FrameOutput::text, StateCodec::used);
    }

    private static Queues queues(FrameInput in) {
        return new Queues(
                SettingsCodec.read(in),
                in.whole(),
                in.flag(),
                in.number(),
                in.map(FrameInput::text, StateCodec::used),
                in.map(FrameInput::text, StateCodec::used),
                in.map(FrameInput::text, StateCodec::used));
    }

    private static void used(FrameOutput out, Used used) {
        out.number(used.atMillis());
        out.list(used.past(), FrameOutput::real);
        out.map(used.notOffered(), FrameOutput::text, FrameOutput::real);
    }

    private static Used used(FrameInput in) {
        return new Used(in.number(), in.list(FrameInput::real), in.map(FrameInput::text, FrameInput::real));
    }

    static void time(FrameOutput out, DecisionTime time) {
        out.number(time.millis());
        out.number(time.wallMillis());
    }

    static DecisionTime time(FrameInput in) {
        return new DecisionTime(in.number(), in.number());
    }

    static void moment(FrameOutput out, UseMoment moment) {
        time(out, moment.time());
        out.optional(moment.restored(), StateCodec::past);
        out.number(moment.begunMillis());
    }

    static UseMoment moment(FrameInput in) {
        return new UseMoment(time(in), in.optional(StateCodec::past), in.number());
    }

    static void past(FrameOutput out, PastUse past) {
        out.number(past.wallMillis());
        out.list(past.dimensions(), FrameOutput::text);
        out.map(past.queues(), FrameOutput::text, StateCodec::use);
        out.map(past.submitters(), FrameOutput::text, StateCodec::use);
    }

    static PastUse past(FrameInput in) {
        return new PastUse(
                in.number(),
                in.list(FrameInput::text),
                in.map(FrameInput::text, StateCodec::use),
                in.map(FrameInput::text, StateCodec::use));
    }

    private static void use(FrameOutput out, PastUse.Use use) {
        out.number(use.past().length);
        for (int dimension = 0; dimension < use.past().length; dimension++) {
            out.real(use.past()[dimension]);
            out.number(use.now()[dimension]);
        }
    }

    private static PastUse.Use use(FrameInput in) {
        int dimensions = in.count();
        PastUse.Use use = new PastUse.Use(new double[dimensions], new long[dimensions]);
        for (int dimension = 0; dimension < dimensions; dimension++) {
            use.past()[dimension] = in.real();
            use.now()[dimension] = in.number();
        }
        return use;
    }
}

package io.berth.core.policies.decision;

import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.policies.cache.PoolState;
import io.berth.spi.JobId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Since when a strategy has left out minimums that fit, by unit. Confined to the main thread of the planner. */
public final class LeftOutUnits {

    private record Unit(JobId job, String unit) {}

    private record Since(long candidate, long nanos) {}

    private final Map<Unit, Since> since = new HashMap<>();
    /** When the decision looked at them. */
    private final Map<Unit, Long> ofDecision = new HashMap<>();

    /** All of them, in a defined order. */
    public List<PoolState.LeftOut> rows() {
        return since.entrySet().stream()
                .map(unit -> new PoolState.LeftOut(
                        unit.getKey().job(),
                        unit.getKey().unit(),
                        unit.getValue().candidate(),
                        unit.getValue().nanos()))
                .sorted(Comparator.comparing(
                                (PoolState.LeftOut row) -> row.job().value())
                        .thenComparing(PoolState.LeftOut::unit))
                .toList();
    }

    public void restore(List<PoolState.LeftOut> rows) {
        rows.forEach(row -> since.put(new Unit(row.job(), row.unit()), new Since(row.candidate(), row.sinceNanos())));
    }

    void begin() {
        ofDecision.clear();
    }

    /** The strategy leaves the unit out. Returns for how many nanoseconds it has done so. */
    long leftOut(UnitDemand demand, long candidate, long nowNanos) {
        Unit unit = new Unit(demand.job(), demand.unit());
        ofDecision.put(unit, nowNanos);
        return nowNanos
                - since.merge(
                                unit,
                                new Since(candidate, nowNanos),
                                (before, now) -> before.candidate() == candidate ? before : now)
                        .nanos();
    }

    /** The decision is final: forgets the units that it does not leave out. */
    void end() {
        since.keySet().retainAll(ofDecision.keySet());
    }

    /**
     * In how many nanoseconds the next unit reaches the limit. A unit that reached it after the decision looked at it
     * counts, with 0.
     */
    OptionalLong next(long limitNanos, long nowNanos) {
        if (since.isEmpty()) {
            return OptionalLong.empty();
        }
        return since.entrySet().stream()
                .filter(unit -> unit.getValue().nanos() + limitNanos > ofDecision.getOrDefault(unit.getKey(), nowNanos))
                .mapToLong(unit -> Math.max(0, unit.getValue().nanos() + limitNanos - nowNanos))
                .min();
    }
}

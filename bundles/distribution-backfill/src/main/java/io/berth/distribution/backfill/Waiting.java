package io.berth.distribution.backfill;

import io.berth.spi.JobId;
import io.berth.spi.distribution.DemandsView;
import java.util.Comparator;
import java.util.OptionalLong;

/** A unit that lacks slots. */
final class Waiting {

    static final Comparator<Waiting> BY_SUBMISSION = Comparator.<Waiting>comparingLong(one -> one.submissionIndex)
            .thenComparing(one -> one.job)
            .thenComparing(one -> one.name)
            .thenComparingInt(one -> one.unit);
    static final Comparator<Waiting> BY_RUNTIME =
            Comparator.<Waiting>comparingLong(one -> one.runMillis).thenComparing(BY_SUBMISSION);

    final int unit;
    final long submissionIndex;
    final JobId job;
    final String name;
    final long runMillis;
    /** Since when it has lacked a part of its minimum; empty when it has it. */
    final OptionalLong since;
    /** It has slots, but not its minimum. */
    final boolean started;
    /** Its slots have known sizes. */
    final boolean exact;
    /** What it lacks of its minimum, if sizes are known; they do not change while a session is open. */
    private final long[] need;

    Waiting(DemandsView demands, int unit, long runMillis) {
        this.unit = unit;
        this.runMillis = runMillis;
        submissionIndex = demands.submissionIndex(unit);
        job = demands.job(unit);
        name = demands.name(unit);
        boolean whole = true;
        boolean holds = false;
        boolean known = true;
        for (int group = 0; group < demands.groups(unit); group++) {
            whole &= demands.allocated(unit, group) >= demands.minimum(unit, group);
            holds |= demands.allocated(unit, group) > 0;
            known &= !demands.profile(unit, group).isUnknown();
        }
        since = whole
                ? OptionalLong.empty()
                : OptionalLong.of(demands.waitingSince(unit).orElse(demands.now()));
        started = holds && !whole;
        exact = known;
        need = new long[demands.dimensions()];
        if (exact) {
            countNeed(demands);
        }
    }

    boolean lacksMinimum() {
        return since.isPresent();
    }

    private void countNeed(DemandsView demands) {
        for (int dimension = 0; dimension < need.length; dimension++) {
            need[dimension] = 0;
            for (int group = 0; group < demands.groups(unit); group++) {
                long missing = (long) demands.minimum(unit, group) - demands.allocated(unit, group);
                if (missing > 0) {
                    need[dimension] += missing * demands.amount(unit, group, dimension);
                }
            }
        }
    }

    long[] need(DemandsView demands) {
        if (!exact) {
            countNeed(demands);
        }
        return need;
    }

    @Override
    public String toString() {
        return "unit " + name + " of job " + job;
    }
}

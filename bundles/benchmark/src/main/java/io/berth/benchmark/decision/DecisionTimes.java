package io.berth.benchmark.decision;

import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.time.Clock;
import io.berth.spi.ResourceProfile;
import java.util.Arrays;
import java.util.List;

/**
 * Makes decisions one after the other, each of which places one slot on a pool of idle workers, and keeps how long each
 * one took for its owner.
 */
public final class DecisionTimes {

    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1_000);

    private final Pool pool;
    private final Clock clock;
    private final int workers;
    private long[] nanos = new long[1_024];
    private int size;
    private int units;

    public DecisionTimes(Pool pool, Clock clock, int workers) {
        this.pool = pool;
        this.clock = clock;
        this.workers = workers;
    }

    /** Describes the workers. */
    public void begin() {
        for (int worker = 0; worker < workers; worker++) {
            describe(worker);
        }
        decide();
    }

    private void describe(int worker) {
        pool.worker(worker, SLOT.times(10), SLOT.times(10), SLOT);
    }

    private long decide() {
        int unit = units++ % 2;
        pool.noUnit(1 - unit);
        pool.unit(unit, List.of(new GroupDemand("group", SLOT, 0, 1, 0)));
        describe(units % workers);
        var input = pool.input();
        long begun = clock.nanos();
        pool.plan(input);
        return clock.nanos() - begun;
    }

    /** Decisions whose times are not kept. */
    public void warm(int decisions) {
        for (int made = 0; made < decisions; made++) {
            decide();
        }
    }

    /** Decisions whose times are not kept, one after the other until the time is over. */
    public void settle(long nanos) {
        long begun = clock.nanos();
        do {
            decide();
        } while (clock.nanos() - begun < nanos);
    }

    /** @return how long they took, one after the other */
    public long[] take(int decisions) {
        size = 0;
        nanos = Arrays.copyOf(nanos, decisions);
        while (size < decisions) {
            nanos[size++] = decide();
        }
        return nanos.clone();
    }
}

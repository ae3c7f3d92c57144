package io.berth.policy.rules.placement;

import java.util.Arrays;

/** How many slots of each kind fit what a plan leaves of the workers and of those that may still be started. */
public final class RoomLeft {

    private static final long NOT_COUNTED = -1;

    private final CheckedWorkers workers;
    private final PlacementResult plan;
    private final RemainingCapacity rest;
    private final long[] counted;

    /** @param rest what the plan leaves of the workers; must not change meanwhile */
    public RoomLeft(CheckedWorkers workers, PlacementResult plan, RemainingCapacity rest) {
        this.workers = workers;
        this.plan = plan;
        this.rest = rest;
        this.counted = new long[plan.kinds()];
        Arrays.fill(counted, NOT_COUNTED);
    }

    /** Scans all workers once for each kind. */
    public long of(int kind) {
        if (counted[kind] == NOT_COUNTED) {
            counted[kind] = count(kind);
        }
        return counted[kind];
    }

    private long count(int kind) {
        long room = 0;
        for (int worker = 0; worker < plan.firstNew() + plan.openedCount(); worker++) {
            if (worker >= plan.firstNew() || workers.present(worker)) {
                room += plan.quotient(kind, worker, rest, rest.row(worker));
            }
        }
        for (int spec = 0; spec < workers.specs(); spec++) {
            int left = workers.specLeft(spec) - plan.openedOfSpec(spec);
            room += (long) left * plan.quotientOnSpec(kind, spec);
        }
        return room;
    }
}

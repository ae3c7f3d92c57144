package io.berth.core.scheduler;

import io.berth.core.api.gateway.JobMasterGateway.LeavingWorker;
import io.berth.core.api.time.Clock;
import io.berth.core.scheduler.execution.ExecutionGraph;
import io.berth.core.scheduler.peers.Departures;
import io.berth.core.scheduler.slotpool.SlotPool;
import io.berth.core.scheduler.states.Move;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/** What a job still has on workers that leave. Confined to the main thread of the job. */
final class Moves {

    private final SlotPool pool;
    private final Departures departures;

    Moves(SlotPool pool, Clock clock) {
        this.pool = pool;
        this.departures = new Departures(clock);
    }

    /** These workers leave, and no others. Returns their ids. */
    SortedSet<WorkerId> follow(List<LeavingWorker> leaving) {
        departures.follow(leaving);
        return departures.workers();
    }

    /** How far the execution is in moving; empty when it uses no worker that leaves. */
    Optional<Move> of(ExecutionGraph execution) {
        SortedSet<WorkerId> workers = pool.moving();
        return workers.isEmpty()
                ? Optional.empty()
                : Optional.of(new Move(
                        pool.isReplaced(execution.allocations()),
                        departures.millisLeft(workers),
                        departures.describe(workers)));
    }
}

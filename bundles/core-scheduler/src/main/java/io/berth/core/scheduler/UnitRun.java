package io.berth.core.scheduler;

import io.berth.core.api.gateway.JobMasterGateway.LeavingWorker;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.scheduler.job.JobIdentity;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import io.berth.core.scheduler.peers.ResourceManagerConnection;
import io.berth.core.scheduler.slotpool.SlotPool;
import io.berth.core.scheduler.states.ScalingDecisions;
import io.berth.spi.WorkerId;
import java.util.List;

/** One run of a unit: its slots, its scaling decisions and its scheduler. Confined to the main thread of the job. */
final class UnitRun {

    /** What all units of a job share. */
    record Shared(
            SchedulerConfiguration configuration,
            Clock clock,
            MainThread thread,
            PolicyHost policies,
            ResourceManagerConnection resourceManager,
            Results results) {}

    private final SlotPool pool;
    private final Moves moves;
    private final ScalingDecisions decisions;
    private final Scheduler scheduler;

    UnitRun(JobIdentity unit, UnitRecord record, Shared shared) {
        pool = new SlotPool(unit, shared.thread(), shared.clock(), shared.policies(), shared.configuration());
        moves = new Moves(pool, shared.clock());
        decisions = new ScalingDecisions(
                shared.thread(), changed -> shared.policies().openScaling(unit.graph(), changed));
        scheduler = new Scheduler(new Scheduler.Parts(
                unit,
                shared.configuration(),
                shared.clock(),
                shared.thread(),
                record,
                shared.results(),
                pool,
                moves,
                shared.resourceManager(),
                decisions));
        pool.listen(scheduler.events());
    }

    SlotPool pool() {
        return pool;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    /** Asks for scaling decisions from now on. */
    void open() {
        decisions.open(scheduler::policiesChanged);
    }

    /** What is known of the workers before the run starts. */
    void follow(MatchingRule rule, List<WorkerId> blocked, List<LeavingWorker> leaving) {
        pool.follow(rule);
        pool.block(blocked);
        pool.leave(moves.follow(leaving));
    }

    /** Other workers are blocked, or leave. */
    void workersChanged(List<WorkerId> blocked, List<LeavingWorker> leaving) {
        scheduler.returns().blocked(blocked, moves.follow(leaving));
    }

    /** Whether its scheduler has not ended. */
    boolean isRunning() {
        return !scheduler.state().status().isTerminal();
    }

    /** The unit has ended, and the job goes on: returns the slots. */
    void end(String cause) {
        scheduler.returns().all(cause);
        close();
    }

    /** Forgets the slots, and asks for nothing any more. */
    void close() {
        try {
            decisions.close();
        } finally {
            pool.close();
        }
    }
}

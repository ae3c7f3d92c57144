package io.berth.core.resources.planning;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.job.Reason;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.policy.PoolDefinition;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.resources.backends.WorkerDemand;
import io.berth.core.resources.blocklist.BlockList;
import io.berth.core.resources.explanation.Explanations;
import io.berth.core.resources.explanation.JobRooms;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.resources.state.Allocations;
import io.berth.core.resources.state.Changes;
import io.berth.core.resources.state.Changes.Change;
import io.berth.core.resources.state.RequirementLedger;
import io.berth.core.resources.state.WorkerRegistry;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Allocates slots of workers to the requirements of jobs (FLIP-138, "SlotManager"), for each pool by itself. Confined
 * to the main thread of the ResourceManager.
 */
public final class SlotManager {

    private final MainThread mainThread;
    private final Changes changes;
    private final Supplier<ResourceSettings> settings;
    private final Explanations explanations;
    private final PlanningParts parts;
    /** Changed on the main thread only; {@link #end} reads it after the main thread is closed. */
    private volatile SortedMap<String, PoolPlanning> pools = new TreeMap<>();

    private boolean recovering;

    public SlotManager(
            ResourceManagerId id,
            MainThread mainThread,
            Clock clock,
            PolicyHost policies,
            Supplier<ResourceSettings> settings,
            WorkerRegistry workers,
            RequirementLedger ledger,
            Allocations allocations,
            Changes changes,
            WorkerDemand backends,
            BlockList blockList,
            Executor analyses) {
        this.mainThread = mainThread;
        this.changes = changes;
        this.settings = settings;
        this.explanations = new Explanations(id, mainThread, analyses, clock, workers, ledger, backends);
        this.parts = new PlanningParts(
                id,
                mainThread,
                clock,
                policies,
                settings,
                workers,
                ledger,
                allocations,
                changes,
                backends,
                explanations,
                new SlotCalls(id, mainThread, clock, settings, workers, allocations, blockList),
                new ReturnRequests(id, mainThread, settings, ledger, allocations),
                new PlanNumbers(id));
    }

    /**
     * Opens the planners of the pools that there are now, and closes those of pools that are gone. Opens another one for
     * a pool whose matching rule changed.
     */
    public void open() {
        mainThread.assertCurrent();
        parts.backends().pools(parts.policies().poolDefinitions());
        SortedMap<String, PoolPlanning> now = new TreeMap<>();
        for (PoolDefinition pool : parts.backends().pools()) {
            PoolPlanning there = pools.get(pool.name());
            now.put(pool.name(), there == null ? new PoolPlanning(pool.name(), parts, () -> recovering) : there);
        }
        pools.forEach((name, there) -> {
            if (!now.containsKey(name)) {
                there.close();
            }
        });
        pools = now;
        explanations.pools(now.keySet());
        parts.workers()
                .membership(labels -> PoolDefinition.of(labels, parts.backends().pools()));
        parts.backends().reports().withdrawBeyondPools();
        now.forEach((name, pool) -> pool.open(rule(name)));
        changes.mark(Change.POLICY);
        changes.mark(Change.REASONS);
    }

    /** The matching rule of a pool: its own, or the common one. A pool that does not exist has the common one. */
    public MatchingRule rule(String pool) {
        return parts.backends()
                .pool(pool)
                .flatMap(PoolDefinition::rule)
                .orElseGet(() -> settings.get().matchingRule());
    }

    /** How many more slots jobs could get. */
    public JobRooms rooms() {
        return explanations.rooms(
                (pool, queue) -> Optional.ofNullable(pools.get(pool)).flatMap(planning -> planning.queueRoom(queue)));
    }

    /** Something of the previous ResourceManager is missing. Nothing is planned until {@link #recovered}. */
    public void recover(Reason why) {
        mainThread.assertCurrent();
        recovering = true;
        explanations.recovering(Optional.of(why));
    }

    /** Ends recovery: requirements are planned from now on. */
    public void recovered() {
        mainThread.assertCurrent();
        recovering = false;
        // JobMasters had to keep the lists of the previous ResourceManager until now.
        changes.mark(Change.BLOCKS);
        explanations.recovering(Optional.empty());
        pools.values().forEach(PoolPlanning::recovered);
    }

    public boolean isRecovering() {
        return recovering;
    }

    /** The start-up period is over: jobs are notified of shortages. */
    public void explainShortages() {
        mainThread.assertCurrent();
        explanations.open();
    }

    public void close() {
        mainThread.assertCurrent();
        pools.values().forEach(PoolPlanning::close);
    }

    /** Closes the planners after the main thread was closed. Thread-safe. */
    public void end() {
        pools.values().forEach(PoolPlanning::end);
    }

    /** Acts on changes: each pool in which something changed plans at once, after the check delay, or not at all. */
    public void changed(Set<Change> now) {
        mainThread.assertCurrent();
        boolean due =
                now.contains(Change.AWAITED_WORKER) || now.contains(Change.POLICY) || now.contains(Change.CLUSTER);
        if (now.contains(Change.REASONS) || due && recovering) {
            explanations.request();
        }
        boolean one = pools.size() == 1;
        // A pool that asks for fewer workers leaves more to others.
        boolean shared = !one && now.contains(Change.DEMAND);
        if (!due && !shared) {
            return;
        }
        if (now.contains(Change.POLICY)) {
            pools.values().forEach(PoolPlanning::force);
        }
        for (PoolPlanning pool : pools.values()) {
            if (one || due && pool.hasChanges() || pool.mayStartMore()) {
                pool.changed();
            }
        }
    }
}

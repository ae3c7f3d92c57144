package io.berth.benchmark.churn;

import io.berth.benchmark.decision.Plans;
import io.berth.benchmark.decision.Pool;
import io.berth.benchmark.measure.Measuring;
import io.berth.benchmark.workload.SplitMix;
import io.berth.benchmark.workload.Workload;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import java.util.ArrayList;
import java.util.List;

/**
 * Frees slots on a full cluster and places them again, some in each decision, through the policy host. Before each
 * decision of a run, randomly drawn requests lose their slots; the decision gives them others. A run includes the work
 * of the owner to describe its changes. Each run starts from the state that the previous one left.
 */
public final class ChurnDecisions implements Measuring.Subject {

    private final Workload workload;
    private final Pool pool;
    private final Occupancy occupancy;
    private final int decisions;
    private final int changes;
    private final SplitMix random = new SplitMix(99);
    private final int[][] counts;
    /** The last demand of each job for slots of each profile. */
    private final GroupDemand[][] demands;
    /** Profiles of the groups of each job. */
    private final List<List<Integer>> profiles = new ArrayList<>();

    /**
     * @param decisions of a run
     * @param changes number of slots that are freed before each decision
     */
    public ChurnDecisions(Workload workload, Pool pool, int decisions, int changes) {
        this.workload = workload;
        this.pool = pool;
        this.decisions = decisions;
        this.changes = changes;
        this.occupancy = new Occupancy(workload);
        this.counts = workload.counts();
        this.demands = new GroupDemand[counts.length][workload.profiles()];
        for (int[] ofJob : counts) {
            List<Integer> wanted = new ArrayList<>();
            for (int profile = 0; profile < ofJob.length; profile++) {
                if (ofJob[profile] > 0) {
                    wanted.add(profile);
                }
            }
            profiles.add(wanted);
        }
        decide();
    }

    private void decide() {
        for (int worker : occupancy.takeChangedWorkers()) {
            pool.worker(worker, workload.worker(), occupancy.freeOf(worker), workload.defaultSlot());
        }
        int lastJob = -1;
        for (int changed : occupancy.takeChangedDemands()) {
            int job = changed / workload.profiles();
            if (job != lastJob) {
                pool.unit(job, demand(job));
                lastJob = job;
            }
        }
        Plans.forEach(
                pool.plan(pool.input()),
                (job, group, worker, count) ->
                        occupancy.place(job, profiles.get(job).get(group), worker, count));
    }

    /** Groups that did not change are the same objects, as in the inputs of a ResourceManager. */
    private List<GroupDemand> demand(int job) {
        List<GroupDemand> groups = new ArrayList<>(profiles.get(job).size());
        for (int profile : profiles.get(job)) {
            int placed = occupancy.placed(job, profile);
            GroupDemand known = demands[job][profile];
            if (known == null || known.allocated() != placed) {
                known = new GroupDemand("group-" + profile, workload.profile(profile), 0, counts[job][profile], placed);
                demands[job][profile] = known;
            }
            groups.add(known);
        }
        return groups;
    }

    @Override
    public void restore() {
        // The cluster stays as full as it is.
    }

    @Override
    public void run() {
        for (int decision = 0; decision < decisions; decision++) {
            freeSome(occupancy, workload, random, changes);
            decide();
        }
    }

    /** Frees slots of randomly drawn requests; fewer when hardly any request has one. */
    static void freeSome(Occupancy occupancy, Workload workload, SplitMix random, int changes) {
        int freed = 0;
        for (int drawn = 0; freed < changes && drawn < 20 * changes; drawn++) {
            int request = random.next(workload.requests());
            if (occupancy.hasSlot(request)) {
                occupancy.end(request);
                freed++;
            }
        }
    }

    public int unplaced() {
        return occupancy.missing();
    }
}

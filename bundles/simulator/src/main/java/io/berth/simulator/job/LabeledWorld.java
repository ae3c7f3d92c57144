package io.berth.simulator.job;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.PlacementConstraints.LabelRule;
import io.berth.core.api.job.PlacementConstraints.Operator;
import io.berth.core.api.job.PlacementConstraints.Preference;
import io.berth.core.api.job.PlacementConstraints.Spread;
import io.berth.core.api.job.WorkerLabels;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * The labels of workers and the constraints of jobs in one of six seeds. Workers are in two zones, and each fourth
 * standalone worker has a taint. In the other seeds, nothing is labeled but what the pools select, and every worker of
 * the pool will do.
 */
public final class LabeledWorld {

    public static final String ZONE = "zone";
    private static final String TAINT = "spare";
    private static final int EACH = 6;
    private static final int REST = 3;
    private static final int ZONES = 2;
    private static final int TAINTED = 4;

    private final boolean labeled;
    private final PooledWorld pools;

    private LabeledWorld(boolean labeled, PooledWorld pools) {
        this.labeled = labeled;
        this.pools = pools;
    }

    /**
     * What a seed has.
     *
     * @param pools whose labels workers have too
     */
    public static LabeledWorld of(long seed, PooledWorld pools) {
        return new LabeledWorld(Math.floorMod(seed, EACH) == REST, pools);
    }

    /** What a standalone worker has when it starts. */
    public WorkerLabels standalone(int number) {
        if (!labeled) {
            return pools.standalone(number, WorkerLabels.NONE);
        }
        Map<String, String> taints = number % TAINTED == 0 ? Map.of(TAINT, "yes") : Map.of();
        return pools.standalone(
                number, new WorkerLabels(new TreeMap<>(Map.of(ZONE, zone(number % ZONES))), new TreeMap<>(taints)));
    }

    /** What a worker that a backend starts has. */
    public WorkerLabels started() {
        return pools.started(labeled ? WorkerLabels.of(new TreeMap<>(Map.of(ZONE, zone(0)))) : WorkerLabels.NONE);
    }

    /** The job with constraints, the same for all of its groups. */
    JobGraph constrained(JobGraph job, RandomGenerator random) {
        if (!labeled) {
            return job;
        }
        PlacementConstraints constraints = drawn(random);
        return new JobGraph(
                job.id(),
                job.name(),
                job.submissionIndex(),
                job.attributes(),
                job.policies(),
                job.bundles(),
                job.vertices(),
                job.edges(),
                job.groups().stream()
                        .map(group -> new SlotSharingGroup(group.name(), group.profile(), constraints))
                        .toList());
    }

    private static PlacementConstraints drawn(RandomGenerator random) {
        LabelRule anyZone = new LabelRule(ZONE, Operator.EXISTS, List.of());
        LabelRule zone = new LabelRule(ZONE, Operator.IN, List.of(zone(random.nextInt(ZONES))));
        TreeMap<String, String> tolerant = new TreeMap<>(Map.of(TAINT, ""));
        return switch (random.nextInt(6)) {
            case 0 -> new PlacementConstraints(List.of(zone), List.of(), new TreeMap<>());
            case 1 ->
                new PlacementConstraints(
                        List.of(new LabelRule(ZONE, Operator.NOT_IN, zone.values())), List.of(), tolerant);
            case 2 -> new PlacementConstraints(List.of(), List.of(), tolerant);
            case 3 ->
                new PlacementConstraints(
                        List.of(), List.of(), tolerant, Optional.of(new Spread(ZONE, 1 + random.nextInt(2))));
            case 4 -> new PlacementConstraints(List.of(anyZone), List.of(new Preference(zone, 10)), new TreeMap<>());
            default -> PlacementConstraints.NONE;
        };
    }

    private static String zone(int number) {
        return "z" + number;
    }
}

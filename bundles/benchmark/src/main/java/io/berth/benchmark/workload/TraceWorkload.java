package io.berth.benchmark.workload;

import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.simulator.traces.Models;
import io.berth.simulator.traces.Node;
import io.berth.simulator.traces.Read;
import io.berth.simulator.traces.TraceJob;
import io.berth.simulator.traces.TraceJob.Demand;
import io.berth.simulator.traces.TraceReader;
import io.berth.spi.ResourceProfile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;

/**
 * The nodes of one file as idle workers, and the slots of all jobs of another file, all at once. Times, users and
 * queues in the files are ignored. A job has a group for each slot size.
 *
 * @param totals of the nodes, in the order of their file
 * @param demands of the jobs, in the order of their file
 * @param requests slots of all jobs
 * @param profiles number of slot sizes
 * @param nodeHoles information that the file of nodes lacks, with counts
 * @param jobHoles information that the file of jobs lacks, with counts
 */
public record TraceWorkload(
        List<ResourceProfile> totals,
        List<List<GroupDemand>> demands,
        int requests,
        int profiles,
        SortedMap<String, Long> nodeHoles,
        SortedMap<String, Long> jobHoles)
        implements Instance {

    public TraceWorkload {
        totals = List.copyOf(totals);
        demands = List.copyOf(demands);
    }

    /**
     * @param limit maximum number of slots; the first ones are used, so the last job may get fewer than it requests
     * @throws io.berth.simulator.traces.BadTrace when a file is wrong
     * @throws IllegalArgumentException when the files do not fit together
     */
    public static TraceWorkload read(Path nodes, Path jobs, int limit) {
        Read<Node> cluster = TraceReader.nodes(nodes, TraceReader.AUTO);
        // A job has at least one slot.
        Read<TraceJob> wanted = TraceReader.jobs(jobs, TraceReader.AUTO, OptionalInt.empty(), limit);
        List<List<GroupDemand>> demands = new ArrayList<>();
        int taken = 0;
        for (TraceJob job : wanted.items()) {
            List<GroupDemand> groups = new ArrayList<>();
            for (Demand demand : job.demands()) {
                int count = Math.min(demand.count(), limit - taken);
                if (count > 0) {
                    groups.add(new GroupDemand("group-" + groups.size(), demand.profile(), 0, count, 0));
                    taken += count;
                }
            }
            if (!groups.isEmpty()) {
                demands.add(List.copyOf(groups));
            }
        }
        List<ResourceProfile> totals = Models.on(cluster.items(), wanted.items()).stream()
                .map(Node::total)
                .toList();
        int profiles = (int) demands.stream()
                .flatMap(List::stream)
                .map(GroupDemand::profile)
                .distinct()
                .count();
        return new TraceWorkload(totals, demands, taken, profiles, cluster.holes(), wanted.holes());
    }

    public int jobs() {
        return demands.size();
    }

    @Override
    public int workers() {
        return totals.size();
    }

    @Override
    public ResourceProfile worker(int worker) {
        return totals.get(worker);
    }

    /** The whole worker; no trace has a requirement without a size. */
    @Override
    public ResourceProfile defaultSlot(int worker) {
        return totals.get(worker);
    }

    @Override
    public int lowerBound() {
        return VolumeBound.of(totals, demands.stream().flatMap(List::stream).toList());
    }
}

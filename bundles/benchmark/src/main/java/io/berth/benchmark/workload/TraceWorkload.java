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
 * The nodes of a file as idle workers, and the slots of all jobs of another, which are all there at once: what the files say
 * of times, users and queues is not looked at. A job has a group for each size of its slots.
 *
 * @param totals of the nodes, in the order of their file
 * @param demands of the jobs, in the order of theirs
 * @param requests slots of all jobs
 * @param profiles how many sizes of slots there are
 * @param nodeHoles what the file of nodes does not tell, how often
 * @param jobHoles the same of the jobs
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
     * @param limit of slots, of which the first are taken; the last job may get fewer than it wants
     * @throws io.berth.simulator.traces.BadTrace when a file is wrong
     * @throws IllegalArgumentException when the files do not go together
     */
    public static TraceWorkload read(Path nodes, Path jobs, int limit) {
        Read<Node> cluster = TraceReader.nodes(nodes, TraceReader.AUTO);
        // A job has a slot at least.
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

    /** All of it; no trace has an unknown need. */
    @Override
    public ResourceProfile defaultSlot(int worker) {
        return totals.get(worker);
    }

    @Override
    public int lowerBound() {
        return VolumeBound.of(totals, demands.stream().flatMap(List::stream).toList());
    }
}

package io.berth.simulator.replay.cluster;

import io.berth.simulator.traces.Models;
import io.berth.simulator.traces.Node;
import io.berth.simulator.traces.TraceJob;
import io.berth.simulator.traces.TraceJob.Demand;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Amounts of resources as columns: cpu (thousandths), memory (bytes), then the extended resources by name. */
public final class Dimensions {

    public static final int CPU = 0;
    public static final int MEMORY = 1;
    private static final int FIRST_EXTENDED = 2;

    private final List<String> extended;

    private Dimensions(SortedSet<String> extended) {
        this.extended = List.copyOf(extended);
    }

    /** The dimensions of all that nodes have and jobs request. */
    public static Dimensions of(List<Node> nodes, List<TraceJob> jobs) {
        SortedSet<String> names = new TreeSet<>();
        nodes.forEach(node -> names.addAll(node.total().extended().keySet()));
        for (TraceJob job : jobs) {
            for (Demand demand : job.demands()) {
                names.addAll(demand.profile().extended().keySet());
            }
        }
        return new Dimensions(names);
    }

    public int size() {
        return FIRST_EXTENDED + extended.size();
    }

    public String name(int dimension) {
        return switch (dimension) {
            case CPU -> "cpu";
            case MEMORY -> "memory";
            default -> extended.get(dimension - FIRST_EXTENDED);
        };
    }

    /** The dimensions that reports show. */
    public List<Integer> reported() {
        List<Integer> reported = new ArrayList<>();
        for (int dimension = 0; dimension < size(); dimension++) {
            if (!Models.isOfModels(name(dimension))) {
                reported.add(dimension);
            }
        }
        return reported;
    }

    /** The extended resources among {@link #reported}. */
    public List<Integer> reportedExtended() {
        return reported().stream()
                .filter(dimension -> dimension >= FIRST_EXTENDED)
                .toList();
    }

    public long[] amounts(ResourceProfile profile) {
        long[] amounts = new long[size()];
        amounts[CPU] = profile.cpuMillis();
        amounts[MEMORY] = profile.heapBytes();
        for (int index = 0; index < extended.size(); index++) {
            amounts[FIRST_EXTENDED + index] = profile.extended().getOrDefault(extended.get(index), 0L);
        }
        return amounts;
    }
}

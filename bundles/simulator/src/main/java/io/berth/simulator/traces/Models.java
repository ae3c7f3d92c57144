package io.berth.simulator.traces;

import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Resources of certain models only. A job that needs {@code gpu} on nodes of model A or B additionally requests {@code
 * gpu:A|B}. Only these nodes have it, as much as {@code gpu}. So strategies that do not know models still respect
 * them.
 */
public final class Models {

    private static final char OF = ':';
    private static final String OR = "|";
    /** The ResourceManager rejects a worker with more. */
    static final int MAX_RESOURCES = 32;

    private Models() {}

    static String named(String resource, SortedSet<String> models) {
        return resource + OF + String.join(OR, models);
    }

    /** Whether the resource only restricts another one to certain nodes. */
    public static boolean isOfModels(String resource) {
        return resource.indexOf(OF) >= 0;
    }

    /**
     * Adds the resources of models that the jobs request to the nodes.
     *
     * @throws IllegalArgumentException when the sets of models are too many
     */
    public static List<Node> on(List<Node> nodes, List<TraceJob> jobs) {
        SortedSet<String> asked = new TreeSet<>();
        jobs.forEach(job -> job.demands()
                .forEach(demand -> demand.profile().extended().keySet().stream()
                        .filter(Models::isOfModels)
                        .forEach(asked::add)));
        if (asked.isEmpty()) {
            return nodes;
        }
        List<Node> with = new ArrayList<>(nodes.size());
        for (Node node : nodes) {
            SortedMap<String, Long> extended = new TreeMap<>(node.total().extended());
            for (String resource : asked) {
                int of = resource.indexOf(OF);
                long amount = extended.getOrDefault(resource.substring(0, of), 0L);
                if (amount > 0
                        && List.of(resource.substring(of + 1).split("\\|")).contains(node.model())) {
                    extended.put(resource, amount);
                }
            }
            if (extended.size() > MAX_RESOURCES) {
                throw new IllegalArgumentException("node " + node.name() + " would have " + extended.size()
                        + " resources for the sets of models that the jobs request: allowed are " + MAX_RESOURCES);
            }
            ResourceProfile total = node.total();
            with.add(new Node(
                    node.name(),
                    node.model(),
                    new ResourceProfile(
                            total.cpuMillis(),
                            total.heapBytes(),
                            total.offHeapBytes(),
                            total.managedBytes(),
                            extended)));
        }
        return with;
    }
}

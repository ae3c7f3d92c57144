package io.berth.simulator.replay;

import io.berth.simulator.traces.Models;
import io.berth.simulator.traces.Node;
import io.berth.simulator.traces.Outage;
import io.berth.simulator.traces.Read;
import io.berth.simulator.traces.TraceJob;
import io.berth.simulator.traces.TraceReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The traces of a replay, combined.
 *
 * @param formats of the files, by what they contain
 * @param holes what is missing or was left out, by what the files contain
 */
record Scenario(ReplayInput input, Map<String, String> formats, Map<String, SortedMap<String, Long>> holes) {

    /**
     * @throws io.berth.simulator.traces.BadTrace when a trace is wrong
     * @throws IllegalArgumentException when options and traces do not fit together
     */
    static Scenario read(ReplayOptions options) {
        Read<Node> nodes = TraceReader.nodes(options.nodes(), options.nodesFormat());
        Read<TraceJob> jobs =
                TraceReader.jobs(options.jobs(), options.jobsFormat(), options.slotCpus(), options.limit());
        List<TraceJob> ordered = new ArrayList<>(options.pack() ? packed(jobs.items()) : jobs.items());
        ordered.sort(Comparator.comparingLong(TraceJob::arrivalMillis));
        Map<String, String> formats = new LinkedHashMap<>();
        Map<String, SortedMap<String, Long>> holes = new LinkedHashMap<>();
        formats.put("nodes", nodes.format());
        formats.put("jobs", jobs.format());
        holes.put("nodes", nodes.holes());
        holes.put("jobs", jobs.holes());
        List<Outage> outages = List.of();
        if (options.outages().isPresent()) {
            Read<Outage> read = TraceReader.outages(
                    options.outages().get(),
                    options.outagesFormat(),
                    options.outagesSystem(),
                    nodes.items(),
                    ordered.get(0).arrivalMillis());
            formats.put("outages", read.format());
            SortedMap<String, Long> found = new TreeMap<>(read.holes());
            outages = apart(read.items(), ordered.get(0).arrivalMillis(), found);
            holes.put("outages", found);
        }
        return new Scenario(
                new ReplayInput(
                        Models.on(nodes.items(), ordered),
                        ordered,
                        outages,
                        options.elastic(),
                        options.moveSeconds(),
                        options.pool()),
                formats,
                holes);
    }

    /** The same jobs, one each second, which stay. */
    private static List<TraceJob> packed(List<TraceJob> jobs) {
        List<TraceJob> packed = new ArrayList<>(jobs.size());
        for (TraceJob job : jobs) {
            packed.add(new TraceJob(
                            job.name(),
                            packed.size() * 1_000L,
                            OptionalLong.empty(),
                            job.demands(),
                            job.user(),
                            job.queue())
                    .expecting(job.expectedMillis()));
        }
        return packed;
    }

    /**
     * Joins outages of one node that touch each other, and drops those that end before the first job arrives.
     *
     * @param holes counts them
     */
    static List<Outage> apart(List<Outage> outages, long firstMillis, SortedMap<String, Long> holes) {
        SortedMap<Integer, List<Outage>> byNode = new TreeMap<>();
        for (Outage outage : outages) {
            if (outage.upMillis() <= firstMillis) {
                holes.merge("outages before the first arrival, left out", 1L, Long::sum);
            } else {
                byNode.computeIfAbsent(outage.node(), node -> new ArrayList<>()).add(outage);
            }
        }
        List<Outage> apart = new ArrayList<>();
        byNode.forEach((node, of) -> {
            of.sort(Comparator.comparingLong(Outage::downMillis));
            int before = apart.size();
            for (Outage outage : of) {
                int last = apart.size() - 1;
                if (last >= before && outage.downMillis() <= apart.get(last).upMillis()) {
                    holes.merge("overlapping outages of a node, merged", 1L, Long::sum);
                    apart.set(
                            last,
                            new Outage(
                                    node,
                                    apart.get(last).downMillis(),
                                    Math.max(apart.get(last).upMillis(), outage.upMillis())));
                } else {
                    apart.add(outage);
                }
            }
        });
        return apart;
    }
}

package io.berth.simulator.traces;

import io.berth.simulator.traces.TraceJob.Demand;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The node and pod lists of a GPU cluster that the Kubernetes scheduler simulator "openb" uses
 * (cluster-trace-gpu-v2023 of Alibaba). A pod is a job of one slot. The resource {@code gpu} is in thousandths of a
 * GPU.
 */
final class Openb {

    static final String NAME = "openb";
    static final String GPU = "gpu";
    static final List<String> NODES = List.of("sn", "cpu_milli", "memory_mib", "gpu", "model");
    static final List<String> PODS = List.of("name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli");

    private static final List<String> TIMES = List.of("creation_time", "deletion_time", "scheduled_time");
    private static final long MAX_CPU_MILLIS = 1_000_000_000L;
    private static final long MAX_MEBIBYTES = 1L << 30;
    private static final int MAX_GPUS = 1_000;
    private static final int WHOLE_GPU = 1_000;
    private static final long MAX_SECONDS = 100_000_000_000L;

    private Openb() {}

    static Read<Node> nodes(TraceFile file) {
        Header header = OwnFormat.header(file, NODES, List.of(), "");
        List<Node> nodes = new ArrayList<>();
        SortedMap<String, Integer> seen = new TreeMap<>();
        OwnFormat.rows(file, header, row -> {
            int sn = header.index("sn");
            String name = OwnFormat.name(row, sn, "sn");
            Integer before = seen.put(name, file.number());
            if (before != null) {
                throw row.bad(sn, "sn", "a name once: it is in line " + before);
            }
            long gpus = row.whole(header.index("gpu"), "gpu", 0, MAX_GPUS);
            nodes.add(new Node(
                    name,
                    row.text(header.index("model")),
                    profile(
                            row.whole(header.index("cpu_milli"), "cpu_milli", 1, MAX_CPU_MILLIS),
                            row.whole(header.index("memory_mib"), "memory_mib", 1, MAX_MEBIBYTES),
                            gpus * WHOLE_GPU,
                            "")));
        });
        return new Read<>(NAME, nodes, new TreeMap<>());
    }

    static Read<TraceJob> pods(TraceFile file, int limit) {
        List<String> more = new ArrayList<>(List.of("gpu_spec", "qos", "pod_phase"));
        more.addAll(TIMES);
        Header header = OwnFormat.header(file, PODS, more, "");
        boolean timed = header.find("creation_time").isPresent()
                && header.find("deletion_time").isPresent();
        List<TraceJob> pods = new ArrayList<>();
        Holes holes = new Holes();
        OwnFormat.rows(file, header, row -> {
            if (pods.size() < limit) {
                pods.add(pod(row, header, timed, pods.size(), holes));
            }
        });
        return new Read<>(NAME, pods, holes.counts());
    }

    private static TraceJob pod(Row row, Header header, boolean timed, int number, Holes holes) {
        long gpus = row.whole(header.index("num_gpu"), "num_gpu", 0, MAX_GPUS);
        long share = row.whole(header.index("gpu_milli"), "gpu_milli", 0, WHOLE_GPU);
        ResourceProfile profile = profile(
                row.whole(header.index("cpu_milli"), "cpu_milli", 0, MAX_CPU_MILLIS),
                row.whole(header.index("memory_mib"), "memory_mib", 0, MAX_MEBIBYTES),
                gpus * share,
                header.text(row, "gpu_spec"));
        holes.count("pods without user: the lists name none");
        return new TraceJob(
                OwnFormat.name(row, header.index("name"), "name"),
                timed ? seconds(row, header, "creation_time", 0) * 1_000 : number * 1_000L,
                timed ? OptionalLong.of(runMillis(row, header, holes)) : endless(holes),
                List.of(new Demand(profile, 1)),
                "",
                header.text(row, "qos"));
    }

    private static OptionalLong endless(Holes holes) {
        holes.count("pods without times: one comes each second and stays to the end");
        return OptionalLong.empty();
    }

    private static long runMillis(Row row, Header header, Holes holes) {
        long created = seconds(row, header, "creation_time", 0);
        boolean scheduled = !header.text(row, "scheduled_time").isEmpty();
        if (!scheduled) {
            holes.count("pods that were never scheduled: they run from creation to deletion");
        }
        long from = scheduled ? seconds(row, header, "scheduled_time", created) : created;
        return (seconds(row, header, "deletion_time", from) - from) * 1_000;
    }

    private static long seconds(Row row, Header header, String field, long least) {
        return row.whole(header.index(field), field, least, MAX_SECONDS);
    }

    /** @param models, separated by |; empty: any */
    private static ResourceProfile profile(long cpuMillis, long mebibytes, long gpuMillis, String models) {
        SortedMap<String, Long> extended = new TreeMap<>();
        extended.put(GPU, gpuMillis);
        if (!models.isEmpty()) {
            extended.put(Models.named(GPU, new TreeSet<>(List.of(models.split("\\|")))), gpuMillis);
        }
        return new ResourceProfile(cpuMillis, mebibytes << 20, 0, 0, extended);
    }
}

package io.berth.simulator.traces;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads traces, in the given format or in the format of the first line. Rejects errors as {@link BadTrace}. */
public final class TraceReader {

    public static final String AUTO = "auto";
    public static final List<String> NODE_FORMATS = List.of(AUTO, OwnFormat.NAME, Openb.NAME);
    public static final List<String> JOB_FORMATS = List.of(AUTO, OwnFormat.NAME, Openb.NAME, Swf.NAME, Swim.NAME);
    public static final List<String> OUTAGE_FORMATS = List.of(AUTO, OwnFormat.NAME, Lanl.NAME);

    private TraceReader() {}

    /** @return at least one node */
    public static Read<Node> nodes(Path path, String format) {
        String name = format.equals(AUTO) ? nodesFormat(path) : format;
        try (TraceFile file = TraceFile.open(path)) {
            return some(path, "nodes", name.equals(Openb.NAME) ? Openb.nodes(file) : OwnFormat.nodes(file));
        }
    }

    /**
     * @param slotCpus maximum processors of a slot, for formats with processors; empty: 1
     * @param limit maximum number of jobs
     * @return at least one job
     * @throws IllegalArgumentException when the format has no processors but {@code slotCpus} is given
     */
    public static Read<TraceJob> jobs(Path path, String format, OptionalInt slotCpus, int limit) {
        String name = format.equals(AUTO) ? jobsFormat(path) : format;
        if (slotCpus.isPresent() && !name.equals(Swf.NAME)) {
            throw new IllegalArgumentException("option --slot-cpus is given and " + path + " has format " + name
                    + ": it is allowed with format " + Swf.NAME);
        }
        try (TraceFile file = TraceFile.open(path)) {
            return some(
                    path,
                    "jobs that can be replayed",
                    switch (name) {
                        case Openb.NAME -> Openb.pods(file, limit);
                        case Swf.NAME -> Swf.jobs(file, slotCpus.orElse(1), limit);
                        case Swim.NAME -> Swim.jobs(file, limit);
                        default -> OwnFormat.jobs(file, limit);
                    });
        }
    }

    /**
     * @param system whose outages are used, for formats with several systems
     * @param nodes of the cluster
     * @param firstMillis when the first job arrives
     * @throws IllegalArgumentException when the format has several systems and none is given, or the other way round
     */
    public static Read<Outage> outages(
            Path path, String format, OptionalInt system, List<Node> nodes, long firstMillis) {
        String name = format.equals(AUTO) ? outagesFormat(path) : format;
        if (name.equals(Lanl.NAME) != system.isPresent()) {
            throw new IllegalArgumentException("option --outages-system is " + (system.isPresent() ? "" : "not ")
                    + "given and " + path + " has format " + name + ": it is needed with format " + Lanl.NAME
                    + " and allowed with no other");
        }
        try (TraceFile file = TraceFile.open(path)) {
            return name.equals(Lanl.NAME)
                    ? Lanl.outages(file, system.getAsInt(), nodes.size(), firstMillis)
                    : OwnFormat.outages(file, nodes);
        }
    }

    private static <T> Read<T> some(Path path, String what, Read<T> read) {
        if (read.items().isEmpty()) {
            throw new BadTrace(path, "has no " + what + ": at least one is needed; left out are " + read.holes());
        }
        return read;
    }

    private static String nodesFormat(Path path) {
        return firstLine(path).startsWith("sn,") ? Openb.NAME : OwnFormat.NAME;
    }

    private static String jobsFormat(Path path) {
        String name = path.getFileName().toString().toLowerCase(Locale.ROOT);
        String line = firstLine(path);
        if (name.endsWith(".swf")
                || name.endsWith(".swf.gz")
                || name.endsWith(".swf.xz")
                || line.startsWith(";")
                || line.strip().split("\\s+").length == Swf.FIELDS) {
            return Swf.NAME;
        }
        if (line.split("\t", -1).length > 1) {
            return Swim.NAME;
        }
        return line.contains("cpu_milli") ? Openb.NAME : OwnFormat.NAME;
    }

    private static String outagesFormat(Path path) {
        return firstLine(path).startsWith("System,") ? Lanl.NAME : OwnFormat.NAME;
    }

    private static String firstLine(Path path) {
        try (TraceFile file = TraceFile.open(path)) {
            Optional<String> line = file.next();
            return line.orElse("");
        }
    }
}

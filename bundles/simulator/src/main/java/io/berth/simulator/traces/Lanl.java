package io.berth.simulator.traces;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Outages of the systems of Los Alamos National Laboratory, 1996 to 2005 (LA-UR-05-7318). One system is used. Its node
 * n is the n-th node of the cluster, and its first outage happens when the first job arrives.
 */
final class Lanl {

    static final String NAME = "lanl";
    static final List<String> NEEDED = List.of("System", "nodenumz", "Prob Started", "Prob Fixed", "Down Time");
    private static final List<String> MORE = List.of(
            "machine type",
            "nodes",
            "procstot",
            "procsinnode",
            "nodenum",
            "node install",
            "node prod",
            "node decom",
            "fru type",
            "mem",
            "cputype",
            "memtype",
            "num intercon",
            "purpose",
            "Facilities",
            "Hardware",
            "Human Error",
            "Network",
            "Undetermined",
            "Software",
            "Same Event");

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("M/d/uuuu H:mm").withResolverStyle(ResolverStyle.STRICT);
    private static final int MAX_NODES = 1_000_000;
    private static final int MAX_SYSTEMS = 1_000;
    private static final long MAX_MINUTES = 1_000_000_000;

    private record Line(int node, LocalDateTime down, LocalDateTime up) {}

    private Lanl() {}

    /**
     * @param nodes of the cluster
     * @param firstMillis when the first job arrives
     */
    static Read<Outage> outages(TraceFile file, int system, int nodes, long firstMillis) {
        Header header = OwnFormat.header(file, NEEDED, MORE, "");
        List<Line> lines = new ArrayList<>();
        SortedSet<Long> systems = new TreeSet<>();
        Holes holes = new Holes();
        OwnFormat.rows(file, header, row -> {
            long of = row.whole(header.index("System"), "System", 0, MAX_SYSTEMS);
            systems.add(of);
            if (of == system) {
                take(row, header, lines, holes);
            } else {
                holes.count("outages of other systems, left out");
            }
        });
        if (lines.isEmpty()) {
            throw new BadTrace(
                    file.path(),
                    "has no outage of a node of system " + system + ": its systems" + " are " + systems
                            + ", give one by --outages-system");
        }
        LocalDateTime first =
                lines.stream().map(Line::down).min(Comparator.naturalOrder()).orElseThrow();
        List<Outage> outages = new ArrayList<>();
        for (Line line : lines) {
            if (line.node() >= nodes) {
                holes.count("outages of nodes beyond those of the cluster, left out");
            } else if (!line.up().isAfter(line.down())) {
                holes.count("outages that end when they begin, left out");
            } else {
                outages.add(new Outage(
                        line.node(),
                        firstMillis + Duration.between(first, line.down()).toMillis(),
                        firstMillis + Duration.between(first, line.up()).toMillis()));
            }
        }
        return new Read<>(NAME, outages, holes.counts());
    }

    private static void take(Row row, Header header, List<Line> lines, Holes holes) {
        int node = header.index("nodenumz");
        int fixed = header.index("Prob Fixed");
        if (row.isBlank(node) || row.isBlank(fixed)) {
            holes.count("outages without " + (row.isBlank(node) ? "node" : "end") + ", left out");
            return;
        }
        LocalDateTime down = time(row, header.index("Prob Started"), "Prob Started");
        LocalDateTime up = time(row, fixed, "Prob Fixed");
        if (up.isBefore(down)) {
            throw row.bad(fixed, "Prob Fixed", "a time that is not before Prob Started");
        }
        int told = header.index("Down Time");
        OptionalLong minutes = row.isBlank(told)
                ? OptionalLong.empty()
                : OptionalLong.of(row.whole(told, "Down Time", 0, MAX_MINUTES));
        if (minutes.isEmpty()
                || minutes.getAsLong() != Duration.between(down, up).toMinutes()) {
            holes.count("outages whose down time differs from begin to end: begin and end count");
        }
        lines.add(new Line((int) row.whole(node, "nodenumz", 0, MAX_NODES), down, up));
    }

    private static LocalDateTime time(Row row, int index, String field) {
        try {
            return LocalDateTime.parse(row.text(index), TIME);
        } catch (DateTimeParseException bad) {
            throw row.bad(index, field, "a time as 9/6/2005 10:32 (month, day, year, hour and minute)");
        }
    }
}

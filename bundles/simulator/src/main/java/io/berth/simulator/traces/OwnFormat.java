package io.berth.simulator.traces;

import io.berth.simulator.traces.TraceJob.Demand;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Berth's own tables of nodes, jobs and outages (docs/traces.md): fields separated by commas, with the names of the
 * columns, in any order, in the first line.
 */
final class OwnFormat {

    static final String NAME = "own";
    static final String RESOURCE = "resource.";
    static final List<String> NODES = List.of("name", "cpu", "memory_mib");
    static final List<String> JOBS = List.of("name", "arrival_s", "run_s", "slots", "cpu", "memory_mib");
    static final List<String> OUTAGES = List.of("node", "down_s", "up_s");

    private static final String COUNT = "count";
    private static final String EXPECTED = "expected_s";
    private static final long MAX_CPU_MILLIS = 1_000_000_000L;
    private static final long MAX_MEBIBYTES = 1L << 30;
    private static final long MAX_AMOUNT = 1_000_000_000_000L;
    private static final long MAX_MILLIS = 100_000_000_000_000L;
    private static final int MAX_NODES = 1_000_000;
    private static final int MAX_SLOTS = 1_000_000;

    private OwnFormat() {}

    static Read<Node> nodes(TraceFile file) {
        Header header = header(file, NODES, List.of(COUNT, "model"), RESOURCE);
        List<Node> nodes = new ArrayList<>();
        SortedMap<String, Integer> seen = new TreeMap<>();
        rows(file, header, row -> {
            String name = name(row, header.index("name"), "name");
            int count = header.find(COUNT).isEmpty() ? 1 : (int) row.whole(header.index(COUNT), COUNT, 1, MAX_NODES);
            ResourceProfile total = profile(row, header, 1);
            requireFewResources(row, header);
            for (int number = 0; number < count; number++) {
                String one = count == 1 ? name : name + "-" + number;
                Integer before = seen.put(one, file.number());
                if (before != null || nodes.size() >= MAX_NODES) {
                    throw row.bad(
                            header.index("name"),
                            "name",
                            before == null
                                    ? "a table of at most " + MAX_NODES + " nodes"
                                    : "a name once: node " + one + " is in line " + before);
                }
                nodes.add(new Node(one, header.text(row, "model"), total));
            }
        });
        return new Read<>(NAME, nodes, new TreeMap<>());
    }

    private static void requireFewResources(Row row, Header header) {
        List<Integer> had = header.behind(RESOURCE).values().stream()
                .filter(index -> !row.isBlank(index) && row.whole(index, RESOURCE, 0, MAX_AMOUNT) > 0)
                .sorted()
                .toList();
        if (had.size() > Models.MAX_RESOURCES) {
            int first = had.get(Models.MAX_RESOURCES);
            throw row.bad(
                    first,
                    header.name(first),
                    "0 or nothing: the node has " + had.size() + " resources besides cpu and memory, allowed are "
                            + Models.MAX_RESOURCES);
        }
    }

    static Read<TraceJob> jobs(TraceFile file, int limit) {
        Header header = header(file, JOBS, List.of("user", "queue", EXPECTED), RESOURCE);
        List<TraceJob> jobs = new ArrayList<>();
        Holes holes = new Holes();
        rows(file, header, row -> {
            if (jobs.size() >= limit) {
                return;
            }
            int run = header.index("run_s");
            if (row.isBlank(run)) {
                holes.count("jobs without run time: they hold their slots to the end");
            }
            if (header.text(row, "user").isEmpty()) {
                holes.count("jobs without user");
            }
            TraceJob job = new TraceJob(
                    name(row, header.index("name"), "name"),
                    row.thousandths(header.index("arrival_s"), "arrival_s", 0, MAX_MILLIS),
                    row.isBlank(run)
                            ? OptionalLong.empty()
                            : OptionalLong.of(row.thousandths(run, "run_s", 0, MAX_MILLIS)),
                    List.of(new Demand(
                            profile(row, header, 0), (int) row.whole(header.index("slots"), "slots", 1, MAX_SLOTS))),
                    header.text(row, "user"),
                    header.text(row, "queue"));
            jobs.add(
                    header.text(row, EXPECTED).isEmpty()
                            ? job
                            : job.expecting(
                                    OptionalLong.of(row.thousandths(header.index(EXPECTED), EXPECTED, 1, MAX_MILLIS))));
        });
        return new Read<>(NAME, jobs, holes.counts());
    }

    /** @param nodes of the cluster; the table uses their names */
    static Read<Outage> outages(TraceFile file, List<Node> nodes) {
        Header header = header(file, OUTAGES, List.of(), "");
        SortedMap<String, Integer> indexes = new TreeMap<>();
        for (int index = 0; index < nodes.size(); index++) {
            indexes.put(nodes.get(index).name(), index);
        }
        List<Outage> outages = new ArrayList<>();
        Holes holes = new Holes();
        rows(file, header, row -> {
            int column = header.index("node");
            Integer node = indexes.get(row.text(column));
            if (node == null) {
                throw row.bad(
                        column,
                        "node",
                        "the name of a node of the cluster, as " + nodes.get(0).name());
            }
            long down = row.thousandths(header.index("down_s"), "down_s", 0, MAX_MILLIS);
            int up = header.index("up_s");
            if (row.isBlank(up)) {
                holes.count("outages without end: the node does not come back");
            }
            outages.add(new Outage(
                    node, down, row.isBlank(up) ? Outage.NEVER : row.thousandths(up, "up_s", down, MAX_MILLIS)));
        });
        return new Read<>(NAME, outages, holes.counts());
    }

    /** Processes a row. */
    interface Taker {
        void take(Row row);
    }

    static Header header(TraceFile file, List<String> needed, List<String> allowed, String prefix) {
        String line = file.next()
                .orElseThrow(() -> new BadTrace(
                        file.path(),
                        "is empty: allowed is a table whose first line names " + String.join(",", needed)));
        return new Header(Row.separated(file, line, ','), needed, allowed, prefix);
    }

    static void rows(TraceFile file, Header header, Taker taker) {
        for (Optional<String> line = file.next(); line.isPresent(); line = file.next()) {
            if (!line.get().isBlank()) {
                Row row = Row.separated(file, line.get(), ',');
                row.requireSize(header.size(), header.all());
                taker.take(row);
            }
        }
    }

    static String name(Row row, int index, String field) {
        if (row.isBlank(index)) {
            throw row.bad(index, field, "a name");
        }
        return row.text(index);
    }

    /** @param least minimum of cpu (thousandths) and memory (MiB): a node has some, a slot may take none */
    private static ResourceProfile profile(Row row, Header header, long least) {
        SortedMap<String, Long> extended = new TreeMap<>();
        header.behind(RESOURCE).forEach((name, index) -> {
            if (!row.isBlank(index)) {
                extended.put(name, row.whole(index, RESOURCE + name, 0, MAX_AMOUNT));
            }
        });
        return new ResourceProfile(
                row.thousandths(header.index("cpu"), "cpu", least, MAX_CPU_MILLIS),
                row.whole(header.index("memory_mib"), "memory_mib", least, MAX_MEBIBYTES) << 20,
                0,
                0,
                extended);
    }
}

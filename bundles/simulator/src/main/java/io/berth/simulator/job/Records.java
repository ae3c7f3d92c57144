package io.berth.simulator.job;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.task.TaskContext.Committable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The records of a job with blocking edges, as numbers. A source has one for each split; every other vertex passes on
 * what it reads, by the key group of the record.
 */
public final class Records {

    /** The key of the configuration of a vertex that has the number of the first record. */
    static final String FIRST = "first.record";
    /** The records of two sources differ: no source has more. */
    static final int EACH_SOURCE = 1_000;

    private static final int KEY_GROUPS = 16;
    private static final int STRIDE = 7;

    private Records() {}

    /** Whether the tasks of a job keep records. */
    public static boolean areKept(JobGraph job) {
        return job.vertices().get(0).configuration().containsKey(FIRST);
    }

    /** Whether a subtask reads a record. */
    static boolean isFor(int record, int subtask, int parallelism) {
        return record * STRIDE % KEY_GROUPS * parallelism / KEY_GROUPS == subtask;
    }

    /** The content of a committable. */
    static String text(Collection<Integer> records) {
        return records.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** The records of a committable that {@link Output#written} made, in order. */
    public static List<Integer> of(Committable committable) {
        String text = new String(committable.content(), StandardCharsets.UTF_8);
        List<Integer> records = new ArrayList<>();
        String[] parts = text.split(" ");
        if (parts.length > 2 && !parts[1].isEmpty()) {
            for (String record : parts[1].split(",")) {
                records.add(Integer.valueOf(record));
            }
        }
        return records;
    }

    /** What a vertex must write in the end: how often each record, which is by how many ways it comes from its source. */
    public static SortedMap<Integer, Integer> expected(JobGraph job, String vertex) {
        SortedMap<Integer, Integer> expected = new TreeMap<>();
        JobVertex its = job.vertex(vertex);
        String splits = its.configuration().get(SimulatedTask.SPLITS);
        if (splits != null) {
            int first = Integer.parseInt(its.configuration().getOrDefault(FIRST, "0"));
            for (int split = 0; split < Integer.parseInt(splits); split++) {
                expected.put(first + split, 1);
            }
        }
        for (JobEdge edge : job.edges()) {
            if (edge.to().equals(vertex)) {
                expected(job, edge.from()).forEach((record, count) -> expected.merge(record, count, Integer::sum));
            }
        }
        return expected;
    }
}

package io.berth.itests.workflow;

import io.berth.itests.workflow.Workflow.Dependency;
import io.berth.itests.workflow.Workflow.Task;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * The units and pipelined regions of a job, by their definition and without the classes of the product: sets that are joined
 * along pipelined edges, and as long as two of them depend on each other, those too.
 */
final class UnitDefinition {

    private final WorkflowJob job;
    private final Map<String, Integer> indexes = new HashMap<>();
    private final Sets tasks;

    UnitDefinition(WorkflowJob job) {
        this.job = job;
        job.workflow().tasks().forEach(task -> indexes.put(task.id(), indexes.size()));
        tasks = new Sets(indexes.size());
        if (job.pipelined().size() == job.workflow().dependencies().size()) {
            // A job without blocking edges is one unit, also when it falls apart.
            indexes.values().forEach(task -> tasks.join(0, task));
        }
        job.pipelined().keySet().forEach(this::join);
        joinCycles();
    }

    /** Sets of numbers that can be joined. */
    private static final class Sets {

        private final int[] representatives;

        Sets(int size) {
            representatives = new int[size];
            for (int number = 0; number < size; number++) {
                representatives[number] = number;
            }
        }

        int find(int number) {
            int found = number;
            while (representatives[found] != found) {
                found = representatives[found];
            }
            return found;
        }

        void join(int one, int other) {
            representatives[find(other)] = find(one);
        }

        int count() {
            Set<Integer> found = new HashSet<>();
            for (int number = 0; number < representatives.length; number++) {
                found.add(find(number));
            }
            return found.size();
        }
    }

    private int index(String task) {
        return Objects.requireNonNull(indexes.get(task));
    }

    private void join(Dependency dependency) {
        tasks.join(index(dependency.parent()), index(dependency.child()));
    }

    /** By the transitive closure of what the sets depend on. */
    private void joinCycles() {
        int size = indexes.size();
        List<BitSet> reached = new ArrayList<>();
        for (int task = 0; task < size; task++) {
            reached.add(new BitSet(size));
        }
        for (Dependency dependency : job.workflow().dependencies()) {
            reached.get(tasks.find(index(dependency.parent()))).set(tasks.find(index(dependency.child())));
        }
        for (int over = 0; over < size; over++) {
            for (BitSet from : reached) {
                if (from.get(over)) {
                    from.or(reached.get(over));
                }
            }
        }
        for (int one = 0; one < size; one++) {
            for (int other = 0; other < size; other++) {
                if (reached.get(one).get(other) && reached.get(other).get(one)) {
                    tasks.join(one, other);
                }
            }
        }
    }

    private boolean isWithinUnit(Dependency dependency) {
        return tasks.find(index(dependency.parent())) == tasks.find(index(dependency.child()));
    }

    /** The ids of the tasks of each unit. */
    Set<Set<String>> units() {
        Map<Integer, Set<String>> units = new TreeMap<>();
        for (Task task : job.workflow().tasks()) {
            units.computeIfAbsent(tasks.find(index(task.id())), first -> new HashSet<>())
                    .add(task.id());
        }
        return new HashSet<>(units.values());
    }

    /** How many pipelined regions the units have together. A blocking edge within a unit is pipelined. */
    int regions() {
        int width = job.parallelism();
        Sets subtasks = new Sets(indexes.size() * width);
        for (Dependency dependency : job.workflow().dependencies()) {
            if (!isWithinUnit(dependency)) {
                continue;
            }
            boolean pairs = WorkflowJob.FORWARD.equals(job.pipelined().get(dependency));
            for (int from = 0; from < width; from++) {
                for (int to = 0; to < width; to++) {
                    if (!pairs || from == to) {
                        subtasks.join(
                                index(dependency.parent()) * width + from, index(dependency.child()) * width + to);
                    }
                }
            }
        }
        return subtasks.count();
    }
}

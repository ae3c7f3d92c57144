package io.berth.itests;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The three sides of one ledger: what the ResourceManager counts, what the workers have in their own tables, and what
 * the jobs hold.
 *
 * @param counted {@code WORKER ALLOCATION JOB GROUP}
 * @param table {@code WORKER ALLOCATION JOB GROUP STATE}; the state of a slot that its job accepted is {@code active}
 * @param held {@code WORKER ALLOCATION JOB}
 */
record LedgerSides(List<String> counted, List<String> table, List<String> held) {

    /** Empty when all three agree, and each allocation exists once. */
    List<String> differences() {
        List<String> found = new ArrayList<>();
        TreeSet<String> tables = new TreeSet<>();
        TreeSet<String> tablesByJob = new TreeSet<>();
        TreeSet<String> allocations = new TreeSet<>();
        for (String line : table) {
            String[] parts = line.split(" ");
            tables.add(String.join(" ", parts[0], parts[1], parts[2], parts[3]));
            tablesByJob.add(String.join(" ", parts[0], parts[1], parts[2]));
            if (!allocations.add(parts[1])) {
                found.add("twice on workers: " + line);
            }
            if (!parts[4].equals("active")) {
                found.add("not taken by its job: " + line);
            }
        }
        if (new TreeSet<>(counted).size() != counted.size()) {
            found.add("the ResourceManager counts a slot twice");
        }
        compare("only the ResourceManager has ", counted, "only a worker has ", tables, found);
        compare("only a job has ", held, "no job has ", tablesByJob, found);
        return found;
    }

    private static void compare(
            String onlyLeft, Iterable<String> left, String onlyRight, TreeSet<String> right, List<String> found) {
        TreeSet<String> rest = new TreeSet<>(right);
        for (String line : left) {
            if (!rest.remove(line)) {
                found.add(onlyLeft + line);
            }
        }
        rest.forEach(line -> found.add(onlyRight + line));
    }
}

package io.berth.core.api.policy;

import io.berth.core.api.job.WorkerLabels;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A pool as its configuration says: which workers belong to it, how slots match requirements there, and how many
 * workers it may have. Immutable.
 *
 * @param order pools with a lower one choose workers first; among equal ones the name counts
 * @param members which workers belong to the pool; the default pool takes each worker that no other takes
 * @param rule empty: that of the ResourceManager
 * @param startsWorkers whether workers may be started for the jobs of the pool and for its minimum
 */
public record PoolDefinition(
        String name, int order, Members members, Optional<MatchingRule> rule, Limits limits, boolean startsWorkers) {

    /** Name of the pool that always exists. */
    public static final String DEFAULT_NAME = "default";

    /** The default pool as it is without a configuration. */
    public static final PoolDefinition DEFAULT =
            new PoolDefinition(DEFAULT_NAME, Integer.MAX_VALUE, Members.NONE, Optional.empty(), Limits.NONE, true);

    /**
     * Which workers belong to a pool: those that fit all that is given. Without anything given, none does.
     *
     * @param backends names of backends, one of which the worker comes from
     * @param specs of one of which the worker is, as BACKEND/SPEC, or SPEC for any backend
     * @param labels that the worker has; without a value, any is allowed
     */
    public record Members(
            SortedSet<String> backends, SortedSet<String> specs, SortedMap<String, Optional<String>> labels) {

        public static final Members NONE =
                new Members(Collections.emptySortedSet(), Collections.emptySortedSet(), Collections.emptySortedMap());

        public Members {
            backends = Collections.unmodifiableSortedSet(new TreeSet<>(backends));
            specs = Collections.unmodifiableSortedSet(new TreeSet<>(specs));
            labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        }

        /** Whether a worker with these labels, including those that Berth gives, fits. */
        public boolean fit(WorkerLabels worker) {
            if (backends.isEmpty() && specs.isEmpty() && labels.isEmpty()) {
                return false;
            }
            String backend = worker.labels().getOrDefault(WorkerLabels.BACKEND, "");
            String spec = worker.labels().getOrDefault(WorkerLabels.SPEC, "");
            return (backends.isEmpty() || backends.contains(backend))
                    && (specs.isEmpty()
                            || !spec.isEmpty() && (specs.contains(spec) || specs.contains(backend + "/" + spec)))
                    && labels.entrySet().stream().allMatch(label -> has(worker, label));
        }

        private static boolean has(WorkerLabels worker, Map.Entry<String, Optional<String>> label) {
            Optional<String> value = Optional.ofNullable(worker.labels().get(label.getKey()));
            return value.isPresent()
                    && (label.getValue().isEmpty() || label.getValue().equals(value));
        }
    }

    /**
     * The minimum and maximum size of a pool, registered and pending workers together. Cpu in thousandths of a core,
     * memory of all kinds in bytes; 0: none.
     */
    public record Limits(long minCpuMillis, long minMemoryBytes, long maxCpuMillis, long maxMemoryBytes) {

        public static final Limits NONE = new Limits(0, 0, 0, 0);
    }

    /** Whether it is the pool that takes the workers that no other pool takes. */
    public boolean isDefault() {
        return name.equals(DEFAULT_NAME);
    }

    /** Which workers belong to it, for people. */
    public String membersText() {
        if (isDefault()) {
            return "all that no other pool takes";
        }
        List<String> parts = new ArrayList<>();
        if (!members.backends().isEmpty()) {
            parts.add("backends " + String.join(", ", members.backends()));
        }
        if (!members.specs().isEmpty()) {
            parts.add("specs " + String.join(", ", members.specs()));
        }
        if (!members.labels().isEmpty()) {
            parts.add(members.labels().entrySet().stream()
                    .map(label -> label.getKey()
                            + label.getValue().map(value -> "=" + value).orElse(""))
                    .collect(Collectors.joining(", ", "labels ", "")));
        }
        return parts.isEmpty() ? "none" : String.join("; ", parts);
    }

    /**
     * The pool of a worker: the first that fits.
     *
     * @param pools in their order
     */
    public static String of(WorkerLabels worker, List<PoolDefinition> pools) {
        for (PoolDefinition pool : pools) {
            if (!pool.isDefault() && pool.members().fit(worker)) {
                return pool.name();
            }
        }
        return DEFAULT_NAME;
    }
}

package io.berth.core.policies.pools;

import io.berth.core.api.operations.PolicyOperations.QueueDetails;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The queues of a pool as configured; parents come before their children, and number 0 is the root. Immutable. */
public final class QueueTree {

    public static final String ROOT = "root";

    private static final SortedMap<String, Long> NOTHING = Collections.emptySortedMap();

    /** Only the root: nothing is configured. */
    public static final QueueTree NONE = new QueueTree(List.of(
            new Queue(ROOT, -1, 1, Collections.emptySortedMap(), Collections.emptySortedMap(), new TreeSet<>())));

    /**
     * One queue.
     *
     * @param parent number of the queue above; -1 for the root
     * @param guaranteed amounts by name of the resource, as is the {@code limit}; a resource that is missing is not
     *     guaranteed or limited
     * @param submitters who may submit jobs to it; empty: everybody
     */
    public record Queue(
            String name,
            int parent,
            double weight,
            SortedMap<String, Long> guaranteed,
            SortedMap<String, Long> limit,
            SortedSet<String> submitters) {

        public Queue {
            guaranteed = Collections.unmodifiableSortedMap(new TreeMap<>(guaranteed));
            limit = Collections.unmodifiableSortedMap(new TreeMap<>(limit));
            submitters = Collections.unmodifiableSortedSet(new TreeSet<>(submitters));
        }
    }

    private final List<Queue> queues;
    private final Map<String, Integer> numbers = new HashMap<>();

    public QueueTree(List<Queue> queues) {
        this.queues = List.copyOf(queues);
        for (int number = 0; number < queues.size(); number++) {
            numbers.put(queues.get(number).name(), number);
        }
    }

    public boolean isConfigured() {
        return queues.size() > 1;
    }

    public List<Queue> queues() {
        return queues;
    }

    public Optional<Integer> find(String name) {
        return Optional.ofNullable(numbers.get(name));
    }

    /**
     * The queues for people.
     *
     * @param used amounts by number of the queue, as are {@code pending} and {@code usedSeconds}; a queue that is missing
     *     has none
     */
    public List<QueueDetails> details(
            Map<Integer, SortedMap<String, Long>> used,
            Map<Integer, SortedMap<String, Long>> pending,
            Map<Integer, SortedMap<String, Long>> usedSeconds) {
        List<QueueDetails> details = new ArrayList<>();
        for (int number = 0; number < queues.size(); number++) {
            Queue queue = queues.get(number);
            details.add(new QueueDetails(
                    queue.name(),
                    queue.parent() < 0 ? "" : queues.get(queue.parent()).name(),
                    queue.weight(),
                    queue.guaranteed(),
                    queue.limit(),
                    List.copyOf(queue.submitters()),
                    used.getOrDefault(number, NOTHING),
                    pending.getOrDefault(number, NOTHING),
                    usedSeconds.getOrDefault(number, NOTHING)));
        }
        return details;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof QueueTree that && queues.equals(that.queues);
    }

    @Override
    public int hashCode() {
        return queues.hashCode();
    }
}

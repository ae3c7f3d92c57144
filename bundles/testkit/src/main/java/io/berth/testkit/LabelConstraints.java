package io.berth.testkit;

import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Where slots of an entry may be, and should be.
 *
 * @param require labels that a worker must have
 * @param tolerate keys of taints that do not keep the slots away
 * @param prefer labels, as KEY=VALUE, and their weights
 * @param spread over which label the slots are spread
 */
record LabelConstraints(
        SortedMap<String, String> require,
        SortedSet<String> tolerate,
        SortedMap<String, Integer> prefer,
        Optional<Spread> spread) {

    record Spread(String label, int maxSkew) {}

    static final LabelConstraints NONE =
            new LabelConstraints(new TreeMap<>(), new TreeSet<>(), new TreeMap<>(), Optional.empty());

    LabelConstraints requiring(String key, String value) {
        SortedMap<String, String> more = new TreeMap<>(require);
        more.put(key, value);
        return new LabelConstraints(more, tolerate, prefer, spread);
    }

    LabelConstraints tolerating(String key) {
        SortedSet<String> more = new TreeSet<>(tolerate);
        more.add(key);
        return new LabelConstraints(require, more, prefer, spread);
    }

    boolean prefers() {
        return !prefer.isEmpty();
    }

    LabelConstraints preferring(String key, String value, int weight) {
        SortedMap<String, Integer> more = new TreeMap<>(prefer);
        more.put(key + "=" + value, weight);
        return new LabelConstraints(require, tolerate, more, spread);
    }

    LabelConstraints spreadOver(String label, int maxSkew) {
        return new LabelConstraints(require, tolerate, prefer, Optional.of(new Spread(label, maxSkew)));
    }

    boolean allows(SortedMap<String, String> labels, SortedMap<String, String> taints) {
        return require.entrySet().stream().allMatch(one -> one.getValue().equals(labels.get(one.getKey())))
                && tolerate.containsAll(taints.keySet())
                && spread.map(Spread::label).map(labels::containsKey).orElse(true);
    }

    int preference(SortedMap<String, String> labels) {
        return labels.entrySet().stream()
                .mapToInt(label -> prefer.getOrDefault(label.getKey() + "=" + label.getValue(), 0))
                .sum();
    }
}

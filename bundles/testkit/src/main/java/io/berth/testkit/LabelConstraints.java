package io.berth.testkit;

import io.berth.policy.rules.labels.LabelRules;
import io.berth.testkit.ArrayAdmittedView.LabelRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Where slots of an entry may be, and should be. Labels and taints are compared by the functions of the host.
 *
 * @param require rules that the labels of a worker must fulfill
 * @param tolerate taints that do not keep the slots away, by key; the value is empty for every value
 * @param prefer rules with weights
 * @param spread over which label the slots are spread
 */
record LabelConstraints(
        List<LabelRule> require, SortedMap<String, String> tolerate, List<Preference> prefer, Optional<Spread> spread) {

    record Preference(LabelRule rule, int weight) {}

    record Spread(String label, int maxSkew) {}

    static final LabelConstraints NONE = new LabelConstraints(List.of(), new TreeMap<>(), List.of(), Optional.empty());

    LabelConstraints requiring(LabelRule rule) {
        List<LabelRule> more = new ArrayList<>(require);
        more.add(rule);
        return new LabelConstraints(more, tolerate, prefer, spread);
    }

    /** @param value empty: every value */
    LabelConstraints tolerating(String key, String value) {
        SortedMap<String, String> more = new TreeMap<>(tolerate);
        more.put(key, value);
        return new LabelConstraints(require, more, prefer, spread);
    }

    boolean prefers() {
        return !prefer.isEmpty();
    }

    LabelConstraints preferring(LabelRule rule, int weight) {
        List<Preference> more = new ArrayList<>(prefer);
        more.add(new Preference(rule, weight));
        return new LabelConstraints(require, tolerate, more, spread);
    }

    LabelConstraints spreadOver(String label, int maxSkew) {
        return new LabelConstraints(require, tolerate, prefer, Optional.of(new Spread(label, maxSkew)));
    }

    boolean allows(SortedMap<String, String> labels, SortedMap<String, String> taints) {
        return require.stream().allMatch(rule -> rule.fulfilledBy(labels))
                && spread.map(Spread::label).map(labels::containsKey).orElse(true)
                && LabelRules.notTolerated(taints, tolerate).isEmpty();
    }

    int preference(SortedMap<String, String> labels) {
        return prefer.stream()
                .filter(one -> one.rule().fulfilledBy(labels))
                .mapToInt(Preference::weight)
                .sum();
    }
}

package io.berth.core.api.job;

import io.berth.policy.rules.labels.LabelRules;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * On which workers the slots of a group may be, and where they should be. As in Kubernetes, they count when a slot is
 * placed: a slot stays where it is when the labels of its worker change. Immutable.
 *
 * @param require rules that the labels of a worker must fulfill
 * @param prefer rules with weights, for matching strategies
 * @param tolerate taints that do not keep the slots away, by key; the value is empty when every value of the taint is
 *     tolerated
 * @param spread over which label the slots are spread evenly, if over any
 */
public record PlacementConstraints(
        List<LabelRule> require, List<Preference> prefer, SortedMap<String, String> tolerate, Optional<Spread> spread) {

    /** Any worker without taints will do. */
    public static final PlacementConstraints NONE =
            new PlacementConstraints(List.of(), List.of(), Collections.emptySortedMap());

    public static final int MAX_SKEW = 1_000;

    public static final int MAX_RULES = 32;
    public static final int MAX_VALUES = 64;
    public static final int MAX_WEIGHT = 100;
    /** Maximum length of a key or a value, in characters. */
    public static final int MAX_TEXT = LabelRules.MAX_TEXT;

    /** Without a spread. */
    public PlacementConstraints(List<LabelRule> require, List<Preference> prefer, SortedMap<String, String> tolerate) {
        this(require, prefer, tolerate, Optional.empty());
    }

    public PlacementConstraints {
        require = List.copyOf(require);
        prefer = List.copyOf(prefer);
        tolerate = Collections.unmodifiableSortedMap(new TreeMap<>(tolerate));
        if (require.size() > MAX_RULES || prefer.size() > MAX_RULES || tolerate.size() > MAX_RULES) {
            throw new IllegalArgumentException("constraints have " + require.size() + " rules, " + prefer.size()
                    + " preferences and " + tolerate.size() + " tolerations: at most " + MAX_RULES
                    + " of each are allowed");
        }
        tolerate.forEach((key, value) -> {
            requireText("key of a toleration", key);
            if (!value.isEmpty()) {
                requireText("value of toleration " + key, value);
            }
        });
    }

    public boolean isNone() {
        return require.isEmpty() && prefer.isEmpty() && tolerate.isEmpty() && spread.isEmpty();
    }

    /** What a rule says about one label. */
    public enum Operator {
        /** The label has one of the values. */
        IN("in"),
        /** The worker has no such label, or it has none of the values. */
        NOT_IN("not-in"),
        /** The worker has the label. */
        EXISTS("exists"),
        /** The label is a number that is greater than the value. */
        GREATER("greater");

        private final String word;

        Operator(String word) {
            this.word = word;
        }

        /** The word in a job description. */
        public String word() {
            return word;
        }
    }

    /** @param values at least one for IN and NOT_IN, none for EXISTS, one number for GREATER */
    public record LabelRule(String key, Operator operator, List<String> values) {

        public LabelRule {
            values = List.copyOf(values);
            requireText("key of a rule", key);
            values.forEach(value -> requireText("value of a rule for " + key, value));
            boolean counted = switch (operator) {
                case IN, NOT_IN -> !values.isEmpty() && values.size() <= MAX_VALUES;
                case EXISTS -> values.isEmpty();
                case GREATER -> values.size() == 1;
            };
            if (!counted) {
                throw new IllegalArgumentException("rule " + operator.word() + " for label " + key + " has "
                        + values.size() + " values: "
                        + (operator == Operator.EXISTS
                                ? "none is"
                                : operator == Operator.GREATER ? "one is" : "1 to " + MAX_VALUES + " are")
                        + " allowed");
            }
            if (operator == Operator.GREATER && LabelRules.number(values.get(0)).isEmpty()) {
                throw new IllegalArgumentException("rule greater for label " + key + " has the value '" + values.get(0)
                        + "': a number is allowed");
            }
        }

        /** Whether the labels fulfill the rule. */
        public boolean fulfilledBy(SortedMap<String, String> labels) {
            String value = labels.get(key);
            return switch (operator) {
                case IN -> LabelRules.in(value, values);
                case NOT_IN -> LabelRules.notIn(value, values);
                case EXISTS -> value != null;
                case GREATER -> LabelRules.greater(value, values.get(0));
            };
        }

        @Override
        public String toString() {
            return switch (operator) {
                case IN -> key + " in " + String.join(", ", values);
                case NOT_IN -> key + " not in " + String.join(", ", values);
                case EXISTS -> key;
                case GREATER -> key + " above " + values.get(0);
            };
        }
    }

    /** @param weight from 1 to {@link #MAX_WEIGHT} */
    public record Preference(LabelRule rule, int weight) {

        public Preference {
            if (weight < 1 || weight > MAX_WEIGHT) {
                throw new IllegalArgumentException(
                        "weight of preference " + rule + " is " + weight + ": 1 to " + MAX_WEIGHT + " is allowed");
            }
        }
    }

    /**
     * The slots of the group are spread over the values of a label, as in Kubernetes: no slot is placed on a worker
     * with a value that then has more than {@code maxSkew} slots of the group above the value with the fewest. The
     * values are those of the workers that fulfill the other constraints. Workers without the label get no slot.
     *
     * @param maxSkew from 1 to {@link #MAX_SKEW}
     */
    public record Spread(String label, int maxSkew) {

        public Spread {
            requireText("label of a spread", label);
            if (maxSkew < 1 || maxSkew > MAX_SKEW) {
                throw new IllegalArgumentException("maxSkew of the spread over label " + label + " is " + maxSkew
                        + ": 1 to " + MAX_SKEW + " is allowed");
            }
        }

        @Override
        public String toString() {
            return "spread over " + label + " (at most " + maxSkew + " more than the fewest)";
        }
    }

    /** Why no slot may be placed on a worker; empty when it may. */
    public Optional<String> obstacle(WorkerLabels worker) {
        for (LabelRule rule : require) {
            if (!rule.fulfilledBy(worker.labels())) {
                return Optional.of("label " + rule + " is required");
            }
        }
        if (spread.isPresent() && !worker.labels().containsKey(spread.get().label())) {
            return Optional.of("label " + spread.get().label() + ", over which slots are spread, is missing");
        }
        // Most workers have no taint: this is asked for each slot, and an iterator is garbage.
        return worker.taints().isEmpty()
                ? Optional.empty()
                : LabelRules.notTolerated(worker.taints(), tolerate)
                        .map(taint -> "taint " + taint + " is not tolerated");
    }

    /** Sum of the weights of the preferences that the worker fulfills. */
    public int preference(WorkerLabels worker) {
        int sum = 0;
        for (Preference preference : prefer) {
            sum += preference.rule().fulfilledBy(worker.labels()) ? preference.weight() : 0;
        }
        return sum;
    }

    private static void requireText(String what, String text) {
        if (text.isBlank() || text.length() > MAX_TEXT) {
            throw new IllegalArgumentException(what + " has " + text.length() + " characters: 1 to " + MAX_TEXT
                    + " that are not blank are allowed");
        }
    }

    /** For people; empty when there are none. */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        require.forEach(rule -> parts.add(rule.toString()));
        tolerate.forEach((key, value) -> parts.add("tolerates " + key + (value.isEmpty() ? "" : "=" + value)));
        prefer.forEach(preference -> parts.add("prefers " + preference.rule() + " (" + preference.weight() + ")"));
        spread.ifPresent(over -> parts.add(over.toString()));
        return String.join("; ", parts);
    }
}

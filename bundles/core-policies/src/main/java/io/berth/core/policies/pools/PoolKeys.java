package io.berth.core.policies.pools;

import io.berth.core.api.job.PolicyChoice;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PoolDefinition;
import io.berth.core.api.policy.PoolDefinition.Limits;
import io.berth.core.api.policy.PoolDefinition.Members;
import io.berth.spi.PolicyKind;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Reads the keys of a pool beside its queues. */
final class PoolKeys {

    /** For people. */
    static final String ALLOWED =
            "order, workers.backends, workers.specs, workers.labels, workers.start, rule, matching,"
                    + " matching.KEY, distribution, distribution.KEY, fallbacks.matching, fallbacks.distribution,"
                    + " min.cpu.millicores, min.memory.mib, max.cpu.millicores and max.memory.mib";

    private static final String ORDER = "order";
    private static final String BACKENDS = "workers.backends";
    private static final String SPECS = "workers.specs";
    private static final String LABELS = "workers.labels";
    private static final String START = "workers.start";
    private static final String RULE = "rule";
    private static final String MIN_CPU = "min.cpu.millicores";
    private static final String MIN_MEMORY = "min.memory.mib";
    private static final String MAX_CPU = "max.cpu.millicores";
    private static final String MAX_MEMORY = "max.memory.mib";
    private static final List<String> KNOWN =
            List.of(ORDER, BACKENDS, SPECS, LABELS, START, RULE, MIN_CPU, MIN_MEMORY, MAX_CPU, MAX_MEMORY);
    private static final List<PolicyKind> KINDS = List.of(PolicyKind.MATCHING, PolicyKind.DISTRIBUTION);
    private static final int MAX_ORDER = 1_000;
    private static final long MEBIBYTE = 1 << 20;

    /** Receives what is wrong. */
    interface Problems {
        void add(String key, String value, String allowed);
    }

    private final String pool;
    private final SortedMap<String, String> entries;
    private final Problems problems;
    private final Consumer<String> others;

    /** @param others receives problems that are not of one value */
    PoolKeys(String pool, SortedMap<String, String> entries, Problems problems, Consumer<String> others) {
        this.pool = pool;
        this.entries = entries;
        this.problems = problems;
        this.others = others;
    }

    boolean isKnown(String key) {
        return KNOWN.contains(key)
                || KINDS.stream()
                        .anyMatch(kind -> key.equals(kind.label())
                                || key.startsWith(kind.label() + ".")
                                || key.equals("fallbacks." + kind.label()));
    }

    PoolDefinition definition() {
        boolean isDefault = pool.equals(PoolDefinition.DEFAULT_NAME);
        if (isDefault) {
            for (String key : List.of(ORDER, BACKENDS, SPECS, LABELS)) {
                if (entries.containsKey(key)) {
                    problems.add(
                            key, text(key), "nothing: the default pool takes all workers that no other pool takes");
                }
            }
        }
        return new PoolDefinition(
                pool,
                isDefault ? PoolDefinition.DEFAULT.order() : order(),
                isDefault
                        ? Members.NONE
                        : new Members(new TreeSet<>(names(BACKENDS)), new TreeSet<>(names(SPECS)), labels()),
                rule(),
                limits(),
                starts());
    }

    private String text(String key) {
        return entries.getOrDefault(key, "").trim();
    }

    private List<String> names(String key) {
        return Arrays.stream(text(key).split(","))
                .map(String::trim)
                .filter(item -> !item.isEmpty())
                .toList();
    }

    private int order() {
        return (int) number(ORDER, -MAX_ORDER, MAX_ORDER);
    }

    private long number(String key, long least, long most) {
        String text = text(key);
        if (text.isEmpty()) {
            return 0;
        }
        try {
            long value = Long.parseLong(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException noNumber) {
            // Reported below, as a number out of range is.
        }
        problems.add(key, text, "a whole number from " + least + " to " + most);
        return 0;
    }

    private SortedMap<String, Optional<String>> labels() {
        SortedMap<String, Optional<String>> labels = new TreeMap<>();
        for (String item : names(LABELS)) {
            String[] pair = item.split("=", 2);
            String key = pair[0].trim();
            Optional<String> value = pair.length == 2 ? Optional.of(pair[1].trim()) : Optional.empty();
            if (!WorkerLabels.isKey(key)
                    || value.filter(String::isEmpty).isPresent()
                    || labels.put(key, value) != null) {
                problems.add(
                        LABELS,
                        item,
                        "KEY=VALUE, or KEY for any value, with commas between them and each key once; for a key "
                                + WorkerLabels.KEY_ALLOWED);
            }
        }
        return labels;
    }

    private Optional<MatchingRule> rule() {
        return switch (text(RULE)) {
            case "" -> Optional.empty();
            case "exact" -> Optional.of(MatchingRule.EXACT);
            case "loose" -> Optional.of(MatchingRule.LOOSE);
            default -> {
                problems.add(RULE, text(RULE), "exact or loose, or nothing for that of the ResourceManager");
                yield Optional.empty();
            }
        };
    }

    private boolean starts() {
        String text = text(START);
        if (!List.of("", "true", "false").contains(text)) {
            problems.add(START, text, "true or false");
        }
        return !text.equals("false");
    }

    private Limits limits() {
        long most = Long.MAX_VALUE / MEBIBYTE;
        Limits limits = new Limits(
                number(MIN_CPU, 0, Integer.MAX_VALUE),
                number(MIN_MEMORY, 0, most) * MEBIBYTE,
                number(MAX_CPU, 0, Integer.MAX_VALUE),
                number(MAX_MEMORY, 0, most) * MEBIBYTE);
        if (limits.maxCpuMillis() > 0 && limits.minCpuMillis() > limits.maxCpuMillis()) {
            problems.add(MIN_CPU, text(MIN_CPU), "at most " + MAX_CPU + ", which is " + text(MAX_CPU));
        }
        if (limits.maxMemoryBytes() > 0 && limits.minMemoryBytes() > limits.maxMemoryBytes()) {
            problems.add(MIN_MEMORY, text(MIN_MEMORY), "at most " + MAX_MEMORY + ", which is " + text(MAX_MEMORY));
        }
        return limits;
    }

    PoolPolicies policies() {
        SortedMap<PolicyKind, PolicyChoice> choices = new TreeMap<>();
        SortedMap<PolicyKind, List<String>> fallbacks = new TreeMap<>();
        for (PolicyKind kind : KINDS) {
            String prefix = kind.label() + ".";
            SortedMap<String, String> parameters = new TreeMap<>();
            entries.forEach((key, value) -> {
                if (key.startsWith(prefix)) {
                    parameters.put(key.substring(prefix.length()), value);
                }
            });
            String name = text(kind.label());
            if (name.startsWith("(") && !parameters.isEmpty()) {
                others.accept("key '" + prefix + parameters.firstKey() + "' is a parameter of a policy, and key "
                        + kind.label() + " is a filter: with a filter, parameters are not allowed");
            } else if (!name.isEmpty()) {
                choices.put(kind, new PolicyChoice(name, parameters));
            } else if (!parameters.isEmpty()) {
                others.accept("key '" + prefix + parameters.firstKey() + "' is a parameter of a policy, and key "
                        + kind.label() + " names none: allowed is the name of the policy there");
            }
            if (entries.containsKey("fallbacks." + kind.label())) {
                fallbacks.put(kind, names("fallbacks." + kind.label()));
            }
        }
        return new PoolPolicies(choices, fallbacks);
    }
}

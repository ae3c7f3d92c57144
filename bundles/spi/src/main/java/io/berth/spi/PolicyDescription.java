package io.berth.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What a policy says about itself before an instance exists. For the host it is the single source of truth about the
 * configuration: the host checks a configuration against these keys before it calls {@code create}, and shows the keys
 * to tools as metatype.
 *
 * @param name the name that selects the policy, unique within its kind: lower-case letters, digits and hyphens
 * @param summary one line for people
 * @param configuration the keys that the policy understands, at most 100, without duplicates; other keys are rejected
 */
public record PolicyDescription(String name, String summary, List<ConfigurationKey> configuration) {

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,63}");
    private static final int MAX_KEYS = 100;

    public PolicyDescription {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("policy name '" + name
                    + "': allowed are 1 to 64 lower-case letters, digits and hyphens, a letter first");
        }
        configuration = List.copyOf(configuration);
        if (configuration.size() > MAX_KEYS) {
            throw new IllegalArgumentException("policy " + name + " describes " + configuration.size()
                    + " configuration keys: at most " + MAX_KEYS + " are allowed");
        }
        Set<String> seen = new TreeSet<>();
        for (ConfigurationKey key : configuration) {
            if (!seen.add(key.key())) {
                throw new IllegalArgumentException(
                        "policy " + name + " describes configuration key " + key.key() + " twice: once is allowed");
            }
        }
    }

    /** A policy that understands no configuration key. */
    public PolicyDescription(String name, String summary) {
        this(name, summary, List.of());
    }

    /** The description of a key. */
    public Optional<ConfigurationKey> key(String key) {
        return configuration.stream().filter(one -> one.key().equals(key)).findFirst();
    }

    /**
     * What is wrong with a configuration: one line for each problem, with the key, the value and what is allowed.
     * Empty when the host would pass it to {@code create}.
     */
    public List<String> problems(SortedMap<String, String> given) {
        List<String> problems = new ArrayList<>();
        given.forEach((key, value) -> key(key).ifPresentOrElse(
                        known -> known.problem(value).ifPresent(problems::add),
                        () -> problems.add("unknown key " + ConfigurationKey.shown(key) + "; "
                                + (configuration.isEmpty()
                                        ? "it knows none"
                                        : "known are "
                                                + String.join(
                                                        ", ",
                                                        configuration.stream()
                                                                .map(ConfigurationKey::key)
                                                                .toList())))));
        for (ConfigurationKey key : configuration) {
            if (key.required() && !given.containsKey(key.key())) {
                problems.add(
                        "key " + key.key() + " is missing: " + key.allowed() + " is required (" + key.meaning() + ")");
            }
        }
        return problems;
    }

    /** The type of a value. Types may be added. */
    public enum ValueType {
        /** Characters; the bounds limit their number. */
        TEXT,
        /** A whole number within the bounds. */
        NUMBER,
        /** {@code true} or {@code false}. */
        FLAG,
        /** One of the options. */
        CHOICE
    }

    /**
     * One configuration key of a policy. Create it with {@link #text}, {@link #number}, {@link #flag}, {@link #choice}
     * and {@link #asRequired}; components may be added.
     *
     * @param key lower-case, dotted, with the unit in the name
     * @param defaultValue the value when the key is not given; empty for a required key
     * @param meaning one line for people
     * @param type of its value
     * @param required whether the policy cannot be created without it
     * @param least smallest number, or minimum length of a text
     * @param most largest number, or maximum length of a text
     * @param options the allowed values of a choice, in display order
     */
    public record ConfigurationKey(
            String key,
            String defaultValue,
            String meaning,
            ValueType type,
            boolean required,
            long least,
            long most,
            List<String> options) {

        private static final Pattern KEY = Pattern.compile("[a-z][a-z0-9._-]{0,79}");
        private static final int MAX_TEXT = 4_096;
        private static final int MAX_SHOWN = 100;
        private static final int MAX_MEANING = 1_000;
        private static final int MAX_OPTIONS = 100;

        public ConfigurationKey {
            if (!KEY.matcher(key).matches()) {
                throw new IllegalArgumentException("configuration key '" + key
                        + "': allowed are 1 to 80 lower-case letters, digits, dots, underscores and hyphens, a letter"
                        + " first");
            }
            options = List.copyOf(options);
            if (meaning.length() > MAX_MEANING
                    || options.size() > MAX_OPTIONS
                    || options.stream().anyMatch(option -> option.length() > MAX_SHOWN)) {
                throw new IllegalArgumentException("configuration key " + key + ": allowed are a meaning of "
                        + MAX_MEANING + " characters and " + MAX_OPTIONS + " options of " + MAX_SHOWN
                        + " characters");
            }
            if (least > most) {
                throw new IllegalArgumentException(
                        "configuration key " + key + " has bounds " + least + " to " + most + ": none is allowed");
            }
            if (type == ValueType.CHOICE && options.isEmpty()) {
                throw new IllegalArgumentException("configuration key " + key + " is a choice without options");
            }
            Optional<String> problem =
                    required ? Optional.empty() : problem(key, defaultValue, type, least, most, options);
            if (problem.isPresent()) {
                throw new IllegalArgumentException("the default of configuration key " + problem.get());
            }
        }

        /** A text of up to 4096 characters. */
        public ConfigurationKey(String key, String defaultValue, String meaning) {
            this(key, defaultValue, meaning, ValueType.TEXT, false, 0, MAX_TEXT, List.of());
        }

        /** A text of up to 4096 characters. */
        public static ConfigurationKey text(String key, String defaultValue, String meaning) {
            return new ConfigurationKey(key, defaultValue, meaning);
        }

        /** A whole number from {@code least} to {@code most}. */
        public static ConfigurationKey number(String key, long defaultValue, long least, long most, String meaning) {
            return new ConfigurationKey(
                    key, Long.toString(defaultValue), meaning, ValueType.NUMBER, false, least, most, List.of());
        }

        /** {@code true} or {@code false}. */
        public static ConfigurationKey flag(String key, boolean defaultValue, String meaning) {
            return new ConfigurationKey(
                    key, Boolean.toString(defaultValue), meaning, ValueType.FLAG, false, 0, 0, List.of());
        }

        /** One of the options. */
        public static ConfigurationKey choice(String key, String defaultValue, List<String> options, String meaning) {
            return new ConfigurationKey(key, defaultValue, meaning, ValueType.CHOICE, false, 0, 0, options);
        }

        /** The same key without a default: a configuration without it is rejected. */
        public ConfigurationKey asRequired() {
            return new ConfigurationKey(key, "", meaning, type, true, least, most, options);
        }

        /** What is wrong with a value: the key, the value and what is allowed. */
        public Optional<String> problem(String given) {
            return problem(key, given, type, least, most, options);
        }

        /** What is allowed, for people. */
        public String allowed() {
            return allowed(type, least, most, options);
        }

        private static Optional<String> problem(
                String key, String given, ValueType type, long least, long most, List<String> options) {
            boolean fits = switch (type) {
                case TEXT -> given.length() >= least && given.length() <= most;
                case NUMBER -> isNumber(given.trim(), least, most);
                case FLAG -> given.trim().equals("true") || given.trim().equals("false");
                case CHOICE -> options.contains(given.trim());
            };
            return fits
                    ? Optional.empty()
                    : Optional.of(
                            key + " is '" + shown(given) + "': " + allowed(type, least, most, options) + " is allowed");
        }

        private static boolean isNumber(String given, long least, long most) {
            try {
                long value = Long.parseLong(given);
                return value >= least && value <= most;
            } catch (NumberFormatException none) {
                return false;
            }
        }

        private static String allowed(ValueType type, long least, long most, List<String> options) {
            return switch (type) {
                case TEXT -> "a text of " + least + " to " + most + " characters";
                case NUMBER -> "a whole number from " + least + " to " + most;
                case FLAG -> "true or false";
                case CHOICE -> options.size() == 1 ? options.get(0) : "one of " + String.join(", ", options);
            };
        }

        /** The value, shortened to what a message may show. */
        static String shown(String given) {
            return given.length() <= MAX_SHOWN
                    ? given
                    : given.substring(0, MAX_SHOWN) + "... (" + given.length() + " characters)";
        }
    }
}

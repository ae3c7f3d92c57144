package io.berth.spi;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One configuration key of a policy: its name, the type of its value, what is allowed and the default. Immutable.
 * {@link #text}, {@link #number} and the other static methods create it.
 *
 * <p>A key with a part {@code *}, such as {@code queue.*.weight}, is a pattern. It describes all keys that have 1 to
 * 64 letters, digits, dots, hyphens or underscores in place of the star.
 */
public final class ConfigurationKey {

    private static final Pattern KEY = Pattern.compile("[a-z][a-z0-9._-]{0,79}");
    private static final Pattern PATTERN = Pattern.compile("[a-z][a-z0-9_-]*(\\.[a-z0-9_-]+)*\\.\\*(\\.[a-z0-9_-]+)*");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final int MAX_KEY = 80;
    private static final int MAX_TEXT = 4_096;
    private static final int MAX_SHOWN = 100;
    private static final int MAX_MEANING = 1_000;
    private static final int MAX_OPTIONS = 100;
    private static final int MAX_ITEMS = 1_000;

    private final String key;
    private final String defaultValue;
    private final String meaning;
    private final ValueType type;
    private final boolean required;
    private final BigDecimal minimum;
    private final BigDecimal maximum;
    private final List<String> options;

    private ConfigurationKey(
            String key,
            String defaultValue,
            String meaning,
            ValueType type,
            boolean required,
            BigDecimal minimum,
            BigDecimal maximum,
            List<String> options) {
        this.key = key;
        this.defaultValue = defaultValue;
        this.meaning = meaning;
        this.type = type;
        this.required = required;
        this.minimum = minimum;
        this.maximum = maximum;
        this.options = List.copyOf(options);
        boolean named = key.indexOf('*') < 0
                ? KEY.matcher(key).matches()
                : key.length() <= MAX_KEY && PATTERN.matcher(key).matches();
        if (!named) {
            throw new IllegalArgumentException("configuration key '" + shown(key)
                    + "': allowed are 1 to 80 lower-case letters, digits, dots, underscores and hyphens, a letter"
                    + " first; one part between dots, but not the first, may be *");
        }
        if (meaning.length() > MAX_MEANING
                || options.size() > MAX_OPTIONS
                || options.stream().anyMatch(option -> option.length() > MAX_SHOWN)) {
            throw new IllegalArgumentException("configuration key " + key + ": allowed are a meaning of " + MAX_MEANING
                    + " characters and " + MAX_OPTIONS + " options of " + MAX_SHOWN + " characters");
        }
        if (minimum.compareTo(maximum) > 0) {
            throw new IllegalArgumentException("configuration key " + key + " has bounds " + ValueText.of(type, minimum)
                    + " to " + ValueText.of(type, maximum) + ": no value is allowed");
        }
        if (type == ValueType.CHOICE && options.isEmpty()) {
            throw new IllegalArgumentException("configuration key " + key + " is a choice without options");
        }
        if (!required) {
            problem(key, defaultValue).ifPresent(problem -> {
                throw new IllegalArgumentException("the default of configuration key " + problem);
            });
        }
    }

    private static ConfigurationKey of(
            String key, String defaultValue, String meaning, ValueType type, BigDecimal minimum, BigDecimal maximum) {
        return new ConfigurationKey(key, defaultValue, meaning, type, false, minimum, maximum, List.of());
    }

    private static ConfigurationKey of(
            String key, BigDecimal value, BigDecimal minimum, BigDecimal maximum, ValueType type, String meaning) {
        return of(key, ValueText.of(type, value), meaning, type, minimum, maximum);
    }

    /** A text of up to 4096 characters. */
    public static ConfigurationKey text(String key, String defaultValue, String meaning) {
        return of(key, defaultValue, meaning, ValueType.TEXT, BigDecimal.ZERO, BigDecimal.valueOf(MAX_TEXT));
    }

    /** A whole number from {@code minimum} to {@code maximum}. */
    public static ConfigurationKey number(String key, long defaultValue, long minimum, long maximum, String meaning) {
        return of(
                key,
                BigDecimal.valueOf(defaultValue),
                BigDecimal.valueOf(minimum),
                BigDecimal.valueOf(maximum),
                ValueType.NUMBER,
                meaning);
    }

    /** A number from {@code minimum} to {@code maximum} that may have decimal places. */
    public static ConfigurationKey decimal(
            String key, double defaultValue, double minimum, double maximum, String meaning) {
        return of(
                key,
                BigDecimal.valueOf(defaultValue),
                BigDecimal.valueOf(minimum),
                BigDecimal.valueOf(maximum),
                ValueType.DECIMAL,
                meaning);
    }

    /** A part of a whole, from 0 to 1. */
    public static ConfigurationKey share(String key, double defaultValue, String meaning) {
        return of(key, BigDecimal.valueOf(defaultValue), BigDecimal.ZERO, BigDecimal.ONE, ValueType.SHARE, meaning);
    }

    /** A length of time from {@code minimum} to {@code maximum}, in whole milliseconds. */
    public static ConfigurationKey duration(
            String key, Duration defaultValue, Duration minimum, Duration maximum, String meaning) {
        return of(
                key,
                BigDecimal.valueOf(defaultValue.toMillis()),
                BigDecimal.valueOf(minimum.toMillis()),
                BigDecimal.valueOf(maximum.toMillis()),
                ValueType.DURATION,
                meaning);
    }

    /** A number of bytes from {@code minimum} to {@code maximum}. */
    public static ConfigurationKey size(String key, long defaultValue, long minimum, long maximum, String meaning) {
        return of(
                key,
                BigDecimal.valueOf(defaultValue),
                BigDecimal.valueOf(minimum),
                BigDecimal.valueOf(maximum),
                ValueType.SIZE,
                meaning);
    }

    /** {@code true} or {@code false}. */
    public static ConfigurationKey flag(String key, boolean defaultValue, String meaning) {
        return of(key, Boolean.toString(defaultValue), meaning, ValueType.FLAG, BigDecimal.ZERO, BigDecimal.ZERO);
    }

    /** One of the options. */
    public static ConfigurationKey choice(String key, String defaultValue, List<String> options, String meaning) {
        return new ConfigurationKey(
                key, defaultValue, meaning, ValueType.CHOICE, false, BigDecimal.ZERO, BigDecimal.ZERO, options);
    }

    /** Up to 1000 texts, separated by commas, none empty. */
    public static ConfigurationKey list(String key, List<String> defaultValue, String meaning) {
        return of(
                key,
                String.join(", ", defaultValue),
                meaning,
                ValueType.LIST,
                BigDecimal.ZERO,
                BigDecimal.valueOf(MAX_ITEMS));
    }

    /** The same key without a default: a configuration without it is rejected. A pattern cannot be required. */
    public ConfigurationKey asRequired() {
        if (isPattern()) {
            throw new IllegalArgumentException(
                    "configuration key " + key + " is a pattern and required: only one without * can be required");
        }
        return new ConfigurationKey(key, "", meaning, type, true, minimum, maximum, options);
    }

    /** Lower-case, dotted. A number has its unit in the name. */
    public String key() {
        return key;
    }

    /** The value when the key is not given; empty for a required key. */
    public String defaultValue() {
        return defaultValue;
    }

    /** One line for people. */
    public String meaning() {
        return meaning;
    }

    /** The type of the value. */
    public ValueType type() {
        return type;
    }

    /** Whether the policy cannot be created without the key. */
    public boolean required() {
        return required;
    }

    /** The allowed values of a choice, in display order; otherwise empty. */
    public List<String> options() {
        return options;
    }

    /** Whether the key has a star, so that it describes any number of keys. */
    public boolean isPattern() {
        return key.indexOf('*') >= 0;
    }

    /** Whether it describes the given key: the same one, or one that the pattern fits. */
    public boolean describes(String given) {
        return isPattern() ? nameIn(given).isPresent() : key.equals(given);
    }

    /** What the given key has in place of the star; empty when the pattern does not fit it. */
    public Optional<String> nameIn(String given) {
        int star = key.indexOf('*');
        if (star < 0) {
            return Optional.empty();
        }
        String before = key.substring(0, star);
        String after = key.substring(star + 1);
        int end = given.length() - after.length();
        return end > star
                        && given.startsWith(before)
                        && given.endsWith(after)
                        && NAME.matcher(given.substring(star, end)).matches()
                ? Optional.of(given.substring(star, end))
                : Optional.empty();
    }

    /** What is wrong with a value of this key: the key, the value and what is allowed. */
    public Optional<String> problem(String value) {
        return problem(key, value);
    }

    /** What is wrong with a value of a key that this one describes: the given key, the value and what is allowed. */
    public Optional<String> problem(String given, String value) {
        return fits(value)
                ? Optional.empty()
                : Optional.of(given + " is '" + shown(value) + "': " + allowed() + " is allowed");
    }

    private boolean fits(String value) {
        return switch (type) {
            case TEXT -> within(BigDecimal.valueOf(value.length()));
            case FLAG -> value.trim().equals("true") || value.trim().equals("false");
            case CHOICE -> options.contains(value.trim());
            case LIST ->
                value.length() <= MAX_TEXT
                        && within(BigDecimal.valueOf(items(value).size()))
                        && items(value).stream().noneMatch(String::isEmpty);
            default -> ValueText.amount(type, value).filter(this::within).isPresent();
        };
    }

    private boolean within(BigDecimal amount) {
        return amount.compareTo(minimum) >= 0 && amount.compareTo(maximum) <= 0;
    }

    /**
     * The amount that a valid value states, in the base unit of its type: itself for numbers, from 0 to 1 for shares,
     * milliseconds for durations, bytes for sizes.
     *
     * @throws IllegalArgumentException when the value is not valid, or has a type without amounts
     */
    public BigDecimal amount(String value) {
        return ValueText.amount(type, value)
                .filter(this::within)
                .orElseThrow(() -> new IllegalArgumentException(problem(value)
                        .orElse("configuration key " + key + " is of type " + type + ", which has no amounts")));
    }

    /** The items of a list, without the blanks around them. */
    public static List<String> items(String value) {
        return value.isBlank()
                ? List.of()
                : Arrays.stream(value.split(",", -1)).map(String::trim).toList();
    }

    /** What is allowed, for people. */
    public String allowed() {
        return switch (type) {
            case FLAG -> "true or false";
            case CHOICE -> options.size() == 1 ? options.get(0) : "one of " + String.join(", ", options);
            default -> ValueText.allowed(type, minimum, maximum);
        };
    }

    /** The value, shortened to what a message may show. */
    static String shown(String given) {
        return given.length() <= MAX_SHOWN
                ? given
                : given.substring(0, MAX_SHOWN) + "... (" + given.length() + " characters)";
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ConfigurationKey that
                && key.equals(that.key)
                && defaultValue.equals(that.defaultValue)
                && meaning.equals(that.meaning)
                && type == that.type
                && required == that.required
                && minimum.compareTo(that.minimum) == 0
                && maximum.compareTo(that.maximum) == 0
                && options.equals(that.options);
    }

    @Override
    public int hashCode() {
        return Objects.hash(key, defaultValue, meaning, type, required, options);
    }

    @Override
    public String toString() {
        return key + " (" + allowed() + (required ? ", required" : ", default '" + shown(defaultValue) + "'") + ")";
    }
}

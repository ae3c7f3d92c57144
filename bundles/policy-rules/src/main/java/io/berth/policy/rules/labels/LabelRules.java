package io.berth.policy.rules.labels;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What labels and taints of workers may be, and how constraints compare them. */
public final class LabelRules {

    /** Begins the keys of labels and taints that only Berth itself gives. */
    public static final String RESERVED = "berth.";

    /** How many labels, and how many taints, a worker or spec may have. */
    public static final int MAX_LABELS = 64;

    /** Maximum length of a key or a value in a constraint, and of a value of a label, in characters. */
    public static final int MAX_TEXT = 256;

    /** What a key may be, for people. */
    public static final String KEY_ALLOWED =
            "allowed are 1 to 128 letters, digits, '.', '_', '/' and '-', the first and the last a letter or digit";

    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._/-]{0,126}[A-Za-z0-9])?");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(\\.[0-9]+)?");
    private static final int MAX_NUMBER = 32;

    private LabelRules() {}

    /** Whether a label or taint may have the key; {@link #KEY_ALLOWED} says it in words. */
    public static boolean isKey(String text) {
        return KEY.matcher(text).matches();
    }

    /** The number that a text is. */
    public static Optional<BigDecimal> number(String text) {
        // The length bounds the cost, and there is no exponent.
        return text.length() <= MAX_NUMBER && NUMBER.matcher(text).matches()
                ? Optional.of(new BigDecimal(text))
                : Optional.empty();
    }

    /** @param value of the label; null when the worker does not have it */
    public static boolean in(@Nullable String value, List<String> values) {
        return value != null && values.contains(value);
    }

    /** @param value of the label; null when the worker does not have it */
    public static boolean notIn(@Nullable String value, List<String> values) {
        return !in(value, values);
    }

    /**
     * @param value of the label; null when the worker does not have it
     * @param than a number
     */
    public static boolean greater(@Nullable String value, String than) {
        return value != null
                && number(value)
                        .filter(given -> given.compareTo(new BigDecimal(than)) > 0)
                        .isPresent();
    }

    /**
     * The first taint that keeps slots away.
     *
     * @param tolerate by key; the value is empty when every value of the taint is tolerated
     */
    public static Optional<String> notTolerated(SortedMap<String, String> taints, Map<String, String> tolerate) {
        for (Map.Entry<String, String> taint : taints.entrySet()) {
            String tolerated = tolerate.get(taint.getKey());
            if (tolerated == null || !tolerated.isEmpty() && !tolerated.equals(taint.getValue())) {
                return Optional.of(taint.getKey());
            }
        }
        return Optional.empty();
    }
}

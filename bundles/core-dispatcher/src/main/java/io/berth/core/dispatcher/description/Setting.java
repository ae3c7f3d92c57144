package io.berth.core.dispatcher.description;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * A setting of a built-in operator.
 *
 * @param missing what a required setting should be, when it is not given; empty for one that may be left out
 * @param allowed the values that are right, for people
 */
record Setting(String key, Optional<String> missing, Predicate<String> fits, String allowed) {

    private static final Pattern FILE_NAME = Pattern.compile("[^./\\\\\\p{Cntrl}][^/\\\\\\p{Cntrl}]{0,199}");

    private static final String COLUMN_TYPES = "string, long, double, decimal, boolean, instant";
    private static final Pattern TYPED =
            Pattern.compile("[^=]+=\\s*(" + COLUMN_TYPES.replace(", ", "|") + ")", Pattern.DOTALL);

    static Setting text(String key) {
        return new Setting(key, Optional.empty(), value -> !value.isBlank(), "a text that is not blank");
    }

    static Setting requiredText(String key, String allowed) {
        return new Setting(key, Optional.of(allowed), value -> !value.isBlank(), allowed);
    }

    static Setting number(String key, long minimum, long maximum) {
        return new Setting(
                key,
                Optional.empty(),
                value -> isNumber(value, minimum, maximum),
                "a whole number from " + minimum + " to " + maximum);
    }

    static Setting requiredNumber(String key, long minimum, long maximum) {
        Setting number = number(key, minimum, maximum);
        return new Setting(key, Optional.of(number.allowed), number.fits, number.allowed);
    }

    static Setting choice(String key, String... allowed) {
        return new Setting(key, Optional.empty(), List.of(allowed)::contains, "one of " + String.join(", ", allowed));
    }

    static Setting flag(String key) {
        return new Setting(key, Optional.empty(), List.of("true", "false")::contains, "true or false");
    }

    static Setting delimiter(String key) {
        return new Setting(
                key,
                Optional.empty(),
                Setting::isDelimiter,
                "one ASCII character other than a quote or line end, or the word tab");
    }

    private static boolean isDelimiter(String value) {
        return value.equals("tab") || value.length() == 1 && value.charAt(0) < 128 && "\"\n\r".indexOf(value) < 0;
    }

    /** Names of columns. */
    static Setting columns(String key) {
        return new Setting(
                key, Optional.empty(), value -> isOnce(parts(value)), "names separated by commas, each once");
    }

    /** Types of columns. */
    static Setting types(String key) {
        return new Setting(
                key,
                Optional.empty(),
                value -> isOnce(typedColumns(value))
                        && parts(value).stream()
                                .allMatch(each -> TYPED.matcher(each).matches()),
                "COLUMN=TYPE, separated by commas, each column once, with a TYPE of " + COLUMN_TYPES);
    }

    /** What commas separate. */
    static List<String> parts(String value) {
        return Arrays.stream(value.split(",", -1)).map(String::trim).toList();
    }

    /** The columns to which {@link #types} gives a type. */
    static List<String> typedColumns(String value) {
        return parts(value).stream().map(each -> each.split("=", 2)[0].trim()).toList();
    }

    private static boolean isOnce(List<String> names) {
        return !names.contains("") && names.stream().distinct().count() == names.size();
    }

    static Setting fileName(String key) {
        return new Setting(
                key,
                Optional.empty(),
                value -> FILE_NAME.matcher(value).matches(),
                "a file name of 1 to 200 characters, without a directory, that does not start with a dot");
    }

    private static boolean isNumber(String value, long minimum, long maximum) {
        try {
            long number = Long.parseLong(value.trim());
            return number >= minimum && number <= maximum;
        } catch (NumberFormatException noNumber) {
            return false;
        }
    }
}

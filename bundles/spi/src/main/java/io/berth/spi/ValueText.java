package io.berth.spi;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Amounts of a {@link ValueType} as text: how they are read and written. */
final class ValueText {

    private static final Pattern AMOUNT = Pattern.compile("(-?[0-9]{1,19}(?:\\.[0-9]{1,18})?)\\s*([A-Za-z%]{0,3})");
    /** From the largest to the smallest. */
    private static final Map<String, Long> DURATIONS =
            units("d", 86_400_000, "h", 3_600_000, "min", 60_000, "s", 1_000);

    private static final Map<String, Long> SIZES =
            units("TiB", 1L << 40, "GiB", 1L << 30, "MiB", 1L << 20, "KiB", 1L << 10);

    private ValueText() {}

    private static Map<String, Long> units(
            String first, long one, String second, long two, String third, long three, String fourth, long four) {
        Map<String, Long> units = new LinkedHashMap<>();
        units.put(first, one);
        units.put(second, two);
        units.put(third, three);
        units.put(fourth, four);
        return units;
    }

    /** The amount in the base unit; empty when the text states none of this type. */
    static Optional<BigDecimal> amount(ValueType type, String text) {
        Matcher matcher = AMOUNT.matcher(text.trim());
        if (!matcher.matches()) {
            return Optional.empty();
        }
        BigDecimal number = new BigDecimal(matcher.group(1));
        String unit = matcher.group(2);
        return switch (type) {
            case NUMBER -> unit.isEmpty() && number.scale() == 0 ? Optional.of(number) : Optional.empty();
            case DECIMAL -> unit.isEmpty() ? Optional.of(number) : Optional.empty();
            case SHARE -> share(number, unit);
            case DURATION -> whole(number, unit.equals("ms") ? 1 : DURATIONS.getOrDefault(unit, zero(number, unit)));
            case SIZE -> whole(number, sizeUnit(number, unit));
            default -> Optional.empty();
        };
    }

    private static Optional<BigDecimal> share(BigDecimal number, String unit) {
        if (unit.equals("%")) {
            return Optional.of(number.movePointLeft(2));
        }
        return unit.isEmpty() ? Optional.of(number) : Optional.empty();
    }

    /** Zero needs no unit. */
    private static long zero(BigDecimal number, String unit) {
        return number.signum() == 0 && unit.isEmpty() ? 1 : 0;
    }

    private static long sizeUnit(BigDecimal number, String unit) {
        if (unit.equals("B")) {
            return 1;
        }
        for (Map.Entry<String, Long> one : SIZES.entrySet()) {
            String name = one.getKey();
            // 512m as for a Java heap.
            if (unit.equals(name) || unit.toUpperCase(Locale.ROOT).equals(name.substring(0, 1))) {
                return one.getValue();
            }
        }
        return zero(number, unit);
    }

    private static Optional<BigDecimal> whole(BigDecimal number, long unit) {
        BigDecimal amount = number.multiply(BigDecimal.valueOf(unit)).stripTrailingZeros();
        return unit > 0 && amount.scale() <= 0 ? Optional.of(amount) : Optional.empty();
    }

    /** The amount in the largest unit that keeps it whole. */
    static String of(ValueType type, BigDecimal amount) {
        return switch (type) {
            case DURATION -> with(amount, DURATIONS, "ms");
            case SIZE -> with(amount, SIZES, "B");
            case DECIMAL, SHARE -> plain(amount);
            default -> amount.toBigInteger().toString();
        };
    }

    private static String with(BigDecimal amount, Map<String, Long> units, String smallest) {
        long value = amount.longValueExact();
        for (Map.Entry<String, Long> unit : units.entrySet()) {
            if (value != 0 && value % unit.getValue() == 0) {
                return value / unit.getValue() + " " + unit.getKey();
            }
        }
        return value + " " + smallest;
    }

    private static String plain(BigDecimal amount) {
        return amount.signum() == 0 ? "0" : amount.stripTrailingZeros().toPlainString();
    }

    /** What is allowed, for people. */
    static String allowed(ValueType type, BigDecimal minimum, BigDecimal maximum) {
        String bounds = of(type, minimum) + " to " + of(type, maximum);
        return switch (type) {
            case TEXT -> "a text of " + bounds + " characters";
            case NUMBER -> "a whole number from " + bounds;
            case DECIMAL -> "a number from " + bounds;
            case SHARE -> "a share from " + bounds + " (0.8 or 80 %)";
            case DURATION -> "a duration from " + bounds + " (units ms, s, min, h, d)";
            case SIZE -> "a size from " + bounds + " (units B, KiB, MiB, GiB, TiB)";
            case LIST -> "a list of " + bounds + " texts (separated by commas)";
            default -> type.name();
        };
    }
}

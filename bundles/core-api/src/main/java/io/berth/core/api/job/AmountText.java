package io.berth.core.api.job;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** Amounts of resources for people: cores, sizes with a unit, and plain numbers for all others. */
public final class AmountText {

    private static final List<String> SIZES = List.of("heap", "off-heap", "managed");
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

    private AmountText() {}

    /**
     * For example {@code cpu=2.5} or {@code heap=1.5GiB}; sizes are rounded to one decimal.
     *
     * @param resource name
     * @param amount thousandths of a core for {@code cpu}, bytes for sizes
     */
    public static String of(String resource, long amount) {
        if (resource.equals("cpu")) {
            return resource + "=" + plain(BigDecimal.valueOf(amount, 3));
        }
        if (!SIZES.contains(resource)) {
            return resource + "=" + amount;
        }
        int unit = 0;
        while (unit < UNITS.length - 1 && amount >= 1L << 10 * (unit + 1)) {
            unit++;
        }
        BigDecimal size =
                BigDecimal.valueOf(amount).divide(BigDecimal.valueOf(1L << 10 * unit), 1, RoundingMode.HALF_UP);
        return resource + "=" + plain(size) + UNITS[unit];
    }

    /** All of them, with a space between. */
    public static String of(SortedMap<String, Long> amounts) {
        return amounts.entrySet().stream()
                .map(amount -> of(amount.getKey(), amount.getValue()))
                .collect(Collectors.joining(" "));
    }

    private static String plain(BigDecimal number) {
        return number.stripTrailingZeros().toPlainString();
    }
}

package io.berth.core.api.job;

import java.math.BigDecimal;

/** What something costs, as text for people. */
public final class CostText {

    private CostText() {}

    /** {@code 0.25}; {@code -} for 0, which stands for a cost that is not known. */
    public static String of(double costPerHour) {
        return costPerHour == 0
                ? "-"
                : BigDecimal.valueOf(costPerHour).stripTrailingZeros().toPlainString();
    }
}

package io.berth.runtime.dataflow.files.csv;

import io.berth.dataflow.api.Configuration;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What the texts of a column are read as. */
enum ColumnType {
    STRING("any text") {
        @Override
        Object parse(String text) {
            return text;
        }
    },
    LONG("a whole number of 64 bits") {
        @Override
        Object parse(String text) {
            return Long.parseLong(text.trim());
        }
    },
    DOUBLE("a number") {
        @Override
        Object parse(String text) {
            return number(text.trim());
        }
    },
    DECIMAL("a decimal number") {
        @Override
        Object parse(String text) {
            return new BigDecimal(text.trim());
        }
    },
    BOOLEAN("true or false") {
        @Override
        Object parse(String text) {
            return switch (text.trim().toLowerCase(Locale.ROOT)) {
                case "true" -> true;
                case "false" -> false;
                default -> throw new NumberFormatException(text);
            };
        }
    },
    INSTANT("a time such as 2030-01-31T12:00:00Z") {
        @Override
        Object parse(String text) {
            return Instant.parse(text.trim());
        }
    };

    /** Also NaN and the infinities, as sinks write them; without what else Java takes, such as 5D and 0x1p3. */
    private static double number(String text) {
        for (int i = 0; i < text.length(); i++) {
            if ("0123456789.+-eE".indexOf(text.charAt(i)) < 0 && !NO_FINITE.contains(text)) {
                throw new NumberFormatException(text);
            }
        }
        return Double.parseDouble(text);
    }

    private static final Set<String> NO_FINITE = Set.of("NaN", "Infinity", "-Infinity");

    private static final String WORDS =
            Arrays.stream(values()).map(ColumnType::word).collect(Collectors.joining(", "));

    private final String allowed;

    ColumnType(String allowed) {
        this.allowed = allowed;
    }

    String allowed() {
        return allowed;
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    abstract Object parse(String text);

    /** The value; empty if the text does not fit. */
    Optional<Object> read(String text) {
        try {
            return Optional.of(parse(text));
        } catch (NumberFormatException | DateTimeException refused) {
            return Optional.empty();
        }
    }

    /** The types that {@code key} gives to columns: {@code price=double,at=instant}. */
    static Map<String, ColumnType> of(Configuration configuration, String key) {
        Map<String, ColumnType> types = new LinkedHashMap<>();
        for (String each : configuration.text(key, "").split(",")) {
            if (each.isBlank()) {
                continue;
            }
            String[] parts = each.split("=", 2);
            Optional<ColumnType> type = Arrays.stream(values())
                    .filter(candidate -> parts.length == 2 && candidate.word().equals(parts[1].trim()))
                    .findFirst();
            if (type.isEmpty() || parts[0].isBlank()) {
                throw configuration.refused(key, "COLUMN=TYPE, separated by commas, with a TYPE of " + WORDS);
            }
            if (types.put(parts[0].trim(), type.get()) != null) {
                throw configuration.refused(key, "each column once");
            }
        }
        return types;
    }
}

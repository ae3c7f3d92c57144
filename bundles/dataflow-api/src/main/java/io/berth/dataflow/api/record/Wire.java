package io.berth.dataflow.api.record;

import java.util.List;

/**
 * The type of a value as bytes. Whole numbers of all sizes have the same bytes.
 *
 * @param parts types of elements, of keys and values, or of what may be missing
 * @param definition number of the record or enum within the {@link Schema}; 0 for other kinds
 */
record Wire(Kind kind, List<Wire> parts, int definition) {

    /** Their order is part of the format: new ones come last. */
    enum Kind {
        BOOLEAN("boolean"),
        CHAR("char"),
        INTEGER("a whole number"),
        FLOAT("float"),
        DOUBLE("double"),
        STRING("String"),
        BYTES("byte[]"),
        DECIMAL("BigDecimal"),
        INSTANT("Instant"),
        DURATION("Duration"),
        UUID("UUID"),
        NULLABLE("a value or null"),
        OPTIONAL("Optional"),
        LIST("List"),
        SET("Set"),
        MAP("Map"),
        RECORD("a record"),
        ENUM("an enum");

        private final String title;

        Kind(String title) {
            this.title = title;
        }

        int parts() {
            return this == MAP ? 2 : this == NULLABLE || this == OPTIONAL || this == LIST || this == SET ? 1 : 0;
        }

        boolean isDefined() {
            return this == RECORD || this == ENUM;
        }
    }

    Wire {
        parts = List.copyOf(parts);
    }

    static Wire of(Kind kind) {
        return new Wire(kind, List.of(), 0);
    }

    static Wire of(Kind kind, Wire... parts) {
        return new Wire(kind, List.of(parts), 0);
    }

    static Wire defined(Kind kind, int definition) {
        return new Wire(kind, List.of(), definition);
    }

    @Override
    public String toString() {
        return parts.isEmpty() ? kind.title : kind.title + " of " + parts;
    }
}

package io.berth.core.dispatcher.description;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A part of a job description, read but not yet checked. Immutable. */
sealed interface DescriptionNode {

    /** The part as shown in a message: short, on one line. */
    String given();

    /** Names and their values, in the order of the text. */
    record Mapping(Map<String, DescriptionNode> fields) implements DescriptionNode {

        public Mapping {
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        }

        @Override
        public String given() {
            return "a mapping of " + fields.size() + (fields.size() == 1 ? " field" : " fields");
        }
    }

    record Sequence(List<DescriptionNode> items) implements DescriptionNode {

        public Sequence {
            items = List.copyOf(items);
        }

        @Override
        public String given() {
            return "a list of " + items.size() + (items.size() == 1 ? " item" : " items");
        }
    }

    /** A single value, as text. */
    record Scalar(String text, ScalarKind kind) implements DescriptionNode {

        private static final int SHOWN = 80;

        @Override
        public String given() {
            if (kind == ScalarKind.NOTHING) {
                return "nothing";
            }
            String line = text.replaceAll("\\p{Cntrl}", " ");
            String shown = line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "...";
            return kind == ScalarKind.TEXT ? "'" + shown + "'" : shown;
        }
    }

    /** The kind of a value, from its looks when it is unquoted. Quoted values are text. */
    enum ScalarKind {
        TEXT,
        NUMBER,
        BOOLEAN,
        NOTHING
    }
}

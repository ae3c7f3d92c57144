package io.berth.dataflow.api.record;

import io.berth.dataflow.api.RecordInput;
import io.berth.dataflow.api.RecordOutput;
import io.berth.dataflow.api.record.Wire.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The records and enums that a stream contains, by name and structure. The first one is the record of the stream itself.
 * Immutable.
 */
record Schema(List<Definition> definitions) {

    private static final int MAX_DEPTH = 64;
    private static final int MAX_DEFINITIONS = 10_000;
    private static final Kind[] KINDS = Kind.values();

    /**
     * A record or an enum.
     *
     * @param name of its class, for people
     * @param names of components, or of constants
     * @param types of components; empty for an enum
     */
    record Definition(String name, List<String> names, List<Wire> types) {
        Definition {
            names = List.copyOf(names);
            types = List.copyOf(types);
        }
    }

    Schema {
        definitions = List.copyOf(definitions);
    }

    byte[] toBytes() {
        RecordOutput out = RecordOutput.growing();
        out.writeVarInt(definitions.size());
        for (Definition definition : definitions) {
            text(definition.name(), out);
            out.writeVarInt(definition.names().size());
            definition.names().forEach(name -> text(name, out));
            out.writeVarInt(definition.types().size());
            definition.types().forEach(type -> write(type, out));
        }
        return out.toByteArray();
    }

    private static void write(Wire type, RecordOutput out) {
        out.writeByte(type.kind().ordinal());
        if (type.kind().isDefined()) {
            out.writeVarInt(type.definition());
        }
        type.parts().forEach(part -> write(part, out));
    }

    static Schema read(RecordInput in) {
        int count = in.readVarInt();
        require(count > 0 && count <= MAX_DEFINITIONS, "has " + count + " definitions");
        List<Definition> definitions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = text(in);
            List<String> names = new ArrayList<>();
            for (int left = in.readVarInt(); left > 0; left--) {
                names.add(text(in));
            }
            List<Wire> types = new ArrayList<>();
            for (int left = in.readVarInt(); left > 0; left--) {
                types.add(type(in, count, 0));
            }
            require(types.isEmpty() || types.size() == names.size(), "has more types than names");
            definitions.add(new Definition(name, names, types));
        }
        return new Schema(definitions);
    }

    private static Wire type(RecordInput in, int definitions, int depth) {
        int code = in.readByte();
        require(code < KINDS.length, "has a type " + code + " that this version does not know");
        require(depth < MAX_DEPTH, "has types within types, more than " + MAX_DEPTH + " levels");
        Kind kind = KINDS[code];
        if (kind.isDefined()) {
            int definition = in.readVarInt();
            require(definition >= 0 && definition < definitions, "refers to a definition that it does not have");
            return Wire.defined(kind, definition);
        }
        List<Wire> parts = new ArrayList<>();
        for (int i = 0; i < kind.parts(); i++) {
            parts.add(type(in, definitions, depth + 1));
        }
        return new Wire(kind, parts, 0);
    }

    /** Passes over one value. */
    void skip(Wire type, RecordInput in) {
        switch (type.kind()) {
            case BOOLEAN -> in.readByte();
            case CHAR, INTEGER, ENUM -> in.readVarLong();
            case FLOAT -> in.skip(Float.BYTES);
            case DOUBLE -> in.skip(Double.BYTES);
            case STRING, BYTES -> in.skip(Math.max(0, in.readVarInt() - 1));
            case DECIMAL -> Values.readDecimal(in);
            case INSTANT, DURATION -> Values.readSeconds(in);
            case UUID -> in.skip(in.readByte() == 0 ? 0 : 2 * Long.BYTES);
            case NULLABLE -> skipIf(in.readByte() == 1, type.parts().get(0), in);
            case OPTIONAL -> skipIf(in.readByte() == 2, type.parts().get(0), in);
            case LIST, SET, MAP -> {
                for (int left = in.readVarInt() - 1; left > 0; left--) {
                    type.parts().forEach(part -> skip(part, in));
                }
            }
            case RECORD -> {
                if (in.readByte() == 1) {
                    definitions.get(type.definition()).types().forEach(part -> skip(part, in));
                }
            }
        }
    }

    private void skipIf(boolean there, Wire type, RecordInput in) {
        if (there) {
            skip(type, in);
        }
    }

    private static void text(String text, RecordOutput out) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeVarInt(bytes.length);
        out.writeBytes(bytes, 0, bytes.length);
    }

    private static String text(RecordInput in) {
        int length = in.readVarInt();
        int start = in.skip(length);
        return new String(in.array(), start, length, StandardCharsets.UTF_8);
    }

    private static void require(boolean holds, String problem) {
        if (!holds) {
            throw new IllegalStateException("malformed schema of a record: it " + problem);
        }
    }
}

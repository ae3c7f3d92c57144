package io.berth.dataflow.api.record;

import io.berth.dataflow.api.RecordInput;
import io.berth.dataflow.api.RecordOutput;
import io.berth.dataflow.api.record.RecordCodec.Part;
import io.berth.dataflow.api.record.Schema.Definition;
import io.berth.dataflow.api.record.Wire.Kind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What is found out once about a record class and everything that it contains. Thread-safe. */
record RecordLayout(RecordCodec root, Schema schema, byte[] schemaBytes) {

    static final String ALLOWED =
            "boolean, char, byte, short, int, long, float, double and their classes, String, byte[],"
                    + " BigDecimal, Instant, Duration, UUID, enums, records, and Optional, List, Set and Map of these";

    /** More than a method handle takes would fail with an unclear message. */
    private static final int MAX_COMPONENTS = 100;

    // It belongs to the record class and goes with it, when the bundle of the class is uninstalled.
    private static final ClassValue<RecordLayout> KNOWN = new ClassValue<>() {
        @Override
        protected RecordLayout computeValue(Class<?> type) {
            return new Builder().build(type);
        }
    };

    static RecordLayout of(Class<?> type) {
        return KNOWN.get(type);
    }

    private static final class Builder {
        private final Map<Class<?>, Codec> byClass = new LinkedHashMap<>();
        private final List<Definition> definitions = new ArrayList<>();

        RecordLayout build(Class<?> type) {
            RecordCodec root = recordOf(type, type.getName());
            Schema schema = new Schema(definitions);
            return new RecordLayout(root, schema, schema.toBytes());
        }

        private RecordCodec recordOf(Class<?> type, String path) {
            Codec known = byClass.get(type);
            if (known instanceof RecordCodec made) {
                return made;
            }
            RecordComponent[] components = type.getRecordComponents();
            if (components == null || components.length > MAX_COMPONENTS) {
                throw new IllegalArgumentException(type.getName()
                        + (components == null ? " is not a record class" : " has " + components.length + " components")
                        + "; allowed: a record class of at most " + MAX_COMPONENTS + " components");
            }
            int number = definitions.size();
            RecordCodec codec = new RecordCodec(type, Wire.defined(Kind.RECORD, number));
            // Known before its components, because a record may contain others of its class.
            byClass.put(type, codec);
            definitions.add(new Definition(type.getName(), List.of(), List.of()));
            try {
                Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
                List<Part> parts = new ArrayList<>();
                for (RecordComponent component : components) {
                    String name = component.getName();
                    Codec value = codec(component.getGenericType(), path + "." + name);
                    parts.add(new Part(name, component.getType(), value, lookup.unreflect(component.getAccessor())));
                }
                Class<?>[] types =
                        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
                codec.complete(parts, lookup.findConstructor(type, MethodType.methodType(void.class, types)));
                definitions.set(
                        number,
                        new Definition(
                                type.getName(),
                                parts.stream().map(Part::name).toList(),
                                parts.stream().map(part -> part.codec().wire()).toList()));
                return codec;
            } catch (ReflectiveOperationException refused) {
                throw new IllegalArgumentException(
                        "record class " + type.getName() + " cannot be used here: its module must open the package to"
                                + " io.berth.dataflow.api, or it must be in a bundle",
                        refused);
            }
        }

        private Codec codec(Type type, String path) {
            if (type instanceof ParameterizedType generic) {
                Type[] of = generic.getActualTypeArguments();
                Type raw = generic.getRawType();
                if (raw == Optional.class) {
                    return new Codec.Maybe(codec(of[0], path));
                } else if (raw == List.class) {
                    return new Codec.Elements(Kind.LIST, codec(of[0], path));
                } else if (raw == Set.class) {
                    return new Codec.Elements(Kind.SET, codec(of[0], path));
                } else if (raw == Map.class) {
                    return new Codec.Entries(codec(of[0], path), codec(of[1], path));
                }
            } else if (type instanceof Class<?> given) {
                Codec leaf = Leaves.BY_CLASS.get(given);
                if (leaf != null) {
                    return leaf;
                } else if (given.isRecord() && given.getTypeParameters().length == 0) {
                    return recordOf(given, path);
                } else if (given.isEnum()) {
                    return byClass.computeIfAbsent(given, this::constants);
                }
            }
            throw new IllegalArgumentException(
                    "component " + path + " has the type " + type.getTypeName() + "; allowed: " + ALLOWED);
        }

        private Codec constants(Class<?> type) {
            List<Object> constants = List.of((Object[]) type.getEnumConstants());
            definitions.add(new Definition(
                    type.getName(),
                    constants.stream().map(each -> ((Enum<?>) each).name()).toList(),
                    List.of()));
            return new Codec.Constant(Wire.defined(Kind.ENUM, definitions.size() - 1), type, constants);
        }
    }

    void writeSchema(RecordOutput out) {
        out.writeVarInt(schemaBytes.length);
        out.writeBytes(schemaBytes, 0, schemaBytes.length);
    }

    /** How to read the records that follow a schema in a stream: those of this layout, or those of an older or newer one. */
    Reading readSchema(RecordInput in) {
        int length = in.readVarInt();
        int start = in.skip(length);
        if (Arrays.equals(in.array(), start, start + length, schemaBytes, 0, schemaBytes.length)) {
            return root::readParts;
        }
        RecordInput written = new RecordInput(Arrays.copyOfRange(in.array(), start, start + length));
        return new Resolution(Schema.read(written)).root(root);
    }
}

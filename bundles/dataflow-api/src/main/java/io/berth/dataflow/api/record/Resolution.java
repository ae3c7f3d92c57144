package io.berth.dataflow.api.record;

import io.berth.dataflow.api.RecordInput;
import io.berth.dataflow.api.record.RecordCodec.Part;
import io.berth.dataflow.api.record.Schema.Definition;
import io.berth.dataflow.api.record.Wire.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads what another version of a record class wrote: components are found by name, new ones have their default, and those
 * that are gone are passed over. For one thread.
 */
final class Resolution {

    private final Schema written;
    private final Map<Resolved, Fields> records = new LinkedHashMap<>();

    /** A record that was written, and what it is read as. */
    private record Resolved(int definition, RecordCodec target) {}

    Resolution(Schema written) {
        this.written = written;
    }

    /** Reads the record of the stream. */
    Reading root(RecordCodec target) {
        return fields(0, target)::readParts;
    }

    /** One record: what to do with each component that was written. */
    private final class Fields implements Reading {
        private final RecordCodec target;
        private final @Nullable Object[] missing;
        private List<Field> fields = List.of();

        Fields(RecordCodec target) {
            this.target = target;
            this.missing =
                    target.parts().stream().map(part -> part.codec().missing()).toArray();
        }

        @Override
        public @Nullable Object read(RecordInput in) {
            return in.readByte() == 0 ? null : readParts(in);
        }

        Object readParts(RecordInput in) {
            @Nullable Object[] values = missing.clone();
            for (Field field : fields) {
                if (field.place() < 0) {
                    written.skip(field.wire(), in);
                } else {
                    values[field.place()] = field.reading().read(in);
                }
            }
            return target.make(values);
        }
    }

    /** @param place of the component in the present class; -1 if it is gone */
    private record Field(Wire wire, int place, Reading reading) {}

    private Fields fields(int number, RecordCodec target) {
        Resolved key = new Resolved(number, target);
        Fields known = records.get(key);
        if (known != null) {
            return known;
        }
        Definition definition = written.definitions().get(number);
        Fields made = new Fields(target);
        // Known before its components, because a record may contain others of its class.
        records.put(key, made);
        List<String> names = target.parts().stream().map(Part::name).toList();
        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < definition.types().size(); i++) {
            String name = definition.names().get(i);
            Wire wire = definition.types().get(i);
            int place = names.indexOf(name);
            fields.add(new Field(
                    wire,
                    place,
                    place < 0
                            ? in -> null
                            : resolve(
                                    wire,
                                    target.parts().get(place).codec(),
                                    target.type().getName() + "." + name)));
        }
        made.fields = List.copyOf(fields);
        return made;
    }

    private Reading resolve(Wire from, Codec to, String path) {
        Kind kind = from.kind();
        if (to instanceof Codec.Maybe maybe) {
            if (kind == Kind.OPTIONAL) {
                Reading value = resolve(from.parts().get(0), maybe.value(), path);
                return in -> Codec.Maybe.read(in, value);
            }
            Reading value = resolve(from, maybe.value(), path);
            return in -> Optional.ofNullable(value.read(in));
        }
        if (kind == Kind.OPTIONAL || kind == Kind.NULLABLE) {
            int there = kind == Kind.OPTIONAL ? 2 : 1;
            Reading value = resolve(from.parts().get(0), to, path);
            return in -> in.readByte() == there ? value.read(in) : to.missing();
        }
        if (to instanceof Codec.OrNull nullable) {
            return resolve(from, nullable.value(), path);
        }
        if (kind == to.wire().kind()) {
            if (to instanceof RecordCodec target) {
                return fields(from.definition(), target);
            } else if (to instanceof Codec.Constant target) {
                return constants(from, target);
            } else if (to instanceof Codec.Elements target) {
                Reading element = resolve(from.parts().get(0), target.element(), path);
                return in -> Codec.Elements.read(in, kind, element);
            } else if (to instanceof Codec.Entries target) {
                Reading key = resolve(from.parts().get(0), target.key(), path);
                Reading value = resolve(from.parts().get(1), target.value(), path);
                return in -> Codec.Entries.read(in, key, value);
            }
            return to;
        }
        if (kind == Kind.FLOAT && to.wire().kind() == Kind.DOUBLE) {
            return in -> (double) Values.readFloat(in);
        }
        throw new IllegalStateException("component " + path + " was written as " + from + " and is now " + to.wire()
                + "; allowed is a type that it can be read as: give the component another name, or keep its type");
    }

    private Reading constants(Wire from, Codec.Constant target) {
        List<String> names = written.definitions().get(from.definition()).names();
        Map<String, Object> now = new LinkedHashMap<>();
        target.constants().forEach(each -> now.put(((Enum<?>) each).name(), each));
        return in -> {
            int place = in.readVarInt();
            if (place == 0) {
                return null;
            }
            Object constant = now.get(names.get(place - 1));
            if (constant == null) {
                throw new IllegalStateException("the constant " + names.get(place - 1) + " was written, and "
                        + target.type().getName() + " no longer has it; allowed: " + now.keySet());
            }
            return constant;
        };
    }
}

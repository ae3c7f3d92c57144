package io.berth.dataflow.api.record;

import io.berth.dataflow.api.RecordInput;
import io.berth.dataflow.api.RecordOutput;
import io.berth.dataflow.api.Serializer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes records of one Java record class by structure. Components may be primitives and their classes, {@code String}, {@code
 * byte[]}, {@code BigDecimal}, {@code Instant}, {@code Duration}, {@code UUID}, enums, other records, and {@code Optional},
 * {@code List}, {@code Set} and {@code Map} of these; all but primitives may be null. Records, and what is in them, must not
 * change after they were emitted.
 *
 * <p>The names and types of the components are written once per output, before its first record; each further record has one
 * byte of its own. So the class may change between writing and reading: a component that was added is zero, null or {@code
 * Optional.empty()} in records of before, and one that was removed is passed over. Whole numbers may become wider or narrower
 * as long as they fit, {@code float} may become {@code double}, and a value may become its {@code Optional} or a class that may
 * be null, and back. The order of components and of the constants of an enum does not matter. Other changes of a type are
 * refused when they are met.
 *
 * <p>An input must be read from its beginning. One instance serves one thread at a time; what is found out about the class is
 * shared.
 */
public final class RecordSerializer<T extends Record> implements Serializer<T> {

    private static final int SAME = 0;
    private static final int SCHEMA = 1;

    private final Class<T> type;
    private final RecordLayout layout;
    /** Where the schema was written last. */
    private @Nullable RecordOutput announced;

    private @Nullable Reading reading;

    private RecordSerializer(Class<T> type) {
        this.type = type;
        this.layout = RecordLayout.of(type);
    }

    /**
     * A new serializer.
     *
     * @throws IllegalArgumentException when a component has a type that cannot be written; the message names it and the types
     *     that are allowed
     */
    public static <T extends Record> RecordSerializer<T> of(Class<T> type) {
        return new RecordSerializer<>(type);
    }

    @Override
    public void write(T record, RecordOutput out) {
        if (out == announced) {
            out.writeByte(SAME);
        } else {
            out.writeByte(SCHEMA);
            layout.writeSchema(out);
            announced = out;
        }
        layout.root().writeParts(record, out);
    }

    @Override
    public T read(RecordInput in) {
        int tag = in.readByte();
        if (tag == SCHEMA) {
            reading = layout.readSchema(in);
        } else if (tag != SAME) {
            throw new IllegalStateException("malformed record of " + type.getName() + ": it begins with " + tag
                    + "; do both ends of the edge use the same serializer?");
        }
        Reading known = reading;
        if (known == null) {
            throw new IllegalStateException("a record of " + type.getName()
                    + " comes without its schema, which is before the first record: read an input from its beginning");
        }
        return type.cast(Objects.requireNonNull(known.read(in)));
    }

    @Override
    public T copy(T record) {
        return record;
    }
}

package io.berth.dataflow.api.record;

import io.berth.dataflow.api.RecordInput;
import io.berth.dataflow.api.RecordOutput;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads records of one class, component after component. Its method handles are put together once, so that the
 * compiler sees one method without boxing for each direction. Thread-safe once it is complete.
 */
final class RecordCodec implements Codec {

    private static final MethodHandles.Lookup OWN = MethodHandles.lookup();
    private static final MethodType WRITE = MethodType.methodType(void.class, Object.class, RecordOutput.class);
    private static final MethodType READ = MethodType.methodType(Object.class, RecordInput.class);

    private final Class<?> type;
    private final Wire wire;
    private List<Part> parts = List.of();
    /** From the record and the output to nothing. */
    private MethodHandle writer = MethodHandles.empty(WRITE);
    /** From the input to the record. */
    private MethodHandle reader = MethodHandles.empty(READ);
    /** From an array of all components to the record. */
    private MethodHandle maker = MethodHandles.empty(MethodType.methodType(Object.class, Object[].class));

    /** A component of the record. */
    record Part(String name, Class<?> type, Codec codec, MethodHandle accessor) {}

    RecordCodec(Class<?> type, Wire wire) {
        this.type = type;
        this.wire = wire;
    }

    /** @param constructor with all components in their order */
    void complete(List<Part> components, MethodHandle constructor) throws ReflectiveOperationException {
        parts = List.copyOf(components);
        List<MethodHandle> readers = new ArrayList<>();
        MethodHandle all = MethodHandles.empty(MethodType.methodType(void.class, type, RecordOutput.class));
        for (int i = parts.size() - 1; i >= 0; i--) {
            Part part = parts.get(i);
            MethodHandle one = MethodHandles.filterArguments(writer(part), 0, part.accessor());
            // This component first, then those after it.
            all = i == parts.size() - 1 ? one : MethodHandles.foldArguments(all, one);
            readers.add(0, reader(part));
        }
        writer = all.asType(WRITE);
        MethodHandle make = MethodHandles.dropArguments(constructor, parts.size(), RecordInput.class);
        for (int i = parts.size() - 1; i >= 0; i--) {
            // Reads this component, then calls what reads those after it.
            make = MethodHandles.foldArguments(make, i, readers.get(i));
        }
        reader = make.asType(READ);
        maker = constructor
                .asSpreader(Object[].class, parts.size())
                .asType(MethodType.methodType(Object.class, Object[].class));
    }

    private static MethodHandle writer(Part part) throws ReflectiveOperationException {
        Class<?> given = part.type();
        if (given.isPrimitive() || given == String.class) {
            return OWN.findStatic(Values.class, "write", MethodType.methodType(void.class, given, RecordOutput.class));
        }
        return OWN.findVirtual(Codec.class, "write", WRITE)
                .bindTo(part.codec())
                .asType(MethodType.methodType(void.class, given, RecordOutput.class));
    }

    private static MethodHandle reader(Part part) throws ReflectiveOperationException {
        Class<?> given = part.type();
        if (given.isPrimitive() || given == String.class) {
            String name = given.getSimpleName();
            String method = "read" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
            return OWN.findStatic(Values.class, method, MethodType.methodType(given, RecordInput.class));
        }
        return OWN.findVirtual(Codec.class, "read", READ)
                .bindTo(part.codec())
                .asType(MethodType.methodType(given, RecordInput.class));
    }

    Class<?> type() {
        return type;
    }

    List<Part> parts() {
        return parts;
    }

    @Override
    public Wire wire() {
        return wire;
    }

    @Override
    public void write(@Nullable Object value, RecordOutput out) {
        out.writeByte(value == null ? 0 : 1);
        if (value != null) {
            writeParts(value, out);
        }
    }

    @Override
    public @Nullable Object read(RecordInput in) {
        return in.readByte() == 0 ? null : readParts(in);
    }

    void writeParts(Object value, RecordOutput out) {
        try {
            writer.invokeExact(value, out);
        } catch (Throwable thrown) {
            throw unchecked(thrown);
        }
    }

    Object readParts(RecordInput in) {
        try {
            return (Object) reader.invokeExact(in);
        } catch (Throwable thrown) {
            throw unchecked(thrown);
        }
    }

    /** The value of a component of {@code record}. */
    @Nullable
    Object get(int part, Object record) {
        try {
            return parts.get(part).accessor().invoke(record);
        } catch (Throwable thrown) {
            throw unchecked(thrown);
        }
    }

    /** @param values of all components */
    Object make(@Nullable Object[] values) {
        try {
            return (Object) maker.invokeExact(values);
        } catch (Throwable thrown) {
            throw unchecked(thrown);
        }
    }

    /** Accessors and constructors of records declare no checked exceptions, and a lone one is no reason to lose it. */
    private static RuntimeException unchecked(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException known ? known : new IllegalStateException(thrown);
    }
}

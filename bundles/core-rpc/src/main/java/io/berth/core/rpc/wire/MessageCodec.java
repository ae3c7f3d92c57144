package io.berth.core.rpc.wire;

import com.google.protobuf.MessageLite;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;

/** A value whose components are the fields of a message. */
final class MessageCodec implements Codec {

    private final MessageLite empty;
    private final Shape shape;
    private Fields fields = new Fields(List.of());

    MessageCodec(MessageLite empty, Shape shape) {
        this.empty = empty;
        this.shape = shape;
    }

    /**
     * Sets the fields, one for each component. This happens after construction because messages can contain
     * themselves.
     */
    void fields(List<Field> all) {
        fields = new Fields(all);
    }

    @Override
    public Object write(Object value) {
        MessageLite.Builder builder = empty.newBuilderForType();
        fields.write(builder, shape.split().apply(value));
        return builder.build();
    }

    @Override
    public Object read(Object message) {
        return shape.join().apply(fields.read((MessageLite) message));
    }

    /** The place of a component in a message. */
    interface Field {

        void write(MessageLite.Builder message, Object part);

        Object read(MessageLite message);
    }

    private record Fields(List<Field> all) {

        void write(MessageLite.Builder message, Object[] parts) {
            for (int at = 0; at < parts.length; at++) {
                all.get(at).write(message, parts[at]);
            }
        }

        Object[] read(MessageLite message) {
            Object[] parts = new Object[all.size()];
            for (int at = 0; at < parts.length; at++) {
                parts[at] = all.get(at).read(message);
            }
            return parts;
        }
    }

    /** A field of the same name. */
    record OwnField(MethodHandle setter, MethodHandle getter, Codec codec) implements Field {

        @Override
        public void write(MessageLite.Builder message, Object part) {
            Handles.set(setter, message, codec.write(part));
        }

        @Override
        public Object read(MessageLite message) {
            return codec.read(Handles.get(getter, message));
        }
    }

    /** A field that is set only when there is a value. */
    record OptionalField(MethodHandle isSet, OwnField field) implements Field {

        @Override
        public void write(MessageLite.Builder message, Object part) {
            ((Optional<?>) part).ifPresent(value -> field.write(message, value));
        }

        @Override
        public Object read(MessageLite message) {
            return (boolean) Handles.get(isSet, message) ? Optional.of(field.read(message)) : Optional.empty();
        }
    }

    /** Fields of the same message that belong to one component. */
    static final class Group implements Field {

        private final Shape shape;
        private final Fields fields;

        Group(Shape shape, List<Field> all) {
            this.shape = shape;
            fields = new Fields(all);
        }

        @Override
        public void write(MessageLite.Builder message, Object part) {
            fields.write(message, shape.split().apply(part));
        }

        @Override
        public Object read(MessageLite message) {
            return shape.join().apply(fields.read(message));
        }
    }
}

package io.berth.core.rpc.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.TaskExecutorGateway.Deployments;
import io.berth.core.api.job.PlacementConstraints.Operator;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.task.FailureKind;
import io.berth.core.rpc.proto.CommonProto;
import io.berth.core.rpc.wire.MessageCodec.Field;
import io.berth.core.rpc.wire.MessageCodec.OptionalField;
import io.berth.core.rpc.wire.MessageCodec.OwnField;
import io.berth.spi.PolicyKind;
import io.berth.spi.ResourceProfile;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Derives the format of values from their types and the generated message classes. A record becomes a message with a
 * field for each component, of the same name. Further rules:
 * <ul>
 * <li>a record with one component becomes this component, if the message has no field of its name
 * <li>a component without a field of its name must be a record whose components are fields of the same message
 * <li>a sealed interface becomes a message with one field for each permitted record, named after it
 * <li>any other value that needs a message is its only field
 * </ul>
 * A field without a component, or a component without a field, is an {@link IllegalStateException}. Confined to one
 * thread; the codecs are thread-safe.
 */
public final class Codecs {

    private static final Codec SAME = codec(value -> value, written -> written);

    private static final Map<Type, Codec> SCALARS = Map.of(
            byte[].class,
                    codec(value -> ByteString.copyFrom((byte[]) value), bytes -> ((ByteString) bytes).toByteArray()),
            UUID.class, codec(id -> bytes((UUID) id), bytes -> uuid((ByteString) bytes)),
            Operator.class, codec(operator -> ((Operator) operator).word(), word -> operator((String) word)),
            PolicyKind.class, codec(kind -> ((PolicyKind) kind).label(), label -> policyKind((String) label)),
            ReasonCode.class, codec(code -> ((ReasonCode) code).name(), name -> reasonCode((String) name)));

    /** Types whose fields are not their components. */
    private static final Map<Type, Shape> SHAPES = Map.of(
            ResourceProfile.class,
            new Shape(
                    "ResourceProfile",
                    Stream.concat(
                                    Stream.of(new Shape.Component("unknown", boolean.class)),
                                    Shape.ofRecord(ResourceProfile.class).components().stream())
                            .toList(),
                    value -> parts((ResourceProfile) value),
                    Codecs::profile),
            FailureKind.class,
            new Shape(
                    "FailureKind",
                    List.of(
                            new Shape.Component("consequence", boolean.class),
                            new Shape.Component("permanent", boolean.class)),
                    kind -> new Object[] {kind == FailureKind.CONSEQUENCE, kind == FailureKind.PERMANENT},
                    Codecs::failureKind),
            Deployments.class,
            deployments());

    private static final Codec TOKEN = new Codecs().of(FencingToken.class, CommonProto.FencingToken.class);

    private final Map<List<Type>, Codec> known = new HashMap<>();

    public static CommonProto.FencingToken to(FencingToken token) {
        return (CommonProto.FencingToken) TOKEN.write(token);
    }

    /** @throws IllegalArgumentException when the message is not a token */
    public static FencingToken from(CommonProto.FencingToken token) {
        return (FencingToken) TOKEN.read(token);
    }

    /** The format of the arguments of a method, an array, in a message. */
    public Form request(Method method, Class<? extends MessageLite> message) {
        return new Form(empty(message), ofArguments(method, message));
    }

    /** The format of the answer of a method in a message. */
    public Form answer(Method method, Class<? extends MessageLite> message) {
        ParameterizedType stage = (ParameterizedType) method.getGenericReturnType();
        return new Form(empty(message), of(stage.getActualTypeArguments()[0], message));
    }

    private static Codec codec(Function<Object, Object> write, Function<Object, Object> read) {
        return new Codec() {
            @Override
            public Object write(Object value) {
                return write.apply(value);
            }

            @Override
            public Object read(Object written) {
                return read.apply(written);
            }
        };
    }

    private static ByteString bytes(UUID id) {
        ByteBuffer bytes = ByteBuffer.allocate(16);
        bytes.putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .flip();
        return ByteString.copyFrom(bytes);
    }

    private static UUID uuid(ByteString id) {
        if (id.size() != 16) {
            throw new IllegalArgumentException("the id of a token has " + id.size() + " bytes: allowed are 16");
        }
        ByteBuffer bytes = id.asReadOnlyByteBuffer();
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    private static Operator operator(String word) {
        return Stream.of(Operator.values())
                .filter(operator -> operator.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "operator '" + word + "' of a rule is not known in this protocol version"));
    }

    private static PolicyKind policyKind(String label) {
        return Stream.of(PolicyKind.values())
                .filter(kind -> kind.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "policy kind '" + label + "' is not known in this protocol version"));
    }

    private static ReasonCode reasonCode(String name) {
        return name.isEmpty() ? ReasonCode.NONE : ReasonCode.of(name);
    }

    private static Object[] parts(ResourceProfile profile) {
        return profile.isUnknown()
                ? new Object[] {true, 0L, 0L, 0L, 0L, Collections.emptySortedMap()}
                : new Object[] {
                    false,
                    profile.cpuMillis(),
                    profile.heapBytes(),
                    profile.offHeapBytes(),
                    profile.managedBytes(),
                    profile.extended()
                };
    }

    private static Shape deployments() {
        Shape sent = Shape.ofRecord(SharedProducers.class);
        return new Shape(
                "Deployments",
                sent.components(),
                value -> sent.split().apply(SharedProducers.of((Deployments) value)),
                parts -> ((SharedProducers) sent.join().apply(parts)).deployments());
    }

    @SuppressWarnings("unchecked")
    private static Object profile(Object[] parts) {
        return (boolean) parts[0]
                ? ResourceProfile.UNKNOWN
                : new ResourceProfile(
                        (long) parts[1], (long) parts[2], (long) parts[3], (long) parts[4], (SortedMap<String, Long>)
                                parts[5]);
    }

    /** A worker of an earlier version reports only whether the failure is a consequence. */
    private static Object failureKind(Object[] parts) {
        if ((boolean) parts[0]) {
            return FailureKind.CONSEQUENCE;
        }
        return (boolean) parts[1] ? FailureKind.PERMANENT : FailureKind.TRANSIENT;
    }

    /** The codec for values of one type in a message or field of another type. */
    private Codec of(Type value, Type written) {
        if (boxed(value).equals(boxed(written))) {
            return SAME;
        }
        Codec scalar = SCALARS.get(value);
        if (scalar != null) {
            return scalar;
        }
        List<Type> key = List.of(value, written);
        Codec codec = known.get(key);
        if (codec == null) {
            codec = derive(value, written);
            known.put(key, codec);
        }
        return codec;
    }

    private Codec derive(Type value, Type written) {
        if (value instanceof ParameterizedType generic && written instanceof ParameterizedType container) {
            Codec[] elements = new Codec[generic.getActualTypeArguments().length];
            Arrays.setAll(
                    elements,
                    at -> of(generic.getActualTypeArguments()[at], container.getActualTypeArguments()[at]));
            return elements.length == 1 ? list(elements[0]) : map(elements[0], elements[1]);
        }
        boolean isMessage = written instanceof Class<?> type && MessageLite.class.isAssignableFrom(type);
        if (value instanceof Class<?> type && !SHAPES.containsKey(type)) {
            if (type.isEnum()) {
                return isMessage ? constant(type, (Class<?>) written) : names(type, (Class<?>) written);
            }
            if (type.isSealed()) {
                return alternatives(type, (Class<?>) written);
            }
            if (type.isRecord() && type.getRecordComponents().length == 1) {
                Shape shape = Shape.ofRecord(type);
                Shape.Component only = shape.components().get(0);
                if (!isMessage || !fieldNames((Class<?>) written).contains(only.name())) {
                    Codec inner = of(only.type(), written);
                    return codec(
                            record -> inner.write(shape.split().apply(record)[0]),
                            read -> shape.join().apply(new Object[] {inner.read(read)}));
                }
            }
        }
        if (!isMessage) {
            throw new IllegalStateException(value.getTypeName() + " cannot be written as " + written.getTypeName());
        }
        Class<?> message = (Class<?>) written;
        Shape shape = shape(value)
                .orElseGet(() -> Shape.ofSingle(fieldNames(message).iterator().next(), value));
        MessageCodec codec = new MessageCodec(empty(message), shape);
        known.put(List.of(value, written), codec);
        return message(codec, shape, message);
    }

    private static Optional<Shape> shape(Type type) {
        return Optional.ofNullable(SHAPES.get(type))
                .or(() -> type instanceof Class<?> known && known.isRecord()
                        ? Optional.of(Shape.ofRecord(known))
                        : Optional.empty());
    }

    /**
     * The codec for the arguments of a method, an array. A single argument with several components is the message
     * itself.
     */
    private Codec ofArguments(Method method, Class<?> message) {
        Class<?>[] types = method.getParameterTypes();
        if (types.length == 1 && types[0].isRecord() && types[0].getRecordComponents().length > 1) {
            Codec only = of(types[0], message);
            return codec(
                    arguments -> only.write(((Object[]) arguments)[0]), written -> new Object[] {only.read(written)});
        }
        return message(new MessageCodec(empty(message), Shape.ofArguments(method)), Shape.ofArguments(method), message);
    }

    private Codec message(MessageCodec codec, Shape shape, Class<?> message) {
        Set<String> unused = fieldNames(message);
        codec.fields(fields(shape, message, unused));
        if (!unused.isEmpty()) {
            throw new IllegalStateException(shape.owner() + " has nothing for fields " + unused + " of " + message);
        }
        return codec;
    }

    private List<Field> fields(Shape shape, Class<?> message, Set<String> unused) {
        List<Field> fields = new ArrayList<>();
        for (Shape.Component component : shape.components()) {
            if (unused.remove(component.name())) {
                fields.add(field(component, message));
            } else {
                Shape group = shape(component.type())
                        .orElseThrow(() -> new IllegalStateException(message.getName() + " has no field for '"
                                + component.name() + "' of " + shape.owner()));
                fields.add(new MessageCodec.Group(group, fields(group, message, unused)));
            }
        }
        return fields;
    }

    private Field field(Shape.Component component, Class<?> message) {
        String name = component.name().substring(0, 1).toUpperCase(Locale.ROOT)
                + component.name().substring(1);
        if (component.type() instanceof ParameterizedType optional && optional.getRawType() == Optional.class) {
            OwnField field = field(optional.getActualTypeArguments()[0], name, message);
            return new OptionalField(isSet(name, message), field);
        }
        return field(component.type(), name, message);
    }

    private OwnField field(Type value, String name, Class<?> message) {
        Class<?> builder = empty(message).newBuilderForType().getClass();
        for (String kind : List.of("List", "Map", "")) {
            Optional<Method> getter = find(message, "get" + name + kind);
            if (getter.isPresent()) {
                Method setter = switch (kind) {
                    case "List" -> method(builder, "addAll" + name, Iterable.class);
                    case "Map" -> method(builder, "putAll" + name, Map.class);
                    default -> method(builder, "set" + name, getter.get().getReturnType());
                };
                return new OwnField(
                        Handles.setter(setter),
                        Handles.getter(getter.get()),
                        of(value, getter.get().getGenericReturnType()));
            }
        }
        throw new IllegalStateException(message + " has no getter of " + name);
    }

    private static MethodHandle isSet(String name, Class<?> message) {
        return Handles.getter(find(message, "has" + name)
                .orElseThrow(() -> new IllegalStateException(
                        message + " does not say whether " + name + " is set: make it optional")));
    }

    private static Optional<Method> find(Class<?> type, String name) {
        return Stream.of(type.getMethods())
                .filter(method -> method.getName().equals(name) && method.getParameterCount() == 0)
                .findFirst();
    }

    private static Method method(Class<?> type, String name, Class<?> parameter) {
        try {
            return type.getMethod(name, parameter);
        } catch (NoSuchMethodException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static MessageLite empty(Class<?> message) {
        try {
            return (MessageLite) message.getMethod("getDefaultInstance").invoke(null);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(message + " is not a message", failure);
        }
    }

    /**
     * The generated classes have a constant for the number of each field, for example JOB_MASTER_FIELD_NUMBER for
     * jobMaster.
     */
    private static Set<String> fieldNames(Class<?> message) {
        Set<String> names = new TreeSet<>();
        for (java.lang.reflect.Field constant : message.getDeclaredFields()) {
            if (constant.getName().endsWith("_FIELD_NUMBER")) {
                String[] words = constant.getName().toLowerCase(Locale.ROOT).split("_");
                StringBuilder name = new StringBuilder(words[0]);
                for (int at = 1; at < words.length - 2; at++) {
                    name.append(words[at].substring(0, 1).toUpperCase(Locale.ROOT))
                            .append(words[at].substring(1));
                }
                names.add(name.toString());
            }
        }
        return names;
    }

    private static Type boxed(Type type) {
        return type instanceof Class<?> plain
                ? MethodType.methodType(plain).wrap().returnType()
                : type;
    }

    private static Codec list(Codec element) {
        return codec(
                value -> elements((List<?>) value, element::write),
                written -> elements((List<?>) written, element::read));
    }

    private static List<Object> elements(List<?> values, Function<Object, Object> conversion) {
        List<Object> converted = new ArrayList<>(values.size());
        values.forEach(value -> converted.add(conversion.apply(value)));
        return converted;
    }

    private static Codec map(Codec key, Codec value) {
        return codec(
                map -> pairs((Map<?, ?>) map, key::write, value::write, new LinkedHashMap<>()),
                map -> pairs((Map<?, ?>) map, key::read, value::read, new TreeMap<>()));
    }

    private static Map<Object, Object> pairs(
            Map<?, ?> map, Function<Object, Object> key, Function<Object, Object> value, Map<Object, Object> result) {
        map.forEach((one, other) -> result.put(key.apply(one), value.apply(other)));
        return result;
    }

    private static Codec constant(Class<?> type, Class<?> message) {
        MessageLite empty = empty(message);
        Object constant = type.getEnumConstants()[0];
        return codec(value -> empty, written -> constant);
    }

    /** Maps constants by name; the message constants have a prefix. */
    private static Codec names(Class<?> type, Class<?> written) {
        String prefix =
                written.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT) + "_";
        Map<Object, Object> writing = new HashMap<>();
        Map<Object, Object> reading = new HashMap<>();
        for (Object constant : written.getEnumConstants()) {
            for (Object value : type.getEnumConstants()) {
                if (((Enum<?>) constant).name().equals(prefix + ((Enum<?>) value).name())) {
                    writing.put(value, constant);
                    reading.put(constant, value);
                }
            }
        }
        List<Object> missing = Stream.of((Object[]) type.getEnumConstants())
                .filter(value -> !writing.containsKey(value))
                .toList();
        if (!missing.isEmpty()) {
            throw new IllegalStateException(written.getSimpleName() + " has none of " + missing + " of " + type);
        }
        return codec(writing::get, constant -> {
            Object value = reading.get(constant);
            if (value == null) {
                throw new IllegalArgumentException(
                        "a message has a " + written.getSimpleName() + " that this protocol version does not know");
            }
            return value;
        });
    }

    private Codec alternatives(Class<?> type, Class<?> message) {
        MessageLite empty = empty(message);
        Map<Class<?>, OptionalField> fields = new LinkedHashMap<>();
        for (Class<?> permitted : type.getPermittedSubclasses()) {
            OwnField field = field(permitted, permitted.getSimpleName(), message);
            fields.put(permitted, new OptionalField(isSet(permitted.getSimpleName(), message), field));
        }
        if (fields.size() != fieldNames(message).size()) {
            throw new IllegalStateException(message + " has other alternatives than " + type);
        }
        return codec(
                value -> {
                    MessageLite.Builder builder = empty.newBuilderForType();
                    Objects.requireNonNull(fields.get(value.getClass())).field().write(builder, value);
                    return builder.build();
                },
                written -> fields.values().stream()
                        .map(field -> (Optional<?>) field.read((MessageLite) written))
                        .flatMap(Optional::stream)
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(
                                "a " + type.getSimpleName() + " has none of its alternatives")));
    }
}

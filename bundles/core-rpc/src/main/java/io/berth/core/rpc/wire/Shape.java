package io.berth.core.rpc.wire;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The components of a value.
 *
 * @param owner name of the value in error texts
 * @param split splits a value into its components, in order
 * @param join builds the value from its components
 */
record Shape(
        String owner, List<Component> components, Function<Object, Object[]> split, Function<Object[], Object> join) {

    /** A part of a value, with the name of its field in the message. */
    record Component(String name, Type type) {}

    static Shape ofRecord(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        MethodHandle[] accessors = Stream.of(components)
                .map(component -> Handles.getter(component.getAccessor()))
                .toArray(MethodHandle[]::new);
        MethodHandle constructor = constructor(type, components);
        return new Shape(
                type.getName(),
                Stream.of(components)
                        .map(component -> new Component(component.getName(), component.getGenericType()))
                        .toList(),
                value -> {
                    Object[] parts = new Object[accessors.length];
                    for (int at = 0; at < parts.length; at++) {
                        parts[at] = Handles.get(accessors[at], value);
                    }
                    return parts;
                },
                parts -> Handles.get(constructor, parts));
    }

    private static MethodHandle constructor(Class<?> type, RecordComponent[] components) {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return MethodHandles.publicLookup()
                    .findConstructor(type, MethodType.methodType(void.class, types))
                    .asSpreader(Object[].class, types.length)
                    .asType(MethodType.methodType(Object.class, Object.class));
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(type + " is not public", failure);
        }
    }

    /** The arguments of a method, as an array. */
    static Shape ofArguments(Method method) {
        return new Shape(
                method.toString(),
                Stream.of(method.getParameters()).map(Shape::component).toList(),
                Object[].class::cast,
                arguments -> arguments);
    }

    private static Component component(Parameter parameter) {
        if (!parameter.isNamePresent()) {
            throw new IllegalStateException(parameter.getDeclaringExecutable()
                    + " has no names of parameters: compile core-api with -parameters");
        }
        return new Component(parameter.getName(), parameter.getParameterizedType());
    }

    /** The shape of a value that is the only field of its message. */
    static Shape ofSingle(String field, Type type) {
        return new Shape(
                type.getTypeName(),
                List.of(new Component(field, type)),
                value -> new Object[] {value},
                parts -> parts[0]);
    }
}

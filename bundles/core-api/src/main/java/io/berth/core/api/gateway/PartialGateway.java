package io.berth.core.api.gateway;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes a gateway from an object that implements only some of its methods, for observers and test doubles: a new
 * method of the gateway does not affect them. Thread-safe if the object is.
 */
public final class PartialGateway {

    private static final Object[] NO_ARGUMENTS = {};

    private PartialGateway() {}

    /**
     * A gateway that fails when any other method is called.
     *
     * @param some an object whose methods, of any visibility, have the names and types of methods of the gateway
     * @throws IllegalArgumentException when a method has the name of a gateway method, but different types
     */
    public static <G> G of(Class<G> type, Object some) {
        return of(
                type,
                some,
                message -> new UnsupportedOperationException(
                        some.getClass().getSimpleName() + " does not expect " + message));
    }

    /**
     * A gateway that fails with a given exception when any other method is called.
     *
     * @param unexpected makes the exception from the name of the method and its arguments
     */
    public static <G> G of(Class<G> type, Object some, Function<String, RuntimeException> unexpected) {
        return create(type, some, method -> arguments -> {
            throw unexpected.apply(method.getName() + Arrays.asList(arguments));
        });
    }

    /**
     * A gateway that passes calls of all other methods to {@code next}.
     *
     * @throws IllegalArgumentException as {@link #of} does
     */
    public static <G> G over(Class<G> type, G next, Object some) {
        return create(type, some, method -> call(method, next));
    }

    private interface Call {
        @Nullable
        Object with(Object[] arguments) throws Throwable;
    }

    private static <G> G create(Class<G> type, Object some, Function<Method, Call> others) {
        Map<String, Call> calls = new HashMap<>();
        for (Method method : type.getMethods()) {
            calls.put(
                    method.getName(),
                    find(some.getClass(), method).map(own -> call(own, some)).orElseGet(() -> others.apply(method)));
        }
        InvocationHandler handler = (proxy, method, arguments) -> {
            Call call = calls.get(method.getName());
            if (call != null) {
                return call.with(arguments == null ? NO_ARGUMENTS : arguments);
            }
            return switch (method.getName()) {
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> some.hashCode();
                default -> some.toString();
            };
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Optional<Method> find(Class<?> owner, Method wanted) {
        Optional<Method> other = Optional.empty();
        for (Class<?> type = owner; type != Object.class; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals(wanted.getName())) {
                    if (Arrays.equals(method.getParameterTypes(), wanted.getParameterTypes())
                            && wanted.getReturnType().isAssignableFrom(method.getReturnType())) {
                        return Optional.of(method);
                    }
                    other = Optional.of(method);
                }
            }
        }
        other.ifPresent(method -> {
            throw new IllegalArgumentException(method + " has other types than " + wanted);
        });
        return Optional.empty();
    }

    private static Call call(Method method, Object target) {
        method.setAccessible(true);
        try {
            MethodHandle handle = MethodHandles.lookup()
                    .unreflect(method)
                    .bindTo(target)
                    .asSpreader(Object[].class, method.getParameterCount())
                    .asType(MethodType.methodType(Object.class, Object[].class));
            return arguments -> (Object) handle.invokeExact(arguments);
        } catch (IllegalAccessException failure) {
            throw new IllegalArgumentException(method + " is not accessible", failure);
        }
    }
}

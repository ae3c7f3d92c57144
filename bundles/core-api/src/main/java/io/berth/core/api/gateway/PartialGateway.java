package io.berth.core.api.gateway;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes a gateway from an object that implements only some of its methods, for observers and test doubles: a new
 * method of the gateway does not affect them. Thread-safe if the object is.
 */
public final class PartialGateway {

    private static final ClassValue<Map<Class<?>, Map<String, Method>>> OWN = new ClassValue<>() {
        @Override
        protected Map<Class<?>, Map<String, Method>> computeValue(Class<?> of) {
            return new ConcurrentHashMap<>();
        }
    };

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
        return create(type, some, (proxy, method, arguments) -> {
            throw unexpected.apply(method.getName() + (arguments == null ? List.of() : Arrays.asList(arguments)));
        });
    }

    /**
     * A gateway that passes calls of all other methods to {@code next}.
     *
     * @throws IllegalArgumentException as {@link #of} does
     */
    public static <G> G over(Class<G> type, G next, Object some) {
        return create(type, some, new Next(next));
    }

    private static <G> G create(Class<G> type, Object some, InvocationHandler others) {
        Map<String, Method> own = OWN.get(some.getClass()).computeIfAbsent(type, key -> own(key, some.getClass()));
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new Receivers(some, own, others)));
    }

    /** Methods of the class by the names of the gateway methods that they implement. */
    private static Map<String, Method> own(Class<?> gateway, Class<?> owner) {
        Map<String, Method> own = new HashMap<>();
        for (Method method : gateway.getMethods()) {
            find(owner, method).ifPresent(found -> {
                found.setAccessible(true);
                own.put(method.getName(), found);
            });
        }
        return Map.copyOf(own);
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

    /** The objects whose methods are called are fields: the leak check of the simulator reads them. */
    private record Receivers(Object some, Map<String, Method> own, InvocationHandler others)
            implements InvocationHandler {

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            Method found = own.get(method.getName());
            if (found != null) {
                return call(found, some, arguments);
            }
            if (method.getDeclaringClass() == Object.class) {
                return switch (method.getName()) {
                    case "equals" -> arguments != null && proxy == arguments[0];
                    case "hashCode" -> some.hashCode();
                    default -> some.toString();
                };
            }
            return others.invoke(proxy, method, arguments);
        }
    }

    private record Next(Object gateway) implements InvocationHandler {

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            return call(method, gateway, arguments);
        }
    }

    private static @Nullable Object call(Method method, Object target, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
}

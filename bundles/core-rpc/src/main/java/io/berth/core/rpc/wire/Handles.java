package io.berth.core.rpc.wire;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;

/** Method handles, which are looked up once and called often. */
final class Handles {

    private static final MethodType GETTER = MethodType.methodType(Object.class, Object.class);
    private static final MethodType SETTER = MethodType.methodType(void.class, Object.class, Object.class);

    private Handles() {}

    static MethodHandle getter(Method method) {
        return find(method).asType(GETTER);
    }

    static MethodHandle setter(Method method) {
        return find(method).asType(SETTER);
    }

    private static MethodHandle find(Method method) {
        try {
            return MethodHandles.publicLookup().unreflect(method);
        } catch (IllegalAccessException failure) {
            throw new IllegalStateException(method + " is not public", failure);
        }
    }

    static Object get(MethodHandle getter, Object from) {
        try {
            return (Object) getter.invokeExact(from);
        } catch (Throwable failure) {
            throw unchecked(failure);
        }
    }

    static void set(MethodHandle setter, Object at, Object value) {
        try {
            setter.invokeExact(at, value);
        } catch (Throwable failure) {
            throw unchecked(failure);
        }
    }

    private static RuntimeException unchecked(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof RuntimeException known ? known : new IllegalStateException(failure);
    }
}

package io.berth.core.dispatcher;

import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMastersGateway;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.time.Timers;
import io.berth.core.dispatcher.bundle.BundleFiles;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.function.IntPredicate;

/** Counts the calls that a Dispatcher makes. Some of them throw, before or after they take effect. */
final class FaultyCalls {

    /** The injected failure of one call. */
    static final class InjectedFault extends RuntimeException {

        private static final long serialVersionUID = 1L;

        InjectedFault(int call, Method method) {
            super("call " + call + ", " + method.getDeclaringClass().getSimpleName() + "." + method.getName());
        }
    }

    /** Types of returned objects whose calls are also counted. */
    private static final Set<Class<?>> CALLED = Set.of(
            AutoCloseable.class,
            Timers.Cancellable.class,
            RpcService.Served.class,
            JobMastersGateway.class,
            JobMasterGateway.class,
            ResourceManagerGateway.class,
            BundleFiles.Received.class);

    private IntPredicate before = call -> false;
    private IntPredicate after = call -> false;
    private int calls;
    private int faults;

    void throwAt(IntPredicate beforeEffect, IntPredicate afterEffect) {
        before = beforeEffect;
        after = afterEffect;
    }

    void stop() {
        throwAt(call -> false, call -> false);
    }

    /** Number of injected faults. */
    int faults() {
        return faults;
    }

    /**
     * A proxy that counts the calls of {@code real}, which may throw; so are the calls of the objects that it returns.
     */
    <T> T counted(Class<T> type, T real) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> {
            int call = ++calls;
            fault(before, call, method);
            Object value;
            try {
                value = method.invoke(real, given);
            } catch (InvocationTargetException failure) {
                throw failure.getCause();
            }
            fault(after, call, method);
            return returned(method.getReturnType(), value);
        }));
    }

    private <T> Object returned(Class<T> type, Object value) {
        return CALLED.contains(type) ? counted(type, type.cast(value)) : value;
    }

    private void fault(IntPredicate which, int call, Method method) {
        if (which.test(call)) {
            faults++;
            throw new InjectedFault(call, method);
        }
    }
}

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

/** Counts calls out of a Dispatcher, of which some throw: before they take effect, or after it. */
final class FaultyCalls {

    /** Thrown by the call of that number. */
    static final class InjectedFault extends RuntimeException {

        private static final long serialVersionUID = 1L;

        InjectedFault(int call, Method method) {
            super("call " + call + ", " + method.getDeclaringClass().getSimpleName() + "." + method.getName());
        }
    }

    /** What calls return and is called later. */
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

    /** Faults that were thrown. */
    int faults() {
        return faults;
    }

    /** The same, but its calls are counted and may throw; so are those of what it returns to be called later. */
    <T> T through(Class<T> type, T real) {
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
        return CALLED.contains(type) ? through(type, type.cast(value)) : value;
    }

    private void fault(IntPredicate which, int call, Method method) {
        if (which.test(call)) {
            faults++;
            throw new InjectedFault(call, method);
        }
    }
}

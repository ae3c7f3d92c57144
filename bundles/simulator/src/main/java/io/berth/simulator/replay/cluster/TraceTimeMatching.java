package io.berth.simulator.replay.cluster;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.AllocationsView;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A matching strategy that moves slots, in the time of the trace, as {@link TraceTimeDistribution}. Others have no durations,
 * and see the core as it is, which costs nothing. Few methods of the views say a time, so proxies translate these and pass
 * on all others.
 */
final class TraceTimeMatching implements MatchingStrategyFactory {

    private static final long LAPSE = ReplayTime.LAPSE;

    private static final UnaryOperator<Object> OF_TRACE =
            millis -> millis instanceof OptionalLong maybe ? later(maybe) : later((Long) millis);

    private final MatchingStrategyFactory factory;

    TraceTimeMatching(MatchingStrategyFactory factory) {
        this.factory = factory;
    }

    private static long later(long millis) {
        return millis == Long.MAX_VALUE ? millis : millis * LAPSE;
    }

    private static OptionalLong later(OptionalLong millis) {
        return millis.isPresent() ? OptionalLong.of(later(millis.getAsLong())) : millis;
    }

    @Override
    public PolicyDescription describe() {
        return factory.describe();
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context)
            throws InvalidConfigurationException {
        MatchingStrategy strategy = factory.create(configuration, new TraceTimeDistribution.Context(context));
        return strategy.usesAllocations() ? new Strategy(strategy) : factory.create(configuration, context);
    }

    private record Strategy(MatchingStrategy core) implements MatchingStrategy {

        @Override
        public PlacementSession openPlacement(WorkersView workers) {
            return new Session(core.openPlacement(translated(
                    WorkersView.class,
                    workers,
                    Map.of(
                            "now", OF_TRACE,
                            "wallTime", OF_TRACE,
                            "startedAt", OF_TRACE,
                            "leavingAt", OF_TRACE,
                            "specStartMillis", OF_TRACE))));
        }

        @Override
        public boolean usesAllocations() {
            return true;
        }

        @Override
        public AssignmentSession openAssignment() {
            return core.openAssignment();
        }
    }

    private record Session(PlacementSession session) implements PlacementSession {

        @Override
        public void delta(int[] changed) {
            session.delta(changed);
        }

        @Override
        public void place(AdmittedView admitted, PlacementBuilder plan) {
            session.place(
                    translated(
                            AdmittedView.class,
                            admitted,
                            Map.of(
                                    "allocations",
                                    slots -> translated(
                                            AllocationsView.class,
                                            (AllocationsView) slots,
                                            Map.of("since", OF_TRACE)))),
                    reviewed(plan));
        }

        @Override
        public void close() {
            session.close();
        }
    }

    private static PlacementBuilder reviewed(PlacementBuilder plan) {
        return proxy(PlacementBuilder.class, (method, arguments) -> {
            if (!method.getName().equals("reviewAfter")) {
                return invoke(plan, method, arguments);
            }
            long millis = (Long) arguments[0];
            // What is not allowed stays so.
            plan.reviewAfter(millis < 1 ? millis : (millis + LAPSE - 1) / LAPSE);
            return null;
        });
    }

    /** @param results what becomes of the results of these methods */
    private static <V> V translated(Class<V> type, V core, Map<String, UnaryOperator<Object>> results) {
        return proxy(type, (method, arguments) -> {
            Object result = invoke(core, method, arguments);
            UnaryOperator<Object> translation = results.get(method.getName());
            return translation == null ? result : translation.apply(result);
        });
    }

    private interface Handler {
        @Nullable
        Object call(Method method, @Nullable Object[] arguments) throws Throwable;
    }

    private static <V> V proxy(Class<V> type, Handler handler) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> handler.call(method, arguments == null ? new Object[0] : arguments)));
    }

    private static @Nullable Object invoke(Object core, Method method, @Nullable Object[] arguments) throws Throwable {
        try {
            return method.invoke(core, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
}

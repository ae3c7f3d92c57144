package io.berth.core.policies.detached;

import io.berth.spi.ConfigurationKey;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.scaling.FeasibleChange;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.JudgementBuilder;
import io.berth.spi.scaling.ParallelismBuilder;
import io.berth.spi.scaling.ScalingPolicy;
import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.spi.scaling.ScalingSession;
import io.berth.spi.scaling.TaskMetric;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;

/**
 * A scaling policy for tests that decides by everything that it can see: each method of the view, of its context and of
 * its configuration changes its answers.
 */
final class ViewDigest implements ScalingPolicyFactory {

    static final List<ConfigurationKey> KEYS = List.of(ConfigurationKey.number("salt", 0, 0, 1_000, "for a test"));

    private final String name;
    private final boolean seeded;
    private final IntPredicate before;
    private final AtomicInteger open = new AtomicInteger();

    /** @param before runs in each call with the digest; what it answers with is broken when it returns true */
    ViewDigest(String name, IntPredicate before) {
        this(name, true, before);
    }

    /** @param seeded whether its answers depend on the seed, which each instance has of its own */
    ViewDigest(String name, boolean seeded, IntPredicate before) {
        this.name = name;
        this.seeded = seeded;
        this.before = before;
    }

    /** Number of its sessions that are open. */
    int open() {
        return open.get();
    }

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(name, "for a test", KEYS);
    }

    @Override
    public ScalingPolicy create(PolicyConfiguration configuration, PolicyContext context) {
        String own =
                name + configuration.number("salt") + context.owner() + (seeded ? context.seed() : 0) + context.zone();
        return job -> new Session(job, own);
    }

    /** A call of a method of a view. */
    private record Call(Method method, Object[] arguments) {

        private String text() {
            return method.getName() + Arrays.toString(arguments);
        }

        private String answer(Object view) {
            return String.valueOf(ViewDigest.answer(view, method, arguments));
        }
    }

    /** All calls of a type of view, in the order of their text. */
    private static final Map<Class<?>, List<Call>> CALLS = new ConcurrentHashMap<>();

    private static List<Object> values(Class<?> type) {
        if (type == long.class) {
            return List.of(0L, 300_000L, 600_000L, 5_000_000L);
        }
        // The last ones are mostly indexes that there are not.
        return type == int.class ? List.of(0, 1, 2, 3) : Arrays.asList((Object[]) TaskMetric.values());
    }

    private static List<Call> calls(Class<?> type) {
        List<Call> calls = new ArrayList<>();
        for (Method method : type.getMethods()) {
            Class<?>[] types = method.getParameterTypes();
            method.setAccessible(true);
            for (Object first : types.length > 0 ? values(types[0]) : List.<Object>of("")) {
                for (Object second : types.length > 1 ? values(types[1]) : List.<Object>of("")) {
                    for (Object third : types.length > 2 ? values(types[2]) : List.<Object>of("")) {
                        calls.add(new Call(method, Arrays.copyOf(new Object[] {first, second, third}, types.length)));
                    }
                }
            }
        }
        calls.sort(Comparator.comparing(Call::text));
        return calls;
    }

    /** The answers of all methods, also for indexes that there are not. */
    static <V> SortedMap<String, String> answers(Class<V> type, V view) {
        SortedMap<String, String> answers = new TreeMap<>();
        for (Call call : CALLS.computeIfAbsent(type, ViewDigest::calls)) {
            answers.put(call.text(), call.answer(view));
        }
        return answers;
    }

    private static int hash(JobView view) {
        int hash = 0;
        for (Call call : CALLS.computeIfAbsent(JobView.class, ViewDigest::calls)) {
            hash = 31 * hash + call.answer(view).hashCode();
        }
        return hash;
    }

    private static Object answer(Object view, Method method, Object[] arguments) {
        try {
            return method.invoke(view, arguments);
        } catch (InvocationTargetException noSuchIndex) {
            return "no such index";
        } catch (IllegalAccessException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private final class Session implements ScalingSession {

        private final JobView job;
        private final String own;

        private Session(JobView job, String own) {
            this.job = job;
            this.own = own;
            open.incrementAndGet();
        }

        private int digest(String more) {
            int mixed = Objects.hash(own, hash(job), more) * 0x9E3779B9;
            return (mixed ^ mixed >>> 15) & Integer.MAX_VALUE;
        }

        @Override
        public void delta() {}

        @Override
        public void desire(ParallelismBuilder result) {
            int digest = digest("");
            boolean broken = before.test(digest);
            for (int vertex = 0; vertex < job.vertices(); vertex++) {
                int range = job.maximum(vertex) - job.minimum(vertex) + 1;
                result.parallelism(vertex, broken ? 1_000 : job.minimum(vertex) + (digest >> vertex) % range);
            }
            result.reason("desired by " + digest);
            if (digest % 3 == 0) {
                result.reviewAfter(1 + digest % 10_000);
            }
        }

        @Override
        public void judge(FeasibleChange change, JudgementBuilder result) {
            StringBuilder all = new StringBuilder(change.bound());
            for (int vertex = 0; vertex < job.vertices(); vertex++) {
                all.append(' ').append(change.parallelism(vertex));
            }
            int digest = digest(all.toString());
            if (digest % 3 == 0) {
                result.reviewAfter(1 + digest % 5_000);
            } else if (digest % 3 == 1) {
                result.accept();
            } else {
                result.decline();
            }
            result.reason("judged by " + digest);
        }

        @Override
        public void close() {
            open.decrementAndGet();
        }
    }
}

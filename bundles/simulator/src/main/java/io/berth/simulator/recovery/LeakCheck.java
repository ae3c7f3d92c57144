package io.berth.simulator.recovery;

import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.job.JobEvents;
import io.berth.core.api.job.Reason;
import io.berth.simulator.network.Network.Reachable;
import io.berth.simulator.time.VirtualTime.What;
import io.berth.simulator.world.World;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Counts what the processes of a world keep when nothing happens (oracle B): the elements of every collection that is
 * reachable from what a process serves, and the timers that are set. The existing jobs and workers explain a number of
 * them. Everything beyond that number, except histories with their own bound, is a leak.
 *
 * <p>This is the only class that reads objects by reflection, for two reasons: the core classes are simulated
 * unchanged, and an entry that was forgotten would also be missing in a handwritten count.
 */
public final class LeakCheck {

    /** What one process may keep beyond what is explained, in one field or as timers. */
    static final long MAX_OF_ITS_OWN = 20;
    /** What it may keep for each job, worker, slot and task of the world. */
    static final long MAX_EACH = 2;

    /** Histories with their own bound, for each job or worker or for all, and what a job has to read or configures. */
    private static final Map<String, Long> BOUNDED = new TreeMap<>(Map.ofEntries(
            Map.entry("ByUtilization$Steps.atPlace", 1_000L),
            Map.entry("DecisionLog.kept", 1_000L),
            Map.entry("FailureLog.entries", (long) JobEvents.MAX_FAILURES),
            Map.entry("FormerAllocations.ends", 4_096L),
            Map.entry("FormerWorkers$Trail.published", 64L),
            Map.entry("FormerWorkers$Trail.workers", 64L),
            Map.entry("JobEvents.failures", (long) JobEvents.MAX_FAILURES),
            Map.entry("JobEvents.rescales", (long) JobEvents.MAX_RESCALES),
            Map.entry("JobGraph$JobVertex.configuration", 20L),
            Map.entry("JobHistory.earlier", 100L),
            Map.entry("JobHistory.newestFirst", 100L),
            Map.entry("JobHistory.transitions", 100L),
            Map.entry("PartialGateway$Receivers.own", 100L),
            Map.entry("PlanningInput$GroupDemand.formerWorkers", 64L),
            Map.entry("Reason.causes", (long) Reason.MAX_REASONS),
            Map.entry("RecentCalls.calls", 100L),
            Map.entry("RequirementLedger.forgotten", 10_000L),
            Map.entry("RescaleLog.ended", (long) JobEvents.MAX_RESCALES),
            Map.entry("Slot.deployed", 1_000L),
            Map.entry("SplitAssigner$Given.splits", 100L),
            Map.entry("SplitAssigner$Reported.left", 100L),
            Map.entry("SwapSegments.records", 10_000L),
            Map.entry("SwapTriggers.triggers[]", 200L),
            Map.entry("TaskDeployment$ChainedOperator.configuration", 20L),
            Map.entry("Tasks.canceledEarly", 1_000L)));

    /** Fields of a class and its superclasses that refer to objects. */
    private static final ClassValue<List<Field>> REFERENCES = new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> of) {
            List<Field> fields = new ArrayList<>();
            for (Class<?> type = of; type != Object.class && type != null; type = type.getSuperclass()) {
                for (Field field : type.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers())
                            && !field.getType().isPrimitive()) {
                        field.setAccessible(true);
                        fields.add(field);
                    }
                }
            }
            return List.copyOf(fields);
        }
    };

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> open = new ArrayDeque<>();
    private final SortedMap<String, Long> sizes = new TreeMap<>();

    private LeakCheck() {}

    /** What is kept without an explanation, for all processes of a world at rest. */
    public static List<String> problems(World world) {
        List<String> problems = new ArrayList<>();
        long things = things(world);
        for (Reachable there : world.network.reachable()) {
            if (there.process() == world.outside) {
                continue;
            }
            of(there.rpc()).forEach((field, size) -> {
                long most =
                        BOUNDED.containsKey(field) ? BOUNDED.get(field) * things : MAX_OF_ITS_OWN + MAX_EACH * things;
                if (size > most) {
                    problems.add("B: " + field + " of " + there.process() + " has " + size + " elements, " + things
                            + " jobs, workers, slots and tasks explain " + most);
                }
            });
            long timers = world.time.waiting(there.process(), What.TIMER);
            if (timers > MAX_OF_ITS_OWN + MAX_EACH * things) {
                problems.add("B: " + there.process() + " has " + timers + " timers set, " + things
                        + " jobs, workers, slots and tasks explain " + (MAX_OF_ITS_OWN + MAX_EACH * things));
            }
        }
        if (world.network.open() > MAX_OF_ITS_OWN + MAX_EACH * things) {
            problems.add("B: " + world.network.open() + " calls have no outcome, " + things
                    + " jobs, workers, slots and tasks explain " + (MAX_OF_ITS_OWN + MAX_EACH * things));
        }
        return problems;
    }

    /** Jobs, workers, slots, tasks and stored results of a world. */
    static long things(World world) {
        long slots = world.workers().stream()
                .flatMap(worker -> worker.slots().stream())
                .mapToLong(report -> report.slots().size())
                .sum();
        return world.exchange.results().size()
                + world.jobs.unfinished().size()
                + world.living().size()
                + slots
                + world.exchange.running().size();
    }

    /** The number of elements in the collections of each field, summed over all reachable objects. */
    static SortedMap<String, Long> of(Object root) {
        LeakCheck census = new LeakCheck();
        census.open.add(root);
        while (!census.open.isEmpty()) {
            census.visit(census.open.remove());
        }
        return census.sizes;
    }

    private void visit(Object object) {
        if (!seen.add(object)) {
            return;
        }
        if (Proxy.isProxyClass(object.getClass())) {
            // An observer of a gateway. Other proxies are stubs, which have no state.
            Object handler = Proxy.getInvocationHandler(object);
            if (handler.getClass().getNestHost() == PartialGateway.class) {
                open.add(handler);
            }
            return;
        }
        boolean ours = object.getClass().getName().startsWith("io.berth.");
        boolean simulated = object.getClass().getName().startsWith("io.berth.simulator.");
        if (!ours || object instanceof Enum || object instanceof Throwable || simulated) {
            return;
        }
        for (Field field : REFERENCES.get(object.getClass())) {
            follow(name(field.getDeclaringClass()) + "." + field.getName(), read(field, object));
        }
    }

    private static String name(Class<?> type) {
        String name = type.getName().substring(type.getName().lastIndexOf('.') + 1);
        return name.contains("$$Lambda") ? name.substring(0, name.indexOf("$$Lambda")) + "$$Lambda" : name;
    }

    private static Object read(Field field, Object object) {
        try {
            Object value = field.get(object);
            return value == null ? Optional.empty() : value;
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(field + " cannot be read", impossible);
        }
    }

    private void follow(String field, Object value) {
        if (value instanceof Optional<?> optional) {
            optional.ifPresent(content -> follow(field, content));
        } else if (value instanceof AtomicReference<?> reference) {
            Optional.ofNullable(reference.get()).ifPresent(content -> follow(field, content));
        } else if (value instanceof Map<?, ?> map) {
            if (seen.add(map)) {
                sizes.merge(field, (long) map.size(), Long::sum);
                follow(field, map.keySet(), BOUNDED.containsKey(field));
                follow(field, map.values(), BOUNDED.containsKey(field));
            }
        } else if (value instanceof Collection<?> collection) {
            if (seen.add(collection)) {
                sizes.merge(field, (long) collection.size(), Long::sum);
                follow(field, collection, BOUNDED.containsKey(field));
            }
        } else if (value instanceof Object[] array) {
            if (seen.add(array)) {
                for (Object element : array) {
                    if (element != null) {
                        sizes.merge(field, 1L, Long::sum);
                        follow(field + "[]", element);
                    }
                }
            }
        } else {
            open.add(value);
        }
    }

    private void follow(String field, Collection<?> elements, boolean isHistory) {
        if (!isHistory) {
            for (Object element : elements) {
                if (element != null) {
                    follow(field + "[]", element);
                }
            }
        }
    }
}

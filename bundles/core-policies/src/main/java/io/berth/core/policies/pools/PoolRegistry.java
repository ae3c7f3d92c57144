package io.berth.core.policies.pools;

import io.berth.core.api.operations.PolicyOperations.PoolDetails;
import io.berth.core.api.operations.PolicyOperations.QueueDetails;
import io.berth.core.policies.pools.QueueTree.Queue;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of pools, from the configurations {@code io.berth.pool~NAME}. An invalid configuration leaves the previous
 * settings in effect. Thread-safe.
 */
public final class PoolRegistry {

    /** PID of a pool's configuration, without its name. */
    public static final String PID = "io.berth.pool~";

    private static final Logger LOG = LoggerFactory.getLogger(PoolRegistry.class);

    private record Measured(long wallMillis, List<QueueDetails> queues) {}

    private final Function<String, SortedMap<String, String>> configurations;
    private final ConcurrentMap<String, PoolSettings> pools = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Measured> measured = new ConcurrentHashMap<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** @param configurations returns the configuration of a PID; empty when there is none */
    public PoolRegistry(Function<String, SortedMap<String, String>> configurations) {
        this.configurations = configurations;
    }

    /** The settings of a pool; read when they are asked for first. */
    public PoolSettings settings(String pool) {
        return pools.computeIfAbsent(pool, name -> read(name, PoolSettings.DEFAULT));
    }

    /** The configuration of a PID has changed or is gone. May read it. */
    public void configurationChanged(String pid) {
        if (!pid.startsWith(PID)) {
            return;
        }
        String pool = pid.substring(PID.length());
        PoolSettings before = settings(pool);
        PoolSettings after = read(pool, before);
        pools.put(pool, after);
        if (!Objects.equals(before, after)) {
            LOG.info(
                    "pool {}: its settings have changed; it has {} queues",
                    pool,
                    after.queues().queues().size() - 1);
            listeners.forEach(Runnable::run);
        }
    }

    private PoolSettings read(String pool, PoolSettings before) {
        List<String> problems;
        try {
            PoolSettings.Parsed parsed = PoolSettings.parse(configurations.apply(PID + pool));
            if (parsed.settings().isPresent()) {
                return parsed.settings().get();
            }
            problems = parsed.problems();
        } catch (RuntimeException unreadable) {
            problems = List.of("it cannot be read: " + unreadable.getMessage());
        }
        LOG.error(
                "configuration {}{} is invalid, the previous one stays in effect: {}",
                PID,
                pool,
                String.join("; ", problems));
        return before;
    }

    /** The planner of a pool measured its queues. */
    public void measured(String pool, long wallMillis, List<QueueDetails> queues) {
        measured.put(pool, new Measured(wallMillis, List.copyOf(queues)));
    }

    /** A pool with its latest figures; those of a changed tree come with the next decision. */
    public PoolDetails details(String pool) {
        PoolSettings settings = settings(pool);
        List<String> names =
                settings.queues().queues().stream().map(Queue::name).toList();
        Optional<Measured> figures = Optional.ofNullable(measured.get(pool))
                .filter(those ->
                        those.queues().stream().map(QueueDetails::name).toList().equals(names));
        return new PoolDetails(
                pool,
                settings.halfLifeMillis(),
                figures.map(Measured::wallMillis).orElse(0L),
                figures.map(Measured::queues)
                        .orElseGet(() -> settings.queues().details(new TreeMap<>(), new TreeMap<>(), new TreeMap<>())));
    }

    /** @param changed called when the settings of a pool have changed, on any thread; must not block */
    public void listen(Runnable changed) {
        listeners.add(changed);
    }

    public void forget(Runnable changed) {
        listeners.remove(changed);
    }
}

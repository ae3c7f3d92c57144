package io.berth.core.policies.pools;

import io.berth.core.api.job.Problem;
import io.berth.core.api.operations.PolicyOperations.PoolDetails;
import io.berth.core.api.operations.PolicyOperations.QueueDetails;
import io.berth.core.api.policy.PoolDefinition;
import io.berth.core.policies.pools.QueueTree.Queue;
import io.berth.core.policies.registration.Preference;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pools and their settings, from the configurations {@code io.berth.pool~NAME}. An invalid configuration leaves the
 * previous settings in effect, and makes no new pool; it is read again when policies change, because another version of
 * a policy may have its parameters. The default pool always exists. Thread-safe.
 */
public final class PoolRegistry {

    /** PID of a pool, before its name. */
    public static final String PID = "io.berth.pool~";

    /** How many pools there may be. */
    public static final int MAX_POOLS = 50;

    private static final Logger LOG = LoggerFactory.getLogger(PoolRegistry.class);
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Comparator<PoolDefinition> ORDER = Comparator.<PoolDefinition, Boolean>comparing(
                    PoolDefinition::isDefault)
            .thenComparingInt(PoolDefinition::order)
            .thenComparing(PoolDefinition::name);

    /** What is wrong with parameters for a policy; empty too while the policy is not installed. */
    public interface Parameters {
        List<Problem> problems(PolicyKind kind, String policy, SortedMap<String, String> parameters);
    }

    /** Why the choice of a pool, its own or the common one, does not decide for it; empty when it does. */
    public interface Obstacles {
        String of(String pool, PolicyKind kind, Preference preference);
    }

    private record Measured(long wallMillis, List<QueueDetails> queues) {}

    private final Function<String, SortedMap<String, String>> configurations;
    private final Parameters parameters;
    private final ConcurrentMap<String, PoolSettings> pools = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Measured> measured = new ConcurrentHashMap<>();
    /** What is wrong with configurations that are not in effect, by pool. */
    private final ConcurrentMap<String, String> rejected = new ConcurrentHashMap<>();

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** @param configurations returns the configuration of a PID; empty when there is none */
    public PoolRegistry(Function<String, SortedMap<String, String>> configurations, Parameters parameters) {
        this.configurations = configurations;
        this.parameters = parameters;
    }

    /** Those of a pool; the settings of a pool that does not exist are the default ones. */
    public PoolSettings settings(String pool) {
        return pool.equals(PoolDefinition.DEFAULT_NAME)
                ? pools.computeIfAbsent(pool, name -> read(name).orElse(PoolSettings.DEFAULT))
                : pools.getOrDefault(pool, PoolSettings.DEFAULT);
    }

    /** What the file of a pool says about who decides for it. */
    public Preference preference(String pool, PolicyKind kind) {
        return settings(pool).policies().preference(kind);
    }

    /** In the order in which pools choose workers; the default pool is the last one. */
    public List<PoolDefinition> definitions() {
        List<PoolDefinition> all = new ArrayList<>();
        all.add(settings(PoolDefinition.DEFAULT_NAME).definition());
        pools.forEach((name, settings) -> {
            if (!name.equals(PoolDefinition.DEFAULT_NAME)) {
                all.add(settings.definition());
            }
        });
        all.sort(ORDER);
        return all;
    }

    public boolean exists(String pool) {
        return pool.equals(PoolDefinition.DEFAULT_NAME) || pools.containsKey(pool);
    }

    /** The configurations that exist at the start. May read them. */
    public void discover(Collection<String> pids) {
        pids.forEach(this::configurationChanged);
    }

    /** Policies were installed, updated or removed. Reads the configurations that were invalid. */
    public void policiesChanged() {
        rejected.keySet().forEach(pool -> configurationChanged(PID + pool));
    }

    /** The configuration of a PID has changed. May read it. */
    public synchronized void configurationChanged(String pid) {
        if (!pid.startsWith(PID)) {
            return;
        }
        String pool = pid.substring(PID.length());
        if (!exists(pool) && (!NAME.matcher(pool).matches() || pools.size() > MAX_POOLS)) {
            LOG.error(
                    "configuration {} makes no pool: allowed are up to {} pools, with names of 1 to 64 letters, digits,"
                            + " '.', '_' and '-', the first a letter or digit",
                    pid,
                    MAX_POOLS);
            return;
        }
        boolean added = !exists(pool);
        PoolSettings before = settings(pool);
        Optional<PoolSettings> after = read(pool);
        after.ifPresent(settings -> pools.put(pool, settings));
        if (after.isPresent() && (added || !Objects.equals(before, after.get()))) {
            LOG.info(
                    added
                            ? "pool {}: there is a new pool; it has {} queues"
                            : "pool {}: its settings have changed; it has {} queues",
                    pool,
                    after.get().queues().queues().size() - 1);
            listeners.forEach(Runnable::run);
        }
    }

    /** The configuration of a PID is gone, and with it the pool. The default pool has default settings then. */
    public synchronized void configurationRemoved(String pid) {
        if (!pid.startsWith(PID)) {
            return;
        }
        String pool = pid.substring(PID.length());
        rejected.remove(pool);
        if (pool.equals(PoolDefinition.DEFAULT_NAME)) {
            configurationChanged(pid);
        } else if (pools.remove(pool) != null) {
            measured.remove(pool);
            LOG.info("pool {}: it is gone; its jobs wait until it is configured again", pool);
            listeners.forEach(Runnable::run);
        }
    }

    private Optional<PoolSettings> read(String pool) {
        List<String> problems = new ArrayList<>();
        try {
            PoolSettings.Parsed parsed = PoolSettings.parse(pool, configurations.apply(PID + pool));
            problems.addAll(parsed.problems());
            parsed.settings()
                    .ifPresent(settings -> settings.policies()
                            .choices()
                            .forEach((kind, choice) -> parameters
                                    .problems(kind, choice.selector(), choice.parameters())
                                    .forEach(problem -> problems.add(kind.label() + "." + problem.field() + " is "
                                            + problem.given() + ": allowed is " + problem.allowed()))));
            if (problems.isEmpty()) {
                rejected.remove(pool);
                return parsed.settings();
            }
        } catch (RuntimeException unreadable) {
            problems.add("it cannot be read: " + unreadable.getMessage());
        }
        String text = String.join("; ", problems);
        if (!text.equals(rejected.put(pool, text))) {
            LOG.error(
                    "configuration {}{} is invalid, {}: {}",
                    PID,
                    pool,
                    exists(pool) ? "the previous one stays in effect" : "there is no such pool",
                    text);
        }
        return Optional.empty();
    }

    /** The planner of a pool measured its queues. */
    public void measured(String pool, long wallMillis, List<QueueDetails> queues) {
        measured.put(pool, new Measured(wallMillis, List.copyOf(queues)));
    }

    /**
     * What units of a queue may still use before its limit, or that of a queue above it, is reached, by resource. Empty
     * while its use is not measured. A queue that is not configured counts for the root.
     */
    public Optional<SortedMap<String, Long>> room(String pool, String queue) {
        QueueTree tree = settings(pool).queues();
        Optional<List<QueueDetails>> used = figures(pool, tree).map(Measured::queues);
        if (!tree.isConfigured()) {
            return Optional.of(new TreeMap<>());
        }
        return used.map(figures -> {
            SortedMap<String, Long> room = new TreeMap<>();
            for (int number = tree.find(queue).orElse(0);
                    number >= 0;
                    number = tree.queues().get(number).parent()) {
                SortedMap<String, Long> there = figures.get(number).used();
                tree.queues()
                        .get(number)
                        .limit()
                        .forEach((resource, limit) ->
                                room.merge(resource, Math.max(0, limit - there.getOrDefault(resource, 0L)), Math::min));
            }
            return room;
        });
    }

    /** All pools, in their order, with their latest figures; those of a changed tree come with the next decision. */
    public List<PoolDetails> details(Obstacles obstacles) {
        return definitions().stream().map(pool -> details(pool, obstacles)).toList();
    }

    private PoolDetails details(PoolDefinition pool, Obstacles obstacles) {
        PoolSettings settings = settings(pool.name());
        Optional<Measured> figures = figures(pool.name(), settings.queues());
        return new PoolDetails(
                pool.name(),
                settings.halfLifeMillis(),
                figures.map(Measured::wallMillis).orElse(0L),
                figures.map(Measured::queues)
                        .orElseGet(() -> settings.queues().details(new TreeMap<>(), new TreeMap<>(), new TreeMap<>())),
                pool.order(),
                pool.membersText(),
                pool.rule().map(rule -> rule.name().toLowerCase(Locale.ROOT)).orElse(""),
                byLabel(settings.policies().choices()),
                byLabel(settings.policies().fallbacks()),
                obstacles(pool.name(), settings.policies(), obstacles),
                pool.limits(),
                pool.startsWorkers());
    }

    /** What was measured of these queues; empty when others were. */
    private Optional<Measured> figures(String pool, QueueTree tree) {
        return Optional.ofNullable(measured.get(pool))
                .filter(those -> those.queues().stream()
                        .map(QueueDetails::name)
                        .toList()
                        .equals(tree.queues().stream().map(Queue::name).toList()));
    }

    private SortedMap<String, String> obstacles(String pool, PoolPolicies policies, Obstacles obstacles) {
        SortedMap<String, String> found = new TreeMap<>();
        Optional.ofNullable(rejected.get(pool))
                .ifPresent(why -> found.put(
                        PoolDetails.FILE, "etc/io.berth.pool-" + pool + ".cfg is invalid, and not in effect: " + why));
        List.of(PolicyKind.MATCHING, PolicyKind.DISTRIBUTION).forEach(kind -> {
            String obstacle = obstacles.of(pool, kind, policies.preference(kind));
            if (!obstacle.isEmpty()) {
                found.put(kind.label(), obstacle);
            }
        });
        return found;
    }

    private static <T> SortedMap<String, T> byLabel(SortedMap<PolicyKind, T> byKind) {
        SortedMap<String, T> labeled = new TreeMap<>();
        byKind.forEach((kind, value) -> labeled.put(kind.label(), value));
        return labeled;
    }

    /** @param changed called when the settings of a pool have changed, on any thread; must not block */
    public void listen(Runnable changed) {
        listeners.add(changed);
    }

    public void forget(Runnable changed) {
        listeners.remove(changed);
    }
}

package io.berth.core.policies.shadow;

import io.berth.core.api.operations.ShadowOperations;
import io.berth.core.api.operations.ShadowOperations.ShadowDetails;
import io.berth.core.api.operations.ShadowOperations.ShadowedDecision;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.policies.frame.DecisionObservers;
import io.berth.core.policies.guard.Guard;
import io.berth.core.policies.registry.PolicyRegistry;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All shadows of the policy host. Thread-safe; never blocks. */
public final class Shadows {

    private static final Logger LOG = LoggerFactory.getLogger(Shadows.class);

    private record Key(String pool, PolicyKind kind) implements Comparable<Key> {

        @Override
        public int compareTo(Key other) {
            int byPool = pool.compareTo(other.pool);
            return byPool == 0 ? kind.compareTo(other.kind) : byPool;
        }
    }

    private final PolicyRegistry registry;
    private final Guard guard;
    private final DecisionObservers observers;
    private final Clock clock;
    private final Function<String, MainThread> lanes;
    private final SortedMap<Key, Shadow<?>> shadows = new TreeMap<>();

    /** @param lanes makes a main thread whose actions delay no decisions */
    public Shadows(
            PolicyRegistry registry,
            Guard guard,
            DecisionObservers observers,
            Clock clock,
            Function<String, MainThread> lanes) {
        this.registry = registry;
        this.guard = guard;
        this.observers = observers;
        this.clock = clock;
        this.lanes = lanes;
        registry.listen(this::policiesChanged);
    }

    private void policiesChanged() {
        all().forEach(Shadow::policiesChanged);
    }

    private synchronized List<Shadow<?>> all() {
        return new ArrayList<>(shadows.values());
    }

    /**
     * See {@link io.berth.core.api.operations.ShadowOperations#shadow}.
     *
     * @param pools that there are
     */
    public ShadowDetails begin(PolicyKind kind, String name, String pool, List<String> pools, String by) {
        String scope = scope(kind, pool);
        if (!scope.isEmpty() && !pools.contains(scope)) {
            throw new IllegalArgumentException("no pool '" + scope + "': there are " + String.join(", ", pools));
        }
        registry.requireUsable(kind, name);
        Shadow<?> begun = shadow(new Shadow.Begun(scope, kind, name, by, clock.wallMillis()));
        Optional<Shadow<?>> before;
        synchronized (this) {
            before = Optional.ofNullable(shadows.put(new Key(scope, kind), begun));
        }
        before.ifPresent(this::end);
        observers.add(begun);
        LOG.info(
                "{} {} shadows the decisions of {}, by {}",
                kind.label(),
                name,
                begun.begun().scope(),
                by);
        return begun.details();
    }

    private Shadow<?> shadow(Shadow.Begun begun) {
        MainThread lane = lanes.apply("shadow " + begun.kind().label() + " " + begun.name() + " of " + begun.scope());
        ShadowedPolicies policies = new ShadowedPolicies(begun.kind(), begun.name(), registry, guard, lane);
        return begun.kind() == PolicyKind.SCALING
                ? new ScalingShadow(begun, lane, policies, clock)
                : new PoolShadow(begun, lane, policies, clock);
    }

    /** The pool that is meant; empty for a kind that decides for jobs. */
    private static String scope(PolicyKind kind, String pool) {
        if (kind == PolicyKind.BACKEND) {
            throw new IllegalArgumentException(
                    "a backend cannot be a shadow: allowed are matching, distribution, scaling");
        }
        if (kind == PolicyKind.SCALING && !pool.isEmpty()) {
            throw new IllegalArgumentException(
                    "a scaling policy shadows the decisions of all jobs: pool '" + pool + "' is not allowed with it");
        }
        return ShadowOperations.poolOf(kind, pool);
    }

    /** See {@link io.berth.core.api.operations.ShadowOperations#endShadow}. */
    public ShadowDetails end(PolicyKind kind, String pool, String by) {
        String scope = scope(kind, pool);
        Optional<Shadow<?>> found;
        synchronized (this) {
            found = Optional.ofNullable(shadows.remove(new Key(scope, kind)));
        }
        Shadow<?> ended = found.orElseThrow(() ->
                new IllegalArgumentException(ShadowOperations.none(kind, pool) + ": 'policies' lists the shadows"));
        end(ended);
        LOG.info(
                "{} {} no longer shadows the decisions of {}, by {}",
                kind.label(),
                ended.begun().name(),
                ended.begun().scope(),
                by);
        return ended.details();
    }

    private void end(Shadow<?> shadow) {
        observers.remove(shadow);
        shadow.end();
    }

    public List<ShadowDetails> details() {
        return all().stream().map(Shadow::details).toList();
    }

    public List<ShadowedDecision> of(long decision) {
        return all().stream()
                .map(shadow -> shadow.of(decision))
                .flatMap(Optional::stream)
                .toList();
    }

    /** The host ends. */
    public void close() {
        List<Shadow<?>> ending = all();
        synchronized (this) {
            shadows.clear();
        }
        ending.forEach(this::end);
    }
}

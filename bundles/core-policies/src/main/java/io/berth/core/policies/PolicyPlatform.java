package io.berth.core.policies;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.Problem;
import io.berth.core.api.operations.PolicyMetrics;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.policy.PoolDefinition;
import io.berth.core.api.policy.ScalingAdvisor;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import io.berth.core.policies.backends.BackendRegistry;
import io.berth.core.policies.decision.Advisor;
import io.berth.core.policies.decision.Assigner;
import io.berth.core.policies.decision.DecisionLog;
import io.berth.core.policies.decision.Planner;
import io.berth.core.policies.decision.Services;
import io.berth.core.policies.frame.DecisionObservers;
import io.berth.core.policies.guard.Guard;
import io.berth.core.policies.guard.GuardThreads;
import io.berth.core.policies.meters.Meters;
import io.berth.core.policies.pools.PastUseStore;
import io.berth.core.policies.pools.PoolRegistry;
import io.berth.core.policies.registration.OfferedPolicy;
import io.berth.core.policies.registry.Diagnosis;
import io.berth.core.policies.registry.HostSettings;
import io.berth.core.policies.registry.PolicyRegistry;
import io.berth.core.policies.shadow.Shadows;
import io.berth.core.policies.swap.SwapStore;
import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

/** The policy host as a plain object, with time and threads injected. Thread-safe; only {@link #close} blocks. */
public class PolicyPlatform implements PolicyHost, PolicyOperations, PolicyMetrics, AutoCloseable {

    /** By then, the policies are registered after a start. */
    private static final long SETTLED_MILLIS = 15_000;

    private final Guard guard;
    private final MainThread events;
    private final PolicyRegistry registry;
    private final PoolRegistry pools;
    private final PastUseStore pastUse = new PastUseStore();
    private final DecisionLog log;
    private final DecisionObservers observers = new DecisionObservers();
    private final Services services;
    private final BackendRegistry backends;
    private final SwapStore swapStore;
    private final Shadows shadows;
    /** Run what the host computes for shadows. */
    private final GuardThreads lanes;

    private final ConcurrentMap<String, Assigner> assigners = new ConcurrentHashMap<>();
    private volatile boolean closed;

    public PolicyPlatform(PolicyHostNode.Environment environment, HostSettings settings) {
        Clock clock = environment.clock();
        Timers timers = environment.timers();
        this.guard = new Guard(environment.threads(), timers, clock, new Meters());
        this.events = new MainThread("policy registry", environment.pool(), timers, environment.failed());
        this.registry = new PolicyRegistry(guard, events, clock, environment.configurations(), settings);
        registry.swaps().keep(settings.swapsKept());
        this.swapStore = new SwapStore(registry.swaps());
        this.log = new DecisionLog(settings.decisionsKept());
        this.pools = new PoolRegistry(
                environment.configurations(),
                (kind, name, parameters) ->
                        registry.isInstalled(kind, name) ? registry.problems(kind, name, parameters) : List.of());
        registry.listen(pools::policiesChanged);
        pools.listen(() -> registry.retainPools(poolNames()));
        this.services = new Services(
                registry,
                pools,
                pastUse,
                guard,
                log,
                observers,
                clock,
                events,
                (name, receiver) -> new MainThread(name, environment.pool(), timers, failure -> {
                    environment.failed().accept(failure);
                    receiver.accept(failure);
                }));
        this.backends = new BackendRegistry(registry, guard, services.clock(), services.mainThreads());
        this.lanes = environment.threads().apply("shadows");
        this.shadows = new Shadows(
                registry,
                guard,
                observers,
                clock,
                name -> new MainThread(name, lanes::execute, timers, environment.failed()));
        timers.schedule(SETTLED_MILLIS, () -> events.execute(registry::warnOfUnmetChoices));
    }

    public PolicyRegistry registry() {
        return registry;
    }

    public PoolRegistry poolRegistry() {
        return pools;
    }

    public PastUseStore pastUse() {
        return pastUse;
    }

    SwapStore swapStore() {
        return swapStore;
    }

    /** Who sees decisions. */
    public DecisionObservers observers() {
        return observers;
    }

    public BackendRegistry backends() {
        return backends;
    }

    public Guard guard() {
        return guard;
    }

    public void settings(HostSettings changed) {
        log.keep(changed.decisionsKept());
        registry.swaps().keep(changed.swapsKept());
        registry.settings(changed);
    }

    @Override
    public PlacementPlanner openPlanner(
            String pool, MatchingRule rule, Supplier<LedgerState> ledger, Runnable changed) {
        return new Planner(pool, rule, ledger, changed, services);
    }

    @Override
    public ScalingAdvisor openScaling(JobGraph job, Runnable changed) {
        return new Advisor(job, changed, services);
    }

    @Override
    public CompletionStage<AssignmentOutcome> assign(AssignmentQuery query) {
        if (closed) {
            return CompletableFuture.completedFuture(Assigner.hostEnded());
        }
        return assigners
                .computeIfAbsent(query.pool(), pool -> new Assigner(pool, services))
                .assign(query);
    }

    @Override
    public List<PolicyDetails> policies() {
        return registry.details();
    }

    @Override
    public List<Problem> problems(PolicyKind kind, String name, SortedMap<String, String> parameters) {
        return registry.problems(kind, name, parameters);
    }

    @Override
    public Optional<String> queueRefusal(String pool, String queue, String submitter) {
        return pools.settings(pool).refusal(queue, submitter);
    }

    @Override
    public List<PoolDetails> pools() {
        return pools.details((pool, kind, preference) -> registry.obstacle(kind, preference, pool));
    }

    @Override
    public List<String> poolNames() {
        return pools.definitions().stream().map(PoolDefinition::name).toList();
    }

    @Override
    public List<PoolDefinition> poolDefinitions() {
        return pools.definitions();
    }

    @Override
    public AutoCloseable followPools(Runnable changed) {
        pools.listen(changed);
        return () -> pools.forget(changed);
    }

    @Override
    public UseResult use(PolicyKind kind, String selector, OptionalLong expectedIndex, String by) {
        checkChosen(kind);
        return registry.use(kind, selector, expectedIndex, by);
    }

    @Override
    public UseResult revert(PolicyKind kind, OptionalLong expectedIndex, String by) {
        checkChosen(kind);
        return registry.revert(kind, expectedIndex, by);
    }

    @Override
    public List<SwapDetails> swaps(Optional<PolicyKind> kind, int limit) {
        return registry.swaps().find(kind, limit);
    }

    @Override
    public void release(PolicyKind kind, String name, String by) {
        registry.release(kind, name, by);
    }

    @Override
    public List<PolicyDiagnosis> diagnose(Optional<PolicyKind> kind, Optional<String> name) {
        return diagnose(kind, name, List.of());
    }

    /** @param offered policies that the manifests of installed bundles name */
    public List<PolicyDiagnosis> diagnose(
            Optional<PolicyKind> kind, Optional<String> name, List<OfferedPolicy> offered) {
        return Diagnosis.complete(registry.diagnose(), offered, kind, name).stream()
                .map(this::withShadows)
                .toList();
    }

    private PolicyDiagnosis withShadows(PolicyDiagnosis one) {
        String text = one.text();
        for (ShadowDetails shadow : shadows.details()) {
            if (shadow.kind() == one.kind()
                    && shadow.name().equals(one.name())
                    && shadow.version().equals(one.version())) {
                text += "; " + shadow.line();
            }
        }
        return new PolicyDiagnosis(one.kind(), one.name(), one.bundle(), one.version(), one.verdict(), text);
    }

    @Override
    public ShadowDetails shadow(PolicyKind kind, String name, String pool, String by) {
        return shadows.begin(
                kind, name, pool, pools().stream().map(PoolDetails::name).toList(), by);
    }

    @Override
    public ShadowDetails endShadow(PolicyKind kind, String pool, String by) {
        return shadows.end(kind, pool, by);
    }

    @Override
    public List<ShadowDetails> shadows() {
        return shadows.details();
    }

    @Override
    public List<ShadowedDecision> shadowed(long decision) {
        return shadows.of(decision);
    }

    private static void checkChosen(PolicyKind kind) {
        if (kind == PolicyKind.BACKEND) {
            throw new IllegalArgumentException(
                    "a backend is not chosen: all that are installed are active; allowed are matching, distribution, "
                            + "scaling");
        }
    }

    @Override
    public List<ChoiceDetails> choices() {
        return registry.choiceDetails();
    }

    @Override
    public Optional<String> choice(PolicyKind kind) {
        return Optional.of(registry.choices().name(kind)).filter(name -> !name.isEmpty());
    }

    @Override
    public List<DecisionDetails> decisions(DecisionFilter filter) {
        return log.find(filter);
    }

    @Override
    public Optional<DecisionDetails> decision(long number) {
        return log.decision(number);
    }

    @Override
    public HostFigures host() {
        Meters meters = guard.meters();
        return new HostFigures(
                registry.swaps().inProgress(),
                registry.generationsInUse(),
                guard.abandoned(),
                meters.decisions(),
                meters.swaps(),
                meters.redone(),
                meters.fallbacks());
    }

    @Override
    public List<PolicyFigures> policyFigures() {
        return guard.meters().policies();
    }

    @Override
    public Optional<PolicyFigures> policyFigures(PolicyKind kind, String name) {
        return guard.meters().policy(kind, name);
    }

    @Override
    public Following follow(Runnable changed) {
        registry.listen(changed);
        return () -> registry.forget(changed);
    }

    /** Closes backends, for a limited time, and accepts no more calls. */
    @Override
    public void close() {
        closed = true;
        backends.close();
        shadows.close();
        Map.copyOf(assigners).values().forEach(Assigner::close);
        assigners.clear();
        guard.close();
        lanes.end();
        events.close();
    }
}

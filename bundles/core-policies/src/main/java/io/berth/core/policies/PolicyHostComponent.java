package io.berth.core.policies;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.operations.PolicyMetrics;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.RoleOperations;
import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.api.policy.BackendHost;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.policy.PolicyRecords;
import io.berth.core.api.policy.ScalingAdvisor;
import io.berth.core.api.time.FatalErrors;
import io.berth.core.api.time.Pools;
import io.berth.core.api.time.SystemClock;
import io.berth.core.api.time.SystemTimers;
import io.berth.core.policies.framework.FrameworkRegistration;
import io.berth.core.policies.framework.InstalledPolicies;
import io.berth.core.policies.framework.PolicyConfigurations;
import io.berth.core.policies.framework.PolicyMetatypes;
import io.berth.core.policies.framework.StoppedBundleCleanup;
import io.berth.core.policies.guard.GuardThreads;
import io.berth.core.policies.registry.HostSettings;
import io.berth.spi.PolicyKind;
import io.berth.spi.backend.BackendFactory;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.ha.MetadataStores;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.scaling.ScalingPolicyFactory;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Supplier;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.cm.ConfigurationEvent;
import org.osgi.service.cm.ConfigurationListener;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wires the policy host into the framework: factory services come as references only and are fetched in the guard, so a
 * bundle whose activator blocks delays nobody. The one place with dynamic references.
 */
@Component(
        service = {
            PolicyHost.class,
            BackendHost.class,
            PolicyOperations.class,
            PolicyMetrics.class,
            PolicyRecords.class,
            ConfigurationListener.class
        },
        configurationPid = "io.berth.core.policies",
        immediate = true)
@Designate(ocd = PolicyHostConfiguration.class)
public final class PolicyHostComponent
        implements PolicyHost, BackendHost, PolicyOperations, PolicyMetrics, PolicyRecords, ConfigurationListener {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyHostComponent.class);

    private static final long SWAPS_WRITTEN_MILLIS = 1_000;

    private final BundleContext context;
    private final SystemTimers timers;
    private final ExecutorService pool;
    private final PolicyPlatform platform;
    private final PolicyMetatypes metatypes;
    private final StoppedBundleCleanup leftovers;
    /** Waits for the disk. */
    private final ExecutorService keeper;

    private final SortedMap<Long, FrameworkRegistration> early = new TreeMap<>();
    private final LeaderRecords records;
    private final DecidingRoles roles = new DecidingRoles();
    private boolean active;

    @Activate
    public PolicyHostComponent(
            BundleContext context, PolicyHostConfiguration configuration, @Reference ConfigurationAdmin admin) {
        this.context = context;
        this.timers = new SystemTimers("berth-core-policies-timers");
        this.pool = Pools.fixed("berth-core-policies-main", 2);
        this.keeper = Pools.fixed("berth-core-policies-keeper", 1);
        this.leftovers = new StoppedBundleCleanup(timers);
        startThreads();
        this.platform = new PolicyHostNode(
                        new PolicyHostNode.Environment(
                                new SystemClock(),
                                timers,
                                pool,
                                GuardThreads::pooled,
                                new PolicyConfigurations(admin)::of,
                                FatalErrors.halting().before(failure -> {})),
                        settings(configuration).orElse(HostSettings.defaults()))
                .platform();
        this.records = new LeaderRecords(platform.registry().choices(), platform.swapStore(), keeper);
        this.metatypes = new PolicyMetatypes(context, platform.registry()::keys);
        platform.registry().listen(metatypes::changed);
    }

    /** Bound references are kept until here, so that none is worked on by a half-made host. */
    @Activate
    void activate() {
        List<FrameworkRegistration> waiting;
        synchronized (early) {
            active = true;
            waiting = List.copyOf(early.values());
        }
        context.addBundleListener(platform.bundleWatch());
        context.addBundleListener(leftovers);
        waiting.forEach(this::addEarly);
        timers.schedule(SWAPS_WRITTEN_MILLIS, this::writeSwaps);
    }

    /** One that was unbound meanwhile is not there any more. */
    private void addEarly(FrameworkRegistration registration) {
        synchronized (early) {
            if (early.remove(registration.id()) != null) {
                platform.registry().add(registration);
            }
        }
    }

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            unbind = "unbindStore")
    void bindStore(MetadataStores stores) {
        records.came(stores);
    }

    void unbindStore(MetadataStores stores) {
        records.storeRemoved(stores);
    }

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            unbind = "unbindRoles")
    void bindRoles(RoleOperations found) {
        roles.found(found);
    }

    void unbindRoles(RoleOperations lost) {
        roles.lost(lost);
    }

    @Override
    public AutoCloseable leads(String role, long epoch) {
        return records.leads(role, epoch);
    }

    private void writeSwaps() {
        records.keep(() -> {
            platform.swapStore().flush();
            timers.schedule(SWAPS_WRITTEN_MILLIS, this::writeSwaps);
        });
    }

    @Modified
    void modified(PolicyHostConfiguration configuration) {
        settings(configuration).ifPresent(changed -> records.keep(() -> platform.settings(changed)));
    }

    /** Empty when the configuration is refused: what held before goes on. */
    private static Optional<HostSettings> settings(PolicyHostConfiguration configuration) {
        try {
            return Optional.of(PolicyHostConfiguration.Settings.of(configuration));
        } catch (RuntimeException refused) {
            LOG.error(
                    "configuration io.berth.core.policies is refused, what held before goes on: {}",
                    refused.getMessage());
            return Optional.empty();
        }
    }

    /** Now, so that no thread is started from the stack of a policy's activator, which it would hold on to. */
    private void startThreads() {
        if (pool instanceof ThreadPoolExecutor threads) {
            threads.prestartAllCoreThreads();
        }
        if (keeper instanceof ThreadPoolExecutor threads) {
            threads.prestartAllCoreThreads();
        }
        timers.schedule(0, () -> {});
    }

    @Deactivate
    void deactivate() {
        context.removeBundleListener(platform.bundleWatch());
        context.removeBundleListener(leftovers);
        records.finish(platform.swapStore()::flushAll);
        platform.close();
        metatypes.close();
        leftovers.close();
        keeper.shutdown();
        pool.shutdown();
        timers.close();
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            service = MatchingStrategyFactory.class,
            updated = "updatedPolicy",
            unbind = "unbindPolicy")
    void bindMatching(ServiceReference<MatchingStrategyFactory> reference) {
        bind(PolicyKind.MATCHING, reference);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            service = DistributionPolicyFactory.class,
            updated = "updatedPolicy",
            unbind = "unbindPolicy")
    void bindDistribution(ServiceReference<DistributionPolicyFactory> reference) {
        bind(PolicyKind.DISTRIBUTION, reference);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            service = ScalingPolicyFactory.class,
            updated = "updatedPolicy",
            unbind = "unbindPolicy")
    void bindScaling(ServiceReference<ScalingPolicyFactory> reference) {
        bind(PolicyKind.SCALING, reference);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            service = BackendFactory.class,
            updated = "updatedPolicy",
            unbind = "unbindPolicy")
    void bindBackend(ServiceReference<BackendFactory> reference) {
        bind(PolicyKind.BACKEND, reference);
    }

    private void bind(PolicyKind kind, ServiceReference<?> reference) {
        FrameworkRegistration registration = new FrameworkRegistration(context, kind, reference);
        leftovers.offers(reference.getBundle());
        synchronized (early) {
            if (!active) {
                early.put(registration.id(), registration);
                return;
            }
        }
        platform.registry().add(registration);
    }

    void updatedPolicy(ServiceReference<?> reference) {
        platform.registry().updated(FrameworkRegistration.idOf(reference));
    }

    void unbindPolicy(ServiceReference<?> reference) {
        long id = FrameworkRegistration.idOf(reference);
        synchronized (early) {
            early.remove(id);
        }
        platform.registry().remove(id);
    }

    @Override
    public void configurationEvent(ConfigurationEvent event) {
        platform.registry().configurationChanged(event.getPid());
    }

    @Override
    public PlacementPlanner openPlanner(
            String name, MatchingRule rule, Supplier<LedgerState> ledger, Runnable changed) {
        return platform.openPlanner(name, rule, ledger, changed);
    }

    @Override
    public ScalingAdvisor openScaling(JobGraph job, Runnable changed) {
        return platform.openScaling(job, changed);
    }

    @Override
    public CompletionStage<AssignmentOutcome> assign(AssignmentQuery query) {
        return platform.assign(query);
    }

    @Override
    public AutoCloseable follow(BackendFollower follower) {
        return platform.backends().follow(follower);
    }

    @Override
    public List<PolicyDetails> policies() {
        return platform.policies();
    }

    @Override
    public UseResult use(PolicyKind kind, String selector, OptionalLong expectedIndex, String by) {
        roles.check(kind);
        return platform.use(kind, selector, expectedIndex, by);
    }

    @Override
    public UseResult revert(PolicyKind kind, OptionalLong expectedIndex, String by) {
        roles.check(kind);
        return platform.revert(kind, expectedIndex, by);
    }

    @Override
    public List<SwapDetails> swaps(Optional<PolicyKind> kind, int limit) {
        return platform.swaps(kind, limit);
    }

    @Override
    public void release(PolicyKind kind, String name, String by) {
        platform.release(kind, name, by);
    }

    @Override
    public List<PolicyDiagnosis> diagnose(Optional<PolicyKind> kind, Optional<String> name) {
        return platform.diagnose(kind, name, InstalledPolicies.of(List.of(context.getBundles())));
    }

    @Override
    public List<ChoiceDetails> choices() {
        return platform.choices();
    }

    @Override
    public Optional<String> choice(PolicyKind kind) {
        return platform.choice(kind);
    }

    @Override
    public List<DecisionDetails> decisions(DecisionFilter filter) {
        return platform.decisions(filter);
    }

    @Override
    public Optional<DecisionDetails> decision(long number) {
        return platform.decision(number);
    }

    @Override
    public HostFigures host() {
        return platform.host();
    }

    @Override
    public List<PolicyFigures> policyFigures() {
        return platform.policyFigures();
    }

    @Override
    public Optional<PolicyFigures> policyFigures(PolicyKind kind, String name) {
        return platform.policyFigures(kind, name);
    }

    @Override
    public Following follow(Runnable changed) {
        return platform.follow(changed);
    }
}

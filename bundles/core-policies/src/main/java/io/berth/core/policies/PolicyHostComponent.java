package io.berth.core.policies;

import io.berth.core.api.operations.PolicyMetrics;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.RoleOperations;
import io.berth.core.api.policy.BackendHost;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.policy.PolicyRecords;
import io.berth.core.api.time.FatalErrors;
import io.berth.core.api.time.Pools;
import io.berth.core.api.time.SystemClock;
import io.berth.core.api.time.SystemTimers;
import io.berth.core.policies.framework.BackendInstances;
import io.berth.core.policies.framework.BundleWatch;
import io.berth.core.policies.framework.FrameworkRegistration;
import io.berth.core.policies.framework.InstalledPolicies;
import io.berth.core.policies.framework.PolicyConfigurations;
import io.berth.core.policies.framework.PolicyMetatypes;
import io.berth.core.policies.framework.StoppedBundleCleanup;
import io.berth.core.policies.guard.GuardThreads;
import io.berth.core.policies.journal.DecisionJournal;
import io.berth.core.policies.journal.JournalSettings;
import io.berth.core.policies.pools.PoolRegistry;
import io.berth.core.policies.registry.HostSettings;
import io.berth.spi.PolicyKind;
import io.berth.spi.backend.BackendFactory;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.ha.MetadataStores;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.scaling.ScalingPolicyFactory;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
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
 * Connects the policy host to the framework. Factory services are bound as references and fetched in the guard, so
 * that a bundle whose activator blocks delays nobody.
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
public final class PolicyHostComponent extends PolicyPlatform
        implements BackendHost, PolicyRecords, ConfigurationListener {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyHostComponent.class);

    private static final long SWAPS_WRITTEN_MILLIS = 1_000;

    private final BundleContext context;
    private final SystemTimers timers;
    private final ExecutorService pool;
    private final PolicyMetatypes metatypes;
    private final ConfigurationAdmin admin;
    private final BundleWatch bundleWatch = new BundleWatch(registry().swaps());
    private final StoppedBundleCleanup leftovers;
    private final BackendInstances instances;
    /** Waits for the disk. */
    private final ExecutorService keeper;

    private final SortedMap<Long, FrameworkRegistration> early = new TreeMap<>();
    private final LeaderRecords records;
    private final DecidingRoles roles = new DecidingRoles();
    private final ExecutorService recorder;
    private final DecisionJournal journal;
    private boolean active;

    /** What is configured, checked as a whole. */
    private record Settings(HostSettings host, Optional<JournalSettings> journal) {}

    @Activate
    public PolicyHostComponent(
            BundleContext context, PolicyHostConfiguration configuration, @Reference ConfigurationAdmin admin) {
        this(
                context,
                settings(configuration).orElse(new Settings(HostSettings.defaults(), Optional.empty())),
                admin,
                new SystemTimers("berth-core-policies-timers"),
                Pools.fixed("berth-core-policies-main", 2));
    }

    private PolicyHostComponent(
            BundleContext context,
            Settings settings,
            ConfigurationAdmin admin,
            SystemTimers timers,
            ExecutorService pool) {
        super(
                new PolicyHostNode.Environment(
                        new SystemClock(),
                        timers,
                        pool,
                        GuardThreads::pooled,
                        new PolicyConfigurations(admin)::of,
                        FatalErrors.halting().before(failure -> {})),
                settings.host());
        this.context = context;
        this.admin = admin;
        this.timers = timers;
        this.pool = pool;
        this.keeper = Pools.fixed("berth-core-policies-keeper", 1);
        this.recorder = Pools.fixed("berth-core-policies-journal", 1);
        this.journal = new DecisionJournal(observers(), new SystemClock(), recorder);
        this.leftovers = new StoppedBundleCleanup(timers);
        this.instances = new BackendInstances(registry(), admin);
        startThreads();
        settings.journal().ifPresent(journal::settings);
        this.records = new LeaderRecords(registry().choices(), swapStore(), pastUse(), keeper);
        this.metatypes = new PolicyMetatypes(context, registry()::keys);
        registry().listen(metatypes::changed);
    }

    /** References are kept until now, so that the host is complete when it handles them. */
    @Activate
    void activate() {
        List<FrameworkRegistration> waiting;
        synchronized (early) {
            active = true;
            waiting = List.copyOf(early.values());
        }
        context.addBundleListener(bundleWatch);
        context.addBundleListener(leftovers);
        waiting.forEach(this::addEarly);
        poolRegistry().discover(new PolicyConfigurations(admin).pids(PoolRegistry.PID));
        timers.schedule(SWAPS_WRITTEN_MILLIS, this::writeSwaps);
    }

    /** Skips a registration that was unbound meanwhile. */
    private void addEarly(FrameworkRegistration registration) {
        synchronized (early) {
            if (early.remove(registration.id()) == null) {
                return;
            }
            registry().add(registration);
        }
        addInstances(registration);
    }

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            unbind = "unbindStore")
    void bindStore(MetadataStores stores) {
        records.storeAdded(stores);
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
    public AutoCloseable startLeading(String role, long epoch) {
        return records.startLeading(role, epoch);
    }

    private void writeSwaps() {
        records.keep(() -> {
            swapStore().flush();
            pastUse().flush();
            timers.schedule(SWAPS_WRITTEN_MILLIS, this::writeSwaps);
        });
    }

    @Modified
    void modified(PolicyHostConfiguration configuration) {
        settings(configuration).ifPresent(changed -> {
            records.keep(() -> settings(changed.host()));
            changed.journal().ifPresent(journal::settings);
        });
    }

    /** Empty when the configuration is invalid: the previous one stays in effect. */
    private static Optional<Settings> settings(PolicyHostConfiguration configuration) {
        try {
            Path base = Path.of(System.getProperty("karaf.base", ""));
            return Optional.of(new Settings(
                    PolicyHostConfiguration.Settings.of(configuration),
                    Optional.of(PolicyHostConfiguration.Settings.journal(configuration, base))));
        } catch (RuntimeException refused) {
            LOG.error(
                    "configuration io.berth.core.policies is invalid, the previous one stays in effect: {}",
                    refused.getMessage());
            return Optional.empty();
        }
    }

    /** Now, because a thread that is started by a policy's activator would inherit its context. */
    private void startThreads() {
        if (pool instanceof ThreadPoolExecutor threads) {
            threads.prestartAllCoreThreads();
        }
        if (keeper instanceof ThreadPoolExecutor threads) {
            threads.prestartAllCoreThreads();
        }
        if (recorder instanceof ThreadPoolExecutor threads) {
            threads.prestartAllCoreThreads();
        }
        timers.schedule(0, () -> {});
    }

    @Deactivate
    void deactivate() {
        context.removeBundleListener(bundleWatch);
        context.removeBundleListener(leftovers);
        records.finish(() -> {
            pastUse().flush();
            swapStore().flushAll();
        });
        close();
        journal.close();
        recorder.shutdown();
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
        leftovers.registered(reference.getBundle());
        synchronized (early) {
            if (!active) {
                early.put(registration.id(), registration);
                return;
            }
        }
        registry().add(registration);
        addInstances(registration);
    }

    private void addInstances(FrameworkRegistration registration) {
        if (registration.kind() == PolicyKind.BACKEND) {
            instances.added(registration);
        }
    }

    void updatedPolicy(ServiceReference<?> reference) {
        registry().updated(FrameworkRegistration.idOf(reference));
        instances.updated(FrameworkRegistration.idOf(reference));
    }

    void unbindPolicy(ServiceReference<?> reference) {
        long id = FrameworkRegistration.idOf(reference);
        synchronized (early) {
            early.remove(id);
        }
        registry().remove(id);
        instances.removed(id);
    }

    @Override
    public void configurationEvent(ConfigurationEvent event) {
        Optional.ofNullable(event.getFactoryPid()).ifPresent(instances::configurationChanged);
        registry().configurationChanged(event.getPid());
        if (event.getType() == ConfigurationEvent.CM_DELETED) {
            poolRegistry().configurationRemoved(event.getPid());
        } else {
            poolRegistry().configurationChanged(event.getPid());
        }
    }

    @Override
    public AutoCloseable follow(BackendFollower follower) {
        return backends().follow(follower);
    }

    @Override
    public UseResult use(PolicyKind kind, String selector, OptionalLong expectedIndex, String by) {
        roles.check(kind);
        return super.use(kind, selector, expectedIndex, by);
    }

    @Override
    public UseResult revert(PolicyKind kind, OptionalLong expectedIndex, String by) {
        roles.check(kind);
        return super.revert(kind, expectedIndex, by);
    }

    @Override
    public ShadowDetails shadow(PolicyKind kind, String name, String pool, String by) {
        roles.checkShadow(kind);
        return super.shadow(kind, name, pool, by);
    }

    @Override
    public void exportDecisions(OptionalLong from, OptionalLong to, OutputStream out) throws IOException {
        journal.export(from, to, out);
    }

    @Override
    public List<PolicyDiagnosis> diagnose(Optional<PolicyKind> kind, Optional<String> name) {
        return diagnose(kind, name, InstalledPolicies.of(List.of(context.getBundles())));
    }
}

package io.berth.core.dispatcher;

import io.berth.core.api.DispatcherId;
import io.berth.core.api.FencingToken;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcService;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Pools;
import io.berth.core.api.time.SystemClock;
import io.berth.core.api.time.SystemTimers;
import io.berth.spi.PolicyKind;
import io.berth.spi.ha.MetadataStore;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Hashtable;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The role {@code dispatcher}: wires the Dispatcher, serves its gateway and offers its operations. */
@Component(service = {}, immediate = true, configurationPid = "io.berth.core.dispatcher")
@Designate(ocd = DispatcherRole.Configuration.class)
public final class DispatcherRole {

    private static final Logger LOG = LoggerFactory.getLogger(DispatcherRole.class);
    private static final long DETAILS_TIMEOUT_MILLIS = 2_000;
    private static final long END_MILLIS = 5_000;

    /** Configuration of the Dispatcher. */
    @ObjectClassDefinition(name = "Berth Dispatcher")
    public @interface Configuration {
        @AttributeDefinition(description = "HOST:PORT of the ResourceManager's process; empty: this process")
        String resource_manager_address() default "";

        @AttributeDefinition(description = "HOST:PORT of the process that runs JobMasters; empty: this process")
        String job_masters_address() default "";

        @AttributeDefinition(description = "Where bundles of jobs are kept; empty: data/berth/bundles. At start only")
        String bundle_directory() default "";

        @AttributeDefinition(description = "Largest bundle that may be uploaded, in bytes")
        long bundle_max_bytes() default 67_108_864;

        @AttributeDefinition(description = "How long a bundle stays after the last job that used it, in ms")
        long bundle_cache_ms() default 60_000;

        @AttributeDefinition(description = "How long an uploaded bundle waits for a job to use it, in ms")
        long bundle_upload_ms() default 600_000;

        @AttributeDefinition(description = "How many ended jobs are remembered")
        int jobs_kept() default 1000;
    }

    private final Deque<AutoCloseable> closing = new ArrayDeque<>();
    private final RpcService rpc;
    private final PolicyOperations policies;
    private final MetadataStore store;
    private final ConfiguredAddresses addresses;
    private BundleStore bundles;
    private DispatcherTerm term;

    @Activate
    public DispatcherRole(
            @Reference RpcService rpc, @Reference PolicyOperations policies, @Reference MetadataStore store) {
        this.rpc = rpc;
        this.policies = policies;
        this.store = store;
        this.addresses = new ConfiguredAddresses(rpc.address());
    }

    @Activate
    void activate(BundleContext context, Configuration configuration) throws IOException {
        try {
            build(context, configuration);
        } catch (IOException | RuntimeException failure) {
            deactivate();
            throw failure;
        }
    }

    private void build(BundleContext context, Configuration configuration) throws IOException {
        Clock clock = new SystemClock();
        SystemTimers timers = new SystemTimers("berth-core-dispatcher-timers");
        closing.push(timers);
        ExecutorService mainPool = closedLater(Pools.fixed("berth-core-dispatcher-main", 2));
        ExecutorService ioPool = closedLater(Pools.fixed("berth-core-dispatcher-io", 2));
        bundles = new BundleStore(directory(configuration, context), timers);
        setLimits(configuration);
        addresses.configure(configuration.resource_manager_address(), configuration.job_masters_address());
        DispatcherId id = new DispatcherId(new FencingToken(clock.wallMillis(), UUID.randomUUID()));
        term = new DispatcherTerm(
                id,
                new DispatcherTerm.Environment(
                        clock, timers, mainPool, ioPool, new SecureRandom(), rpc, addresses, store, bundles,
                        this::policyNames),
                settings(configuration));
        closing.push(term::close);
        EndpointRef endpoint = term.start();
        closing.push(context.registerService(JobOperations.class, term.jobs(), new Hashtable<>())::unregister);
        closing.push(context.registerService(ClusterOperations.class, term.cluster(), new Hashtable<>())::unregister);
        LOG.info("Dispatcher {} serves at {}", id, endpoint.address());
    }

    private List<String> policyNames(PolicyKind kind) {
        return policies.policies().stream()
                .filter(policy -> policy.kind() == kind)
                .map(PolicyDetails::name)
                .distinct()
                .toList();
    }

    @Modified
    void modified(Configuration configuration) {
        DispatcherSettings settings = settings(configuration);
        addresses.configure(configuration.resource_manager_address(), configuration.job_masters_address());
        setLimits(configuration);
        term.configure(settings);
        LOG.info("Dispatcher took over its configuration");
    }

    @Deactivate
    void deactivate() {
        while (!closing.isEmpty()) {
            try {
                closing.pop().close();
            } catch (Exception failure) {
                LOG.warn("Dispatcher: a part did not end well", failure);
            }
        }
    }

    private void setLimits(Configuration configuration) {
        bundles.limits(
                configuration.bundle_max_bytes(), configuration.bundle_cache_ms(), configuration.bundle_upload_ms());
    }

    private static DispatcherSettings settings(Configuration configuration) {
        return new DispatcherSettings(configuration.jobs_kept(), DETAILS_TIMEOUT_MILLIS);
    }

    private static Path directory(Configuration configuration, BundleContext context) {
        if (!configuration.bundle_directory().isBlank()) {
            return Path.of(configuration.bundle_directory().trim());
        }
        return Optional.ofNullable(context.getProperty("karaf.data"))
                .map(data -> Path.of(data, "berth", "bundles"))
                .orElseGet(() -> context.getDataFile("bundles").toPath());
    }

    private ExecutorService closedLater(ExecutorService pool) {
        closing.push(() -> {
            pool.shutdownNow();
            if (!pool.awaitTermination(END_MILLIS, TimeUnit.MILLISECONDS)) {
                LOG.warn("Dispatcher: a thread did not end within {} ms", END_MILLIS);
            }
        });
        return pool;
    }
}

package io.berth.core.dispatcher;

import io.berth.core.api.DispatcherId;
import io.berth.core.api.FencingToken;
import io.berth.core.api.access.TokenOperations;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.job.Problem;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import io.berth.core.api.policy.PolicyRecords;
import io.berth.core.api.role.Candidate;
import io.berth.core.api.role.RoleCandidate;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RoleDirectory;
import io.berth.core.api.time.FatalErrors;
import io.berth.core.api.time.Pools;
import io.berth.core.api.time.SystemClock;
import io.berth.core.api.time.SystemTimers;
import io.berth.core.dispatcher.bundle.BlobServer;
import io.berth.core.dispatcher.description.InstalledPolicies;
import io.berth.core.dispatcher.state.DispatcherParts;
import io.berth.core.dispatcher.state.DispatcherSettings;
import io.berth.spi.PolicyKind;
import io.berth.spi.ha.LeaderElection;
import io.berth.spi.ha.MetadataStores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Hashtable;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
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

/** The role {@code dispatcher}. While this process leads it, it serves a Dispatcher and offers its operations. */
@Component(service = RoleCandidate.class, immediate = true, configurationPid = "io.berth.core.dispatcher")
@Designate(ocd = DispatcherRole.Configuration.class)
public final class DispatcherRole implements RoleCandidate {

    private static final Logger LOG = LoggerFactory.getLogger(DispatcherRole.class);
    /** Name of the part of the metadata store. */
    private static final String STORE_PART = "dispatcher";

    private static final long DETAILS_TIMEOUT_MILLIS = 2_000;
    private static final long END_MILLIS = 5_000;

    /** Configuration of the Dispatcher. */
    @ObjectClassDefinition(name = "Berth Dispatcher")
    public @interface Configuration {
        @AttributeDefinition(description = "Directory of the bundles of jobs; empty: data/berth/bundles. At start only")
        String bundle_directory() default "";

        @AttributeDefinition(description = "Largest bundle that may be uploaded, in bytes")
        long bundle_max_bytes() default 67_108_864;

        @AttributeDefinition(description = "How long a bundle is kept after the last job that used it, in ms")
        long bundle_cache_ms() default 60_000;

        @AttributeDefinition(description = "How long an uploaded bundle waits for a job to use it, in ms")
        long bundle_upload_ms() default 600_000;

        @AttributeDefinition(description = "How many ended jobs are kept")
        int jobs_kept() default 1000;

        @AttributeDefinition(
                description = "Whether a job that states no expectedRuntime receives the median of earlier runs")
        boolean expected_runtime_learn() default true;

        @AttributeDefinition(
                description = "Names of further task runtimes that workers have, separated by commas; dataflow, process"
                        + " and service are always there")
        String task_runtimes() default "";

        @AttributeDefinition(description = "How many tasks a job may have at the maximum of its parallelism")
        int tasks_max() default DispatcherSettings.TASKS_MAX;
    }

    private final Deque<AutoCloseable> closing = new ArrayDeque<>();
    private final RpcService rpc;
    private final PolicyOperations policies;
    private final MetadataStores stores;
    private final PolicyRecords records;
    private final RoleDirectory directory;
    private final LeaderElection election;
    private final FatalErrors fatal = FatalErrors.halting();

    @SuppressWarnings("NullAway.Init")
    private Candidate<Leading> candidate;

    @SuppressWarnings("NullAway.Init")
    private BundleContext context;

    @SuppressWarnings("NullAway.Init")
    private BlobServer bundles;

    @SuppressWarnings("NullAway.Init")
    private Function<MetadataStores.Term, DispatcherParts.Environment> environment;

    @SuppressWarnings("NullAway.Init")
    private volatile DispatcherSettings settings;

    /** A term and its open resources, the last opened first. */
    private record Leading(DispatcherTerm term, Deque<AutoCloseable> open) {

        void end() {
            DispatcherTerm.closeAll(open);
        }
    }

    @Activate
    public DispatcherRole(
            @Reference RpcService rpc,
            @Reference PolicyOperations policies,
            @Reference MetadataStores stores,
            @Reference PolicyRecords records,
            @Reference RoleDirectory directory,
            @Reference LeaderElection election) {
        this.rpc = rpc;
        this.policies = policies;
        this.stores = stores;
        this.records = records;
        this.directory = directory;
        this.election = election;
    }

    @Activate
    void activate(BundleContext bundleContext, Configuration configuration) throws IOException {
        try {
            build(bundleContext, configuration);
        } catch (IOException | RuntimeException failure) {
            deactivate();
            throw failure;
        }
    }

    private void build(BundleContext bundleContext, Configuration configuration) throws IOException {
        context = bundleContext;
        settings = settings(configuration);
        SystemTimers timers = new SystemTimers("berth-core-dispatcher-timers");
        closing.push(timers);
        ExecutorService mainPool = closeLater(Pools.fixed("berth-core-dispatcher-main", 2));
        ExecutorService ioPool = closeLater(Pools.fixed("berth-core-dispatcher-io", 2));
        bundles = new BlobServer(directory(configuration, context), timers);
        setLimits(configuration);
        SystemClock clock = new SystemClock();
        SecureRandom random = new SecureRandom();
        ExecutorService terms = closeLater(Pools.fixed("berth-core-dispatcher-terms", 1));
        candidate = new Candidate<>(
                EndpointName.DISPATCHER,
                UUID::randomUUID,
                this::begin,
                (leading, cause) -> leading.end(),
                terms,
                timers);
        environment = store -> new DispatcherParts.Environment(
                clock, timers, mainPool, ioPool, random, rpc, directory, store, bundles, installedPolicies());
        closing.push(() -> candidate.close(Leading::end));
        candidate.compete(election, rpc.address());
    }

    /** Begins a term. After a failure, nothing of it stays open. */
    private Leading begin(FencingToken token) {
        Deque<AutoCloseable> open = new ArrayDeque<>();
        try {
            MetadataStores.Term store = openStore(token.epoch());
            open.push(store);
            open.push(records.startLeading(EndpointName.DISPATCHER.value(), token.epoch()));
            DispatcherId id = new DispatcherId(token);
            DispatcherTerm term = new DispatcherTerm(
                    id, environment.apply(store), settings, fatal.before(failure -> candidate.fail(token, failure)));
            open.push(term::close);
            EndpointRef endpoint = term.start();
            LOG.info("Dispatcher {} serves at {}", id, endpoint.address());
            open.push(register(TokenOperations.class, term.tokens()));
            open.push(register(JobOperations.class, term.jobs()));
            open.push(register(ClusterOperations.class, term.cluster()));
            return new Leading(term, open);
        } catch (RuntimeException | Error failure) {
            DispatcherTerm.closeAll(open);
            throw failure;
        }
    }

    private MetadataStores.Term openStore(long epoch) {
        try {
            return stores.open(STORE_PART, epoch);
        } catch (IOException failure) {
            throw new UncheckedIOException("the metadata store of the Dispatcher cannot be opened", failure);
        }
    }

    private <T> AutoCloseable register(Class<T> type, T service) {
        ServiceRegistration<T> registration = context.registerService(type, service, new Hashtable<>());
        return registration::unregister;
    }

    private InstalledPolicies installedPolicies() {
        return new InstalledPolicies() {
            @Override
            public List<String> names(PolicyKind kind) {
                return policies.policies().stream()
                        .filter(policy -> policy.kind() == kind)
                        .map(PolicyDetails::name)
                        .distinct()
                        .toList();
            }

            @Override
            public List<Problem> problems(PolicyKind kind, String name, SortedMap<String, String> parameters) {
                return policies.problems(kind, name, parameters);
            }

            @Override
            public List<String> pools() {
                return policies.poolNames();
            }

            @Override
            public Optional<String> queueRefusal(String pool, String queue, String submitter) {
                return policies.queueRefusal(pool, queue, submitter);
            }
        };
    }

    @Override
    public EndpointName role() {
        return EndpointName.DISPATCHER;
    }

    @Override
    public boolean leads() {
        return candidate.leads();
    }

    @Modified
    void modified(Configuration configuration) {
        DispatcherSettings changed = settings(configuration);
        setLimits(configuration);
        settings = changed;
        candidate.withTerm(leading -> leading.term().configure(changed));
        LOG.info("Dispatcher applied its new configuration");
    }

    @Deactivate
    void deactivate() {
        DispatcherTerm.closeAll(closing);
        closing.clear();
    }

    private void setLimits(Configuration configuration) {
        bundles.setLimits(
                configuration.bundle_max_bytes(), configuration.bundle_cache_ms(), configuration.bundle_upload_ms());
    }

    private static DispatcherSettings settings(Configuration configuration) {
        List<String> runtimes = Stream.of(configuration.task_runtimes().split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
        return new DispatcherSettings(
                configuration.jobs_kept(),
                configuration.expected_runtime_learn(),
                runtimes,
                configuration.tasks_max(),
                DETAILS_TIMEOUT_MILLIS);
    }

    private static Path directory(Configuration configuration, BundleContext context) {
        if (!configuration.bundle_directory().isBlank()) {
            return Path.of(configuration.bundle_directory().trim());
        }
        return Optional.ofNullable(context.getProperty("karaf.data"))
                .map(data -> Path.of(data, "berth", "bundles"))
                .orElseGet(() -> context.getDataFile("bundles").toPath());
    }

    private ExecutorService closeLater(ExecutorService pool) {
        closing.push(() -> {
            pool.shutdownNow();
            if (!pool.awaitTermination(END_MILLIS, TimeUnit.MILLISECONDS)) {
                LOG.warn("Dispatcher: a thread did not end within {} ms", END_MILLIS);
            }
        });
        return pool;
    }
}

package io.berth.core.rpc.component;

import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.time.SystemTimers;
import io.berth.core.api.time.Timers;
import io.berth.core.rpc.RpcConfig;
import io.berth.core.rpc.RpcServices;
import io.berth.core.rpc.RunningRpc;
import io.berth.core.security.ClusterSecurity;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Hashtable;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.osgi.annotation.bundle.Capability;
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

/**
 * Provides the transport of the control plane while the bundle is active and the process listens. If the address is in
 * use, the component tries again until it is free or another one is configured. Thread-safe.
 */
@Component(
        service = {},
        immediate = true,
        configurationPid = "io.berth.core.rpc")
@Designate(ocd = RpcComponent.Settings.class)
@Capability(
        namespace = "osgi.service",
        attribute = "objectClass:List<String>=io.berth.core.api.gateway.RpcService",
        uses = RpcService.class)
public final class RpcComponent {

    private static final Logger LOG = LoggerFactory.getLogger(RpcComponent.class);
    private static final long MIN_PAUSE_MILLIS = 500;
    private static final long MAX_PAUSE_MILLIS = 10_000;

    private final Function<RpcConfig, RunningRpc> start;
    private final Function<RpcService, AutoCloseable> register;
    private final Timers timers;
    /** Closed in order; the part that was added last is closed first. */
    private final Deque<AutoCloseable> closeables = new ArrayDeque<>();

    private Optional<RunningRpc> rpc = Optional.empty();

    @SuppressWarnings("NullAway.Init")
    private RpcConfig configured;

    private boolean closed;

    /** Configuration of the transport. */
    @ObjectClassDefinition(name = "Berth transport", description = "Transport of the gateways between processes.")
    public @interface Settings {

        @AttributeDefinition(
                name = "host",
                description = "Address to listen at; another one than loopback only when connections are secured"
                        + " (io.berth.core.security). A change takes effect at the next start.")
        String host() default "127.0.0.1";

        @AttributeDefinition(
                name = "advertised.host",
                description = "Name or address at which other processes reach this one; empty: as host. A change takes"
                        + " effect at the next start.")
        String advertised_host() default "";

        @AttributeDefinition(
                name = "port",
                description = "Port to listen at; 0 takes any free one. A change takes effect at the next start.")
        int port() default 7077;

        @AttributeDefinition(name = "call.deadline.ms", description = "After how long a call without an answer fails.")
        long call_deadline_ms() default 10_000;

        @AttributeDefinition(
                name = "connect.timeout.ms",
                description = "After how long an attempt to connect fails. A change takes effect for new connections.")
        long connect_timeout_ms() default 3_000;

        @AttributeDefinition(
                name = "message.max.bytes",
                description = "Largest message that is sent or received. A change takes effect at the next start.")
        int message_max_bytes() default 4_194_304;

        @AttributeDefinition(
                name = "channel.idle.ms",
                description =
                        "After how long without calls a connection to a peer is closed. A change takes effect at the"
                                + " next start.")
        long channel_idle_ms() default 300_000;

        @AttributeDefinition(
                name = "connections.max",
                description =
                        "Connections of other processes that are open at once, at least one for each worker; further"
                                + " ones are closed. A change takes effect at the next start.")
        int connections_max() default 4_096;

        @AttributeDefinition(
                name = "call.threads",
                description = "Threads that read calls and pass on answers. A change takes effect at the next start.")
        int call_threads() default 3;

        @AttributeDefinition(
                name = "dispatcher.address",
                description =
                        "HOST:PORT of the process that serves the Dispatcher; empty: where its leader is elected.")
        String dispatcher_address() default "";

        @AttributeDefinition(
                name = "resource.manager.address",
                description = "HOST:PORT of the process that serves the ResourceManager; empty: where its leader is"
                        + " elected.")
        String resource_manager_address() default "";

        @AttributeDefinition(
                name = "job.masters.address",
                description = "HOST:PORT of the process that runs JobMasters; empty: where their leader is elected.")
        String job_masters_address() default "";
    }

    /** Tries to listen, at once and then until it succeeds. */
    @Activate
    public RpcComponent(BundleContext context, Settings settings, @Reference ClusterSecurity security) {
        this(
                settings,
                config -> RpcServices.start(config, security),
                rpc -> {
                    ServiceRegistration<RpcService> offered =
                            context.registerService(RpcService.class, rpc, new Hashtable<>());
                    return offered::unregister;
                },
                new SystemTimers("berth-core-rpc-listen"));
    }

    /**
     * @param start listens; throws {@link IllegalStateException} when it cannot
     * @param register registers the transport until the result is closed
     * @param timers for the next attempt; closed with this component
     */
    <T extends Timers & AutoCloseable> RpcComponent(
            Settings settings,
            Function<RpcConfig, RunningRpc> start,
            Function<RpcService, AutoCloseable> register,
            T timers) {
        this.start = start;
        this.register = register;
        this.timers = timers;
        closeables.push(timers);
        config(settings).ifPresent(this::startListening);
    }

    private void startListening(RpcConfig config) {
        synchronized (this) {
            configured = config;
        }
        attempt(config, 0);
    }

    private void attempt(RpcConfig config, int failures) {
        RunningRpc started;
        synchronized (this) {
            if (closed || rpc.isPresent() || config != configured) {
                return;
            }
            try {
                started = start.apply(config);
            } catch (IllegalArgumentException notSecured) {
                LOG.error("the configuration of io.berth.core.rpc was not applied: {}", notSecured.getMessage());
                return;
            } catch (IllegalStateException failure) {
                if (failures == 0) {
                    LOG.error("the control plane {}; it tries again until it can", failure.getMessage());
                }
                timers.schedule(
                        Math.min(MAX_PAUSE_MILLIS, MIN_PAUSE_MILLIS << Math.min(failures, 10)),
                        () -> attempt(config, failures + 1));
                return;
            }
            rpc = Optional.of(started);
            closeables.push(started);
        }
        started.warmUp();
        AutoCloseable registration = register.apply(started);
        synchronized (this) {
            if (!closed) {
                closeables.push(registration);
                return;
            }
        }
        close(registration);
    }

    /**
     * Applies the settings that can change at run time. The address stays, because peers know it, and a change would
     * end every role of this process.
     */
    @Modified
    void modified(Settings settings) {
        Optional<RpcConfig> config = config(settings);
        if (config.isEmpty()) {
            return;
        }
        Optional<RunningRpc> running;
        synchronized (this) {
            running = rpc;
        }
        if (running.isEmpty()) {
            startListening(config.get());
        } else if (running.get().reconfigure(config.get())) {
            LOG.info("the configuration of io.berth.core.rpc was applied");
        } else {
            LOG.warn(
                    "the configuration of io.berth.core.rpc: call.deadline.ms and connect.timeout.ms were applied; the"
                            + " other keys need a restart of this process, which still listens at {}",
                    running.get().address());
        }
    }

    @Deactivate
    void deactivate() {
        List<AutoCloseable> parts;
        synchronized (this) {
            closed = true;
            parts = List.copyOf(closeables);
        }
        parts.forEach(RpcComponent::close);
    }

    private static void close(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception failure) {
            LOG.warn("transport: a part could not be closed", failure);
        }
    }

    /** The configuration; empty when it is invalid, which is logged. */
    private static Optional<RpcConfig> config(Settings settings) {
        try {
            return Optional.of(new RpcConfig(
                    settings.host(),
                    settings.advertised_host(),
                    settings.port(),
                    "control-plane",
                    settings.call_deadline_ms(),
                    settings.connect_timeout_ms(),
                    settings.message_max_bytes(),
                    settings.channel_idle_ms(),
                    settings.connections_max(),
                    settings.call_threads()));
        } catch (IllegalArgumentException invalid) {
            LOG.error("the configuration of io.berth.core.rpc was not applied: {}", invalid.getMessage());
            return Optional.empty();
        }
    }
}

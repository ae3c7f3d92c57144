package io.berth.core.rpc.component;

import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.time.SystemTimers;
import io.berth.core.api.time.Timers;
import io.berth.core.rpc.RpcConfig;
import io.berth.core.rpc.RpcServices;
import io.berth.core.rpc.RunningRpc;
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
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Offers the transport of the control plane while the bundle is active and the process listens. When the address is
 * taken, it is tried again until it is free, or another one is configured. Any thread.
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
    private final Function<RpcService, AutoCloseable> offer;
    private final Timers timers;
    /** The last one is closed first. */
    private final Deque<AutoCloseable> closing = new ArrayDeque<>();

    private Optional<RunningRpc> rpc = Optional.empty();

    @SuppressWarnings("NullAway.Init")
    private RpcConfig configured;

    private boolean closed;

    /** Configuration of the transport. */
    @ObjectClassDefinition(name = "Berth transport", description = "Transport of the gateways between processes.")
    public @interface Settings {

        @AttributeDefinition(
                name = "host",
                description = "Address to listen at; loopback only. Taken over at the next start.")
        String host() default "127.0.0.1";

        @AttributeDefinition(
                name = "port",
                description = "Port to listen at; 0 takes any free one. Taken over at the next start.")
        int port() default 7077;

        @AttributeDefinition(name = "call.deadline.ms", description = "After how long a call without an answer fails.")
        long call_deadline_ms() default 10_000;

        @AttributeDefinition(
                name = "connect.timeout.ms",
                description = "After how long an attempt to connect fails; for connections made from now on.")
        long connect_timeout_ms() default 3_000;

        @AttributeDefinition(
                name = "message.max.bytes",
                description = "Largest message sent or taken. Taken over at the next start.")
        int message_max_bytes() default 4_194_304;

        @AttributeDefinition(
                name = "channel.idle.ms",
                description = "After how long without calls a connection to a peer is given up. Taken over at the next"
                        + " start.")
        long channel_idle_ms() default 300_000;

        @AttributeDefinition(
                name = "connections.max",
                description =
                        "Connections of other processes that are open at once, at least one for each worker; further"
                                + " ones are closed. Taken over at the next start.")
        int connections_max() default 4_096;

        @AttributeDefinition(
                name = "call.threads",
                description = "Threads that read calls and hand out answers. Taken over at the next start.")
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

    /** Tries to listen, at once and then as often as it takes. */
    @Activate
    public RpcComponent(BundleContext context, Settings settings) {
        this(
                settings,
                RpcServices::start,
                rpc -> {
                    ServiceRegistration<RpcService> offered =
                            context.registerService(RpcService.class, rpc, new Hashtable<>());
                    return offered::unregister;
                },
                new SystemTimers("berth-core-rpc-listen"));
    }

    /**
     * @param start listens; throws {@link IllegalStateException} when it cannot
     * @param offer offers the transport to others until what it returns is closed
     * @param timers for the next attempt; ends with this
     */
    <T extends Timers & AutoCloseable> RpcComponent(
            Settings settings,
            Function<RpcConfig, RunningRpc> start,
            Function<RpcService, AutoCloseable> offer,
            T timers) {
        this.start = start;
        this.offer = offer;
        this.timers = timers;
        closing.push(timers);
        config(settings).ifPresent(this::listen);
    }

    private void listen(RpcConfig config) {
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
            } catch (IllegalStateException failure) {
                if (failures == 0) {
                    LOG.error("the control plane {}; it is tried again until it works", failure.getMessage());
                }
                timers.schedule(
                        Math.min(MAX_PAUSE_MILLIS, MIN_PAUSE_MILLIS << Math.min(failures, 10)),
                        () -> attempt(config, failures + 1));
                return;
            }
            rpc = Optional.of(started);
            closing.push(started);
        }
        started.warmUp();
        AutoCloseable offered = offer.apply(started);
        synchronized (this) {
            if (!closed) {
                closing.push(offered);
                return;
            }
        }
        close(offered);
    }

    /**
     * Takes over what can change while it runs. The address stays: peers know it, and moving it would take down every
     * role of this process.
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
            listen(config.get());
        } else if (running.get().reconfigure(config.get())) {
            LOG.info("configuration of io.berth.core.rpc taken over");
        } else {
            LOG.warn(
                    "configuration of io.berth.core.rpc: call.deadline.ms and connect.timeout.ms taken over; the other"
                            + " keys take a restart of this process, it still listens at {}",
                    running.get().address());
        }
    }

    @Deactivate
    void deactivate() {
        List<AutoCloseable> parts;
        synchronized (this) {
            closed = true;
            parts = List.copyOf(closing);
        }
        parts.forEach(RpcComponent::close);
    }

    private static void close(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception failure) {
            LOG.warn("transport: a part did not end well", failure);
        }
    }

    /** Empty when it is not allowed, which is logged. */
    private static Optional<RpcConfig> config(Settings settings) {
        try {
            return Optional.of(new RpcConfig(
                    settings.host(),
                    settings.port(),
                    "control-plane",
                    settings.call_deadline_ms(),
                    settings.connect_timeout_ms(),
                    settings.message_max_bytes(),
                    settings.channel_idle_ms(),
                    settings.connections_max(),
                    settings.call_threads()));
        } catch (IllegalArgumentException invalid) {
            LOG.error("configuration of io.berth.core.rpc is not taken over: {}", invalid.getMessage());
            return Optional.empty();
        }
    }
}

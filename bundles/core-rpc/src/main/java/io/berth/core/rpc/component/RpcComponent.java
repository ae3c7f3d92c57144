package io.berth.core.rpc.component;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMastersGateway;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.rpc.RpcConfig;
import io.berth.core.rpc.RpcServices;
import io.berth.core.rpc.RunningRpc;
import java.util.concurrent.CompletionStage;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes the transport of the control plane while the bundle is active. */
@Component(service = RpcService.class, immediate = true, configurationPid = "io.berth.core.rpc")
@Designate(ocd = RpcComponent.Settings.class)
public final class RpcComponent implements RpcService {

    private static final Logger LOG = LoggerFactory.getLogger(RpcComponent.class);

    private final RunningRpc rpc;

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

    /** Starts to listen. */
    @Activate
    public RpcComponent(Settings settings) {
        rpc = RpcServices.start(config(settings));
    }

    /**
     * Takes over what can change while it runs. The address stays: peers know it, and moving it would take down every
     * role of this process.
     */
    @Modified
    void modified(Settings settings) {
        RpcConfig config;
        try {
            config = config(settings);
        } catch (IllegalArgumentException invalid) {
            LOG.warn("configuration of io.berth.core.rpc is not taken over: {}", invalid.getMessage());
            return;
        }
        if (rpc.reconfigure(config)) {
            LOG.info("configuration of io.berth.core.rpc taken over");
        } else {
            LOG.warn(
                    "configuration of io.berth.core.rpc: call.deadline.ms and connect.timeout.ms taken over; host, port,"
                            + " message.max.bytes and channel.idle.ms take a restart of this process, it still listens"
                            + " at {}",
                    rpc.address());
        }
    }

    @Deactivate
    void deactivate() {
        rpc.close();
    }

    private static RpcConfig config(Settings settings) {
        return new RpcConfig(
                settings.host(),
                settings.port(),
                "control-plane",
                settings.call_deadline_ms(),
                settings.connect_timeout_ms(),
                settings.message_max_bytes(),
                settings.channel_idle_ms());
    }

    @Override
    public RpcAddress address() {
        return rpc.address();
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, ResourceManagerGateway gateway) {
        return rpc.serve(name, token, gateway);
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, JobMasterGateway gateway) {
        return rpc.serve(name, token, gateway);
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, JobMastersGateway gateway) {
        return rpc.serve(name, token, gateway);
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, TaskExecutorGateway gateway) {
        return rpc.serve(name, token, gateway);
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, DispatcherGateway gateway) {
        return rpc.serve(name, token, gateway);
    }

    @Override
    public CompletionStage<EndpointRef> resolve(RpcAddress address, EndpointName name) {
        return rpc.resolve(address, name);
    }

    @Override
    public ResourceManagerGateway resourceManager(EndpointRef endpoint) {
        return rpc.resourceManager(endpoint);
    }

    @Override
    public JobMasterGateway jobMaster(EndpointRef endpoint) {
        return rpc.jobMaster(endpoint);
    }

    @Override
    public JobMastersGateway jobMasters(EndpointRef endpoint) {
        return rpc.jobMasters(endpoint);
    }

    @Override
    public TaskExecutorGateway taskExecutor(EndpointRef endpoint) {
        return rpc.taskExecutor(endpoint);
    }

    @Override
    public DispatcherGateway dispatcher(EndpointRef endpoint) {
        return rpc.dispatcher(endpoint);
    }
}

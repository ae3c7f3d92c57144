package io.berth.simulator.deadlock;

import io.berth.core.api.FencingToken;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.JobMastersGateway.JobStart;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RoleDirectory;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.policies.PolicyHostNode;
import io.berth.core.resources.ResourceManagerTerm;
import io.berth.core.rpc.InProcessRpc;
import io.berth.core.scheduler.JobMastersTerm;
import io.berth.distribution.fifo.FifoFactory;
import io.berth.matching.firstfit.FirstFitFactory;
import io.berth.matching.pack.PackFactory;
import io.berth.matching.spread.SpreadFactory;
import io.berth.scaling.reactive.ReactiveFactory;
import io.berth.simulator.network.Network;
import io.berth.simulator.oracle.WatchedRpc;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.time.VirtualTime.What;
import io.berth.simulator.world.CoreSettings;
import io.berth.simulator.world.PolicyThreads;
import io.berth.simulator.world.PolicyThreads.PolicySpeed;
import io.berth.simulator.world.Tuning;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The ResourceManager, the JobMasters and the policies of an instance, and a stand-in for the Dispatcher. */
final class ControlPlane {

    static final RpcAddress RESOURCE_MANAGER = new RpcAddress("resource-manager", 1);
    private static final RpcAddress JOB_MASTERS = new RpcAddress("job-masters", 2);
    private static final RpcAddress DISPATCHER = new RpcAddress("dispatcher", 3);

    /** Observes the control plane. */
    interface Listener {

        /** A JobMaster reports its job. */
        void changed(JobId job, JobDetails details);

        /** The ResourceManager asks a job for slots. */
        void asked();

        void failed(String cause);
    }

    private final VirtualTime time;
    private final Network network;
    private final SplittableRandom random;
    private final Tuning tuning;
    private final Rule rule;
    private final Listener listener;
    private final List<Runnable> questions = new ArrayList<>();

    ControlPlane(
            VirtualTime time, Network network, SplittableRandom random, Tuning tuning, Rule rule, Listener listener) {
        this.time = time;
        this.network = network;
        this.random = random;
        this.tuning = tuning;
        this.rule = rule;
        this.listener = listener;
    }

    void start(Instance instance) {
        Incarnation resources = process("resource-manager");
        PolicyHostNode policies = policies(resources, instance);
        new ResourceManagerTerm(
                        new ResourceManagerId(token()),
                        new ResourceManagerTerm.Environment(
                                resources,
                                resources,
                                resources,
                                resources,
                                files -> {},
                                WatchedRpc.calling(
                                        listen(resources, RESOURCE_MANAGER),
                                        gateway -> gateway,
                                        gateway -> rule.of(gateway, listener::asked)),
                                policies.policies(),
                                policies.backends()),
                        CoreSettings.resources(tuning),
                        CoreSettings.launch(RESOURCE_MANAGER, tuning),
                        thrown -> listener.failed("the ResourceManager threw " + thrown))
                .start();
        Incarnation scheduler = process("job-masters");
        EndpointRef jobMasters = new JobMastersTerm(
                        token(),
                        new JobMastersTerm.Environment(
                                scheduler,
                                scheduler,
                                scheduler,
                                WatchedRpc.calling(listen(scheduler, JOB_MASTERS), rule::of, gateway -> gateway),
                                policies.policies(),
                                new Addresses(),
                                this::id,
                                () -> CoreSettings.scheduler(tuning, -1)),
                        thrown -> listener.failed("a JobMaster threw " + thrown))
                .start();
        submit(instance, jobMasters);
    }

    private void submit(Instance instance, EndpointRef jobMasters) {
        Incarnation process = process("dispatcher");
        InProcessRpc rpc = listen(process, DISPATCHER);
        instance.jobs()
                .forEach(submission ->
                        questions.add(() -> ask(rpc, submission.job().id())));
        EndpointRef dispatcher = rpc.serve(
                        EndpointName.DISPATCHER,
                        token(),
                        PartialGateway.of(DispatcherGateway.class, new Reports(listener)))
                .endpoint();
        instance.jobs()
                .forEach(submission -> process.in(
                        submission.atNanos(),
                        What.WORLD,
                        () -> rpc.jobMasters(jobMasters)
                                .startJob(new JobStart(submission.job(), process.wallMillis(), dispatcher))
                                .whenComplete((started, failure) -> {
                                    if (failure != null) {
                                        listener.failed(submission.job().id() + " was not started: " + failure);
                                    }
                                })));
    }

    /** Reports all jobs as they are now, soon. */
    void report() {
        questions.forEach(Runnable::run);
    }

    private void ask(InProcessRpc rpc, JobId job) {
        rpc.resolve(JOB_MASTERS, EndpointName.jobMaster(job))
                .thenCompose(jobMaster -> rpc.jobMaster(jobMaster).details())
                .thenAccept(details -> listener.changed(job, details));
    }

    record Reports(Listener listener) {

        CompletionStage<Acknowledge> jobChanged(JobId job, JobMasterId jobMaster, JobDetails details) {
            listener.changed(job, details);
            return CompletableFuture.completedFuture(Acknowledge.ACKNOWLEDGE);
        }
    }

    /** They never change. */
    private static final class Addresses implements RoleDirectory {

        @Override
        public Optional<RpcAddress> find(EndpointName role) {
            return Optional.of(role.equals(EndpointName.RESOURCE_MANAGER) ? RESOURCE_MANAGER : DISPATCHER);
        }

        @Override
        public AutoCloseable follow(EndpointName role, Runnable changed) {
            return () -> {};
        }
    }

    private PolicyHostNode policies(Incarnation process, Instance instance) {
        SplittableRandom dice = random.split();
        PolicySpeed speed = new PolicySpeed();
        PolicyHostNode host = new PolicyHostNode(new PolicyHostNode.Environment(
                process,
                process,
                process,
                bundle -> new PolicyThreads(process, dice, speed),
                pid -> new TreeMap<>(),
                thrown -> listener.failed("the policy host threw " + thrown)));
        MatchingStrategyFactory matching = switch (instance.matching()) {
            case FIRST_FIT -> new FirstFitFactory();
            case SPREAD -> new SpreadFactory();
            case PACK -> new PackFactory();
        };
        offer(host, 1, PolicyKind.MATCHING, matching.describe().name(), matching);
        if (instance.inOrder()) {
            offer(host, 2, PolicyKind.DISTRIBUTION, "fifo", new FifoFactory());
        } else {
            offer(host, 2, PolicyKind.DISTRIBUTION, "random-order", new RandomOrder(dice.split()));
        }
        offer(host, 3, PolicyKind.SCALING, "reactive", new ReactiveFactory());
        return host;
    }

    private static void offer(PolicyHostNode host, long id, PolicyKind kind, String name, Object factory) {
        host.offer(new PolicyHostNode.Offer(
                id, kind, name, "io.berth." + kind.label() + "." + name, "1.0.0", 100, factory));
    }

    private InProcessRpc listen(Incarnation process, RpcAddress address) {
        return network.listen(process, address, false);
    }

    private Incarnation process(String name) {
        return new Incarnation(name, 1, time, random.split());
    }

    private UUID id() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    private FencingToken token() {
        return new FencingToken(1, id());
    }
}

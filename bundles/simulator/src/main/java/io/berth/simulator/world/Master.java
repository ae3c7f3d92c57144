package io.berth.simulator.world;

import io.berth.core.api.DispatcherId;
import io.berth.core.api.FencingToken;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.policies.PolicyHostNode;
import io.berth.core.resources.ResourceManagerTerm;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.rpc.InProcessRpc;
import io.berth.core.scheduler.JobMastersTerm;
import io.berth.distribution.fifo.FifoFactory;
import io.berth.matching.firstfit.FirstFitFactory;
import io.berth.matching.spread.SpreadFactory;
import io.berth.scaling.reactive.ReactiveFactory;
import io.berth.simulator.job.PooledWorld;
import io.berth.simulator.oracle.WatchedResourceManager;
import io.berth.simulator.oracle.WatchedRpc;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.time.VirtualTime.What;
import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** A process of the control plane: it competes for its roles, and runs the term of each role that it leads. */
public final class Master {

    /** Above all others. */
    private static final int RETURNING_RANKING = 200;

    private static final int MIDDLE_RANKING = 100;
    /** The number of the first of the policies that every process has. */
    public static final long FIRST_POLICY = 1;
    /** How many of them there are. */
    public static final int UPDATED_POLICIES = 5;

    private final World world;
    private final String name;
    private final RpcAddress address;
    private final List<EndpointName> roles;
    private final RandomGenerator random;
    /** Of policies that ask for slots. */
    private final RandomGenerator returns;

    private final SortedMap<EndpointName, EndpointRef> serving = new TreeMap<>();
    private final SortedMap<EndpointName, ThrowingCalls> calls = new TreeMap<>();
    private final SortedMap<Long, PolicyHostNode.Offer> offers = new TreeMap<>();
    private long updates;
    private Optional<Incarnation> life = Optional.empty();
    private Optional<PolicyHostNode> host = Optional.empty();
    private int lives;

    Master(World world, String name, RpcAddress address, List<EndpointName> roles) {
        this.world = world;
        this.name = name;
        this.address = address;
        this.roles = List.copyOf(roles);
        this.random = world.anotherRandom();
        this.returns = new SplittableRandom(world.seed ^ 0x2E7A295L);
    }

    public String name() {
        return name;
    }

    public RpcAddress address() {
        return address;
    }

    boolean isAlive() {
        return life.isPresent();
    }

    public Optional<Incarnation> life() {
        return life;
    }

    /** The endpoint of a role that it leads. */
    public Optional<EndpointRef> serving(EndpointName role) {
        return Optional.ofNullable(serving.get(role));
    }

    public void boot() {
        if (isAlive()) {
            return;
        }
        Incarnation process = new Incarnation(name, ++lives, world.time, world.anotherRandom());
        life = Optional.of(process);
        world.trace.log(process + " begins");
        InProcessRpc rpc = world.network.listen(process, address, world.shape.written());
        PolicyHostNode policies = policies(process);
        host = Optional.of(policies);
        Directory directory = world.election.directory(process);
        for (EndpointName role : roles) {
            world.election.compete(role, process, address, candidate(role, process, rpc, policies, directory));
        }
    }

    public void kill(String cause) {
        life.ifPresent(process -> {
            life = Optional.empty();
            host = Optional.empty();
            serving.clear();
            calls.clear();
            world.trace.log(process + " is killed: " + cause);
            world.gone(process);
        });
    }

    /** Whether the scaling policy of a seed always wants something else than before. */
    public static boolean wavers(long seed) {
        return seed % 3 == 0;
    }

    private PolicyHostNode policies(Incarnation process) {
        PolicyHostNode node = new PolicyHostNode(new PolicyHostNode.Environment(
                process,
                process,
                process,
                bundle -> new PolicyThreads(process, random, world.policySpeed),
                world.pools::configuration,
                failure -> world.trace.log(process + ": its policy host failed: " + failure)));
        offer(node, 1, PolicyKind.MATCHING, "first-fit", 100, new FirstFitFactory());
        offer(
                node,
                2,
                PolicyKind.MATCHING,
                "spread",
                PooledWorld.firstFitIsCommon(world.seed) ? 50 : 150,
                new SpreadFactory());
        offer(node, 3, PolicyKind.DISTRIBUTION, "fifo", 100, new FifoFactory());
        offer(node, 4, PolicyKind.SCALING, "reactive", 100, new ReactiveFactory());
        offer(
                node,
                5,
                PolicyKind.SCALING,
                "wavering",
                wavers(world.seed) ? 150 : 50,
                new OscillatingScaling(random, world::isCalm));
        offerReturning(node);
        if (world.pools.isThere()) {
            node.configurationChanged(PooledWorld.PID);
        }
        return node;
    }

    /** Their draws are apart, so that they change no other seed. */
    private void offerReturning(PolicyHostNode node) {
        ReturningWorld returning = ReturningWorld.of(world.seed);
        if (returning.reclaims()) {
            offer(
                    node,
                    6,
                    PolicyKind.DISTRIBUTION,
                    "reclaiming",
                    RETURNING_RANKING,
                    new ReclaimingDistribution(returns, world::isCalm));
        }
        if (returning.givesBack()) {
            offer(
                    node,
                    7,
                    PolicyKind.MATCHING,
                    "giving-back",
                    RETURNING_RANKING,
                    new GivingBackMatching(
                            PooledWorld.firstFitIsCommon(world.seed) ? new FirstFitFactory() : new SpreadFactory(),
                            returns,
                            world::isCalm));
        }
    }

    /** The file of the second pool was changed, removed or brought back. */
    public void poolsChanged() {
        life.ifPresent(process -> process.in(
                0,
                What.WORLD,
                () -> host.filter(there ->
                                life.filter(living -> living == process).isPresent())
                        .ifPresent(there -> {
                            if (world.pools.isThere()) {
                                there.configurationChanged(PooledWorld.PID);
                            } else {
                                there.configurationRemoved(PooledWorld.PID);
                            }
                        })));
    }

    private void offer(PolicyHostNode host, long id, PolicyKind kind, String name, int ranking, Object factory) {
        PolicyHostNode.Offer offer = new PolicyHostNode.Offer(
                id, kind, name, "io.berth." + kind.label() + "." + name, "1.0.0", ranking, factory);
        offers.put(id, offer);
        host.offer(offer);
    }

    /**
     * The bundle of a policy is updated.
     *
     * @param otherRank whether it is preferred afterwards where it was not, or the other way round; not one that scales
     * @param nanos how long the policy is not there
     */
    public void updatePolicy(long id, boolean otherRank, long nanos) {
        PolicyHostNode.Offer before = offers.get(id);
        if (before == null || host.isEmpty() || life.isEmpty()) {
            return;
        }
        PolicyHostNode there = host.get();
        boolean ranked = otherRank && before.kind() == PolicyKind.MATCHING;
        PolicyHostNode.Offer next = new PolicyHostNode.Offer(
                id,
                before.kind(),
                before.name(),
                before.bundle(),
                "1.0." + ++updates,
                ranked ? MIDDLE_RANKING + MIDDLE_RANKING - before.ranking() : before.ranking(),
                before.factory());
        offers.put(id, next);
        Incarnation process = life.get();
        process.in(0, What.WORLD, () -> there.withdraw(id));
        process.in(1 + nanos, What.WORLD, () -> {
            // It may have been updated once more meanwhile.
            there.withdraw(id);
            there.offer(Objects.requireNonNull(offers.get(id)));
        });
    }

    private Election.Candidate candidate(
            EndpointName role, Incarnation process, InProcessRpc rpc, PolicyHostNode policies, Directory directory) {
        return new Election.Candidate() {
            private Optional<Runnable> end = Optional.empty();

            @Override
            public void granted(long epoch) {
                FencingToken token = new FencingToken(epoch, world.id());
                end = Optional.of(lead(role, token, process, rpc, policies, directory));
                world.trace.log(process + " serves " + role + " as " + token);
            }

            @Override
            public void revoked(String cause) {
                serving.remove(role);
                calls.remove(role);
                end.ifPresent(Runnable::run);
                end = Optional.empty();
            }
        };
    }

    private void failed(EndpointName role, Incarnation process, Throwable failure) {
        world.trace.log(process + ": its term of " + role + " failed: " + failure);
        world.election.giveUp(role, process, "its term failed");
    }

    /** The term of a role that it leads throws on a main thread: in the last one of so many calls; 0: in none. */
    public void throwIn(EndpointName role, int count) {
        Optional.ofNullable(calls.get(role)).ifPresent(term -> term.in(count));
    }

    private Optional<SimulatedBackend.Leftovers> leftovers(WatchedResourceManager look) {
        if (!world.finds()) {
            return Optional.empty();
        }
        // It begins to wait a moment before the backend reports the running workers.
        long limitMillis = CoreSettings.resources(world.tuning).recoveryMillis() - 100;
        return Optional.of(new SimulatedBackend.Leftovers(
                worker -> world.isCrowded() || look.hasRegistered(worker),
                limitMillis * VirtualTime.MILLI,
                world.ledger::broken));
    }

    /** @return ends the term */
    private Runnable lead(
            EndpointName role,
            FencingToken token,
            Incarnation process,
            InProcessRpc rpc,
            PolicyHostNode policies,
            Directory directory) {
        ThrowingCalls throwing = new ThrowingCalls(process);
        calls.put(role, throwing);
        if (role.equals(EndpointName.RESOURCE_MANAGER)) {
            ResourceSettings settings = CoreSettings.resources(world.tuning);
            WatchedResourceManager look = new WatchedResourceManager(process, world.ledger, world.poolsForOracles());
            RpcService watched = world.isCrowded()
                    ? rpc
                    : WatchedRpc.ofResourceManager(
                            rpc, process, look, world.ledger, world.lateWords, settings.slotReturnPauseMillis());
            ResourceManagerTerm term = new ResourceManagerTerm(
                    new ResourceManagerId(token),
                    new ResourceManagerTerm.Environment(
                            throwing.clock(),
                            throwing.timers(),
                            process,
                            process,
                            // There are no files of workers on its machine, so it finds that at once.
                            Runnable::run,
                            watched,
                            policies.policies(),
                            new SimulatedBackend(
                                    process,
                                    world.anotherRandom(),
                                    world.fleet(),
                                    world.backendFaults,
                                    world.specs(),
                                    leftovers(look))),
                    settings,
                    CoreSettings.launch(address, world.tuning),
                    failure -> failed(role, process, failure));
            EndpointRef endpoint = term.start();
            serving.put(role, endpoint);
            world.leads(endpoint);
            return term::close;
        }
        if (role.equals(EndpointName.JOB_MASTERS)) {
            JobMastersTerm term = new JobMastersTerm(
                    token,
                    new JobMastersTerm.Environment(
                            throwing.clock(),
                            throwing.timers(),
                            process,
                            WatchedRpc.ofJobMasters(rpc, process, world.ledger, world.lateWords),
                            policies.policies(),
                            directory,
                            world::id,
                            () -> CoreSettings.scheduler(world.tuning, world.maxRestarts())),
                    failure -> failed(role, process, failure));
            serving.put(role, term.start());
            return term::close;
        }
        DispatcherStandIn dispatcher = new DispatcherStandIn(
                new DispatcherId(token), world.jobs, process, rpc, directory, world::hasThrowingRoles);
        serving.put(role, dispatcher.start());
        return dispatcher::close;
    }
}

package io.berth.simulator.fault;

import io.berth.core.api.rpc.RpcAddress;
import io.berth.simulator.job.BatchShapes;
import io.berth.simulator.network.Network.Interference;
import io.berth.simulator.network.Network.Message;
import io.berth.simulator.network.Operator;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.time.VirtualTime.What;
import io.berth.simulator.world.Master;
import io.berth.simulator.world.World;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * What happens in the storms of worlds whose jobs have blocking edges, beside all else. Slots are lost between the last one
 * that a unit waits for and its deployment (F16); threads of the control plane lag for a moment, so that timers of the
 * scheduler fire and their actions run when the state that set them has been left (F15); policies are updated at any time,
 * most of them while jobs restart or another process begins to lead (F66). Draws from its own stream.
 */
public final class BatchFaults extends FurtherInterference {

    private static final String DEPLOYMENT = "TaskExecutor/DeployTasks";
    private static final String ACCEPTED = "JobMaster/OfferSlots answer";
    /** One of so many deployments, or accepted offers, loses its worker. */
    private static final int DEPLOYMENTS = 25;

    private static final int OFFERS = 60;
    /** Before or after the message arrives. */
    private static final long BLOW_NANOS = 10 * VirtualTime.MILLI;

    private static final long LAG_PAUSE_NANOS = 20 * VirtualTime.SECOND;
    private static final long MAX_LAG_NANOS = 700 * VirtualTime.MILLI;
    private static final long LAGS_NANOS = 4 * VirtualTime.SECOND;
    private static final long UPDATE_PAUSE_NANOS = 40 * VirtualTime.SECOND;
    /** Soon after something that makes jobs restart or wait. */
    private static final long SOON_NANOS = 3 * VirtualTime.SECOND;

    private static final long MAX_GAP_NANOS = 2 * VirtualTime.SECOND;

    private final World world;
    private final RandomGenerator random;
    private final boolean batch;
    private boolean storm;
    private long storms;

    /** @param others what else happens to messages */
    public BatchFaults(World world, Interference others) {
        super(others);
        this.world = world;
        this.random = new SplittableRandom(world.seed ^ 0xF15F16L);
        this.batch = BatchShapes.areIn(world.seed);
    }

    public void begin() {
        storm = batch;
        long number = ++storms;
        if (storm) {
            lagAgain(number);
            updateAgain(number);
        }
    }

    public void end() {
        storm = false;
        storms++;
        if (batch) {
            world.living().forEach(Incarnation::stopLagging);
        }
    }

    private void later(long nanos, long number, Runnable action) {
        world.time.in(nanos, What.WORLD, world.outside, () -> {
            if (number == storms) {
                action.run();
            }
        });
    }

    private void lagAgain(long number) {
        later(random.nextLong(LAG_PAUSE_NANOS), number, () -> {
            List<Incarnation> living = world.masters().stream()
                    .flatMap(master -> master.life().stream())
                    .toList();
            if (!living.isEmpty()) {
                Incarnation process = living.get(random.nextInt(living.size()));
                process.lag(1 + random.nextLong(MAX_LAG_NANOS));
                later(random.nextLong(LAGS_NANOS), number, process::stopLagging);
            }
            lagAgain(number);
        });
    }

    private void updateAgain(long number) {
        later(random.nextLong(UPDATE_PAUSE_NANOS), number, () -> {
            update();
            updateAgain(number);
        });
    }

    /** The bundle of a policy is updated in each process of the control plane, in its own time. */
    private void update() {
        long policy = Master.FIRST_POLICY + random.nextInt(Master.UPDATED_POLICIES);
        boolean otherRank = random.nextBoolean();
        world.trace.log("policy " + policy + " is updated" + (otherRank ? " and has another ranking" : ""));
        for (Master master : world.masters()) {
            master.updatePolicy(policy, otherRank, random.nextLong(MAX_GAP_NANOS));
        }
    }

    @Override
    public Optional<Operator> on(Message message) {
        if (storm && message.name.equals(DEPLOYMENT) && random.nextInt(DEPLOYMENTS) == 0
                || storm && message.name.equals(ACCEPTED) && random.nextInt(OFFERS) == 0) {
            lose(message.to);
        }
        return others.on(message);
    }

    /** The worker at an address is lost, a moment before or after it receives a message. */
    private void lose(RpcAddress address) {
        long number = storms;
        later(
                random.nextLong(BLOW_NANOS),
                number,
                () -> world.living().stream()
                        .filter(process -> world.workerOf(process)
                                .filter(worker -> worker.address().equals(address))
                                .isPresent())
                        .findFirst()
                        .ifPresent(world::kill));
        if (random.nextBoolean()) {
            later(random.nextLong(SOON_NANOS), number, this::update);
        }
    }

    @Override
    public void epochChanged() {
        super.epochChanged();
        if (storm && random.nextBoolean()) {
            later(random.nextLong(SOON_NANOS), storms, this::update);
        }
    }
}

package io.berth.simulator.fault;

import io.berth.simulator.network.MessageKinds;
import io.berth.simulator.network.Network.Interference;
import io.berth.simulator.network.Network.Message;
import io.berth.simulator.network.Operator;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.time.VirtualTime.What;
import io.berth.simulator.world.World;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * For some time all notices are lost: messages about facts that heartbeats and timeouts reveal too, only
 * later. In half of these periods the answers to offers are lost too, in the other half the declarations. Other
 * messages are not affected.
 */
final class LostNotices extends FurtherInterference {

    private static final long MIN_NANOS = 20 * VirtualTime.SECOND;
    private static final long SPREAD_NANOS = 40 * VirtualTime.SECOND;
    private static final List<String> NOTICES = List.of(
            "TaskExecutor/FreeSlots",
            "TaskExecutor/JobMasterChanged",
            "TaskExecutor/DisconnectJobMaster",
            "TaskExecutor/DisconnectResourceManager",
            "ResourceManager/SlotFreed",
            "ResourceManager/DisconnectWorker",
            "ResourceManager/DisconnectJobMaster",
            "JobMaster/DisconnectWorker",
            "JobMaster/DisconnectResourceManager",
            "JobMaster/FailSlot");
    private static final String OFFER_ANSWERS = "JobMaster/OfferSlots answer";
    private static final String DECLARATIONS = "ResourceManager/DeclareRequirements";

    private final World world;
    private final RandomGenerator random;
    private final SortedSet<String> lost = new TreeSet<>();
    private long storms;

    LostNotices(World world, RandomGenerator random, Interference others) {
        super(others);
        this.world = world;
        this.random = random;
        MessageKinds kinds = new MessageKinds();
        NOTICES.forEach(kinds::named);
        kinds.named(OFFER_ANSWERS);
        kinds.named(DECLARATIONS);
    }

    void begin() {
        next(++storms);
    }

    void end() {
        storms++;
        lost.clear();
    }

    private void next(long storm) {
        if (lost.isEmpty()) {
            lost.addAll(NOTICES);
            lost.add(random.nextBoolean() ? OFFER_ANSWERS : DECLARATIONS);
        } else {
            lost.clear();
        }
        world.trace.log(lost.isEmpty() ? "notices arrive" : "these are lost: " + lost);
        world.time.in(MIN_NANOS + random.nextLong(SPREAD_NANOS), What.WORLD, world.outside, () -> {
            if (storm == storms) {
                next(storm);
            }
        });
    }

    @Override
    public Optional<Operator> on(Message message) {
        Optional<Operator> drawn = others.on(message);
        return lost.contains(message.name) ? Optional.of(Operator.LOSE) : drawn;
    }
}

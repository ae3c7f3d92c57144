package io.berth.simulator.gateway;

import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.time.VirtualTime.What;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Messages that could have been sent some time ago and arrive only now: from former leaders and former JobMasters,
 * about slots that have ended. None of them may have an effect. They arrive at once and draw only from their own
 * random stream. A seed in which they have no effect is therefore the same with and without them.
 */
public final class LateMessages {

    private static final long PAUSE_NANOS = 20 * VirtualTime.SECOND;
    private static final long SOON_NANOS = 200 * VirtualTime.MILLI;

    /** A receiver of late messages. */
    public interface Receiver {

        /** Receives some of the messages that can arrive late. */
        void receiveLate(RandomGenerator random);
    }

    private record Place(Incarnation process, Receiver addressee) {

        boolean canHear() {
            return process.isAlive() && !process.isPaused() && !process.lags();
        }
    }

    private final VirtualTime time;
    private final Incarnation world;
    private final RandomGenerator random;
    private final List<Place> places = new ArrayList<>();
    private boolean active;
    private long rounds;

    /** @param random used for nothing else */
    public LateMessages(VirtualTime time, Incarnation world, RandomGenerator random) {
        this.time = time;
        this.world = world;
        this.random = random;
    }

    /** From now on the process receives late messages, until it is dead. */
    public void reach(Incarnation process, Receiver addressee) {
        places.add(new Place(process, addressee));
    }

    public void begin() {
        active = true;
        next(++rounds);
    }

    public void end() {
        active = false;
        rounds++;
    }

    private void next(long round) {
        time.in(PAUSE_NANOS / 2 + random.nextLong(PAUSE_NANOS), What.WORLD, world, () -> {
            if (round == rounds) {
                places.removeIf(place -> !place.process().isAlive());
                for (Place place : List.copyOf(places)) {
                    if (place.canHear()) {
                        place.process().atOnce(() -> {
                            place.addressee().receiveLate(random);
                            return true;
                        });
                    }
                }
                next(round);
            }
        });
    }

    /** The message arrives at the process in a moment. */
    void soon(Incarnation process, Supplier<?> message) {
        if (!active) {
            return;
        }
        Place place = new Place(process, any -> process.atOnce(message));
        time.in(random.nextLong(SOON_NANOS), What.WORLD, world, () -> {
            if (place.canHear()) {
                process.atOnce(message);
            }
        });
    }
}

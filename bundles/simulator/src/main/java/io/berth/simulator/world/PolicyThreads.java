package io.berth.simulator.world;

import io.berth.core.policies.guard.GuardThreads;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.time.VirtualTime.What;
import java.util.random.RandomGenerator;

/** The threads of one policy bundle. A call starts after some time, when the state may already have changed. */
public final class PolicyThreads implements GuardThreads {

    private final Incarnation process;
    private final RandomGenerator random;
    private final PolicySpeed speed;

    /** How long calls wait. */
    public static final class PolicySpeed {
        private static final long USUAL_NANOS = VirtualTime.MILLI;
        private long spreadNanos = USUAL_NANOS;

        public void slow(long spread) {
            spreadNanos = spread;
        }

        public void usual() {
            spreadNanos = USUAL_NANOS;
        }
    }

    public PolicyThreads(Incarnation process, RandomGenerator random, PolicySpeed speed) {
        this.process = process;
        this.random = random;
        this.speed = speed;
    }

    @Override
    public void execute(Runnable call) {
        process.in(10_000 + random.nextLong(speed.spreadNanos), What.POLICY, call);
    }

    @Override
    public void abandoned() {}

    @Override
    public void returned() {}

    @Override
    public void end() {}
}

package io.berth.core.resources.planning;

import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.TimeText;
import io.berth.core.api.time.Timers.Cancellable;
import java.util.function.Consumer;

/** Reports which policy a slow plan waits for, repeatedly until the plan is made. Confined to the main thread. */
final class SlowPlans {

    static final long SLOW_MILLIS = 1_000;

    private final MainThread mainThread;
    private final Clock clock;
    private final Consumer<Reason> slow;
    private Cancellable next = () -> {};
    private long sinceMillis;

    /** @param slow receives why nothing is decided yet */
    SlowPlans(MainThread mainThread, Clock clock, Consumer<Reason> slow) {
        this.mainThread = mainThread;
        this.clock = clock;
        this.slow = slow;
    }

    void begins(PlacementPlanner planner) {
        sinceMillis = clock.millis();
        reportLater(planner);
    }

    private void reportLater(PlacementPlanner planner) {
        next.cancel();
        next = mainThread.schedule(SLOW_MILLIS, () -> {
            String policy = planner.asked()
                    .map(asked ->
                            "policy '" + asked.name() + "' (" + asked.kind().label() + ")")
                    .orElse("a policy");
            slow.accept(Reason.of(
                    ReasonCode.DECIDING,
                    policy + " has been asked for " + TimeText.of(clock.millis() - sinceMillis)
                            + " and has not answered yet"));
            reportLater(planner);
        });
    }

    void ends() {
        next.cancel();
    }
}

package io.berth.core.policies.detached;

import io.berth.core.api.time.Clock;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.registration.OwnerContext;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * What the sources of a detached decider share.
 *
 * @param time that policies see
 * @param measuring the clock by which calls are measured
 * @param executor runs everything but calls into policies, one action after another
 * @param failed receives what an action of the host throws
 */
record Surroundings(
        DecisionOwner owner,
        PolicyCalls calls,
        FrameTime time,
        Clock measuring,
        Executor executor,
        Consumer<RuntimeException> failed) {

    OwnerContext context(long seed, long deadlineMillis) {
        return new OwnerContext(owner.toString(), time, seed, deadlineMillis);
    }

    long nanos() {
        return measuring.nanos();
    }

    void execute(Runnable action) {
        executor.execute(() -> run(action));
    }

    void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException failure) {
            failed.accept(failure);
        }
    }
}

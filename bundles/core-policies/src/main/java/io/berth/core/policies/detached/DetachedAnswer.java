package io.berth.core.policies.detached;

import java.util.List;

/**
 * A decision that was made outside of its decider.
 *
 * @param outcome of the decision; generations and the number are those of the frame where it has them
 * @param failures what policies did wrong in it, for people
 * @param assumed whether it depends on something that was not recorded, because the recorded decision did not need it
 * @param micros how long it took
 */
public record DetachedAnswer<O>(O outcome, List<String> failures, boolean assumed, long micros) {

    public DetachedAnswer {
        failures = List.copyOf(failures);
    }
}

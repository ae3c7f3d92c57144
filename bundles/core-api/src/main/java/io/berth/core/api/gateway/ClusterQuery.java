package io.berth.core.api.gateway;

import io.berth.spi.WorkerId;
import java.util.Optional;

/**
 * Which workers are asked for, with their slots: those after a worker, in the order of their ids, until there are so many
 * workers or so many slots. The slots of one worker are never divided, so there may be a few more.
 *
 * @param after empty: from the first one
 * @param workers 0: only the numbers of workers and slots by state
 * @param slots 0: workers without their slots
 */
public record ClusterQuery(Optional<WorkerId> after, int workers, int slots) {

    /** Workers, and slots, that surely fit into one message between processes. */
    public static final int MAX_PAGE = 1_000;

    /** Numbers by state, and nothing else. */
    public static final ClusterQuery NUMBERS = new ClusterQuery(Optional.empty(), 0, 0);

    /** Everything at once, for use within a process: it may be too much for a message. */
    public static final ClusterQuery ALL = new ClusterQuery(Optional.empty(), Integer.MAX_VALUE, Integer.MAX_VALUE);

    public ClusterQuery {
        if (workers < 0 || slots < 0) {
            throw new IllegalArgumentException(
                    workers + " workers and " + slots + " slots are asked for: 0 or more are allowed");
        }
    }
}

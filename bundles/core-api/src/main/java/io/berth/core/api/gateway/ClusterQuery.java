package io.berth.core.api.gateway;

import io.berth.spi.WorkerId;
import java.util.Optional;

/**
 * A page of workers, in the order of their ids, with their slots. The page ends when it has the given number of
 * workers or slots. The slots of one worker are never split across pages, so a page may have a few more slots.
 *
 * @param after the page begins after this worker; empty: with the first worker
 * @param workers maximum number of workers; 0: only the numbers of workers and slots by state
 * @param slots number of slots that ends the page; 0: workers without their slots
 */
public record ClusterQuery(Optional<WorkerId> after, int workers, int slots) {

    /** A page of this many workers and slots always fits into one message between processes. */
    public static final int MAX_PAGE = 1_000;

    /** Only the numbers by state. */
    public static final ClusterQuery NUMBERS = new ClusterQuery(Optional.empty(), 0, 0);

    /** Everything at once. Only for use within a process: the answer may be too large for a message. */
    public static final ClusterQuery ALL = new ClusterQuery(Optional.empty(), Integer.MAX_VALUE, Integer.MAX_VALUE);

    public ClusterQuery {
        if (workers < 0 || slots < 0) {
            throw new IllegalArgumentException(
                    workers + " workers and " + slots + " slots are requested: 0 or more are allowed");
        }
    }
}

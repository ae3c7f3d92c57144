package io.berth.ha.file;

import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;

/**
 * A value from files that many callers can read often at low cost. It reads the files when the file system shows a
 * change, while the last change is so recent that another one could have the same time, and from time to time in any
 * case. Thread-safe.
 *
 * @param <T> what is read
 */
final class CachedRead<T> {

    /** File times are as coarse as the clock of the file system, and the clock of another host may differ a little. */
    static final long COARSE_MILLIS = 2_000;

    /** One of this many reads goes to the files whatever the file system shows. */
    static final int READ_EVERY = 64;

    /** Asks the file system. */
    interface Query<A> {
        A ask() throws IOException;
    }

    private final Query<Optional<FolderStamp>> stamp;
    private final Query<T> content;
    private final InstantSource clock;
    private Optional<FolderStamp> shown = Optional.empty();
    private Optional<T> kept = Optional.empty();
    private int looks;
    private long lastRound;

    CachedRead(Query<Optional<FolderStamp>> stamp, Query<T> content, InstantSource clock) {
        this.stamp = stamp;
        this.content = content;
        this.clock = clock;
    }

    /** The current value. A failed read is not cached. */
    synchronized T read() throws IOException {
        Optional<FolderStamp> now = stamp.ask();
        looks++;
        boolean holds = kept.isPresent()
                && now.isPresent()
                && now.equals(shown)
                && isSettled(now.get())
                && looks % READ_EVERY != 0;
        if (!holds) {
            kept = Optional.empty();
            // Taken before the content is read, so that the next read notices a change that happens meanwhile.
            shown = now;
            kept = Optional.of(content.ask());
        }
        return kept.get();
    }

    /**
     * Like {@link #read}, but at most once for all callers of the same round.
     *
     * @param round counted from 1 by the caller; a change within one round is seen in the next
     */
    synchronized T read(long round) throws IOException {
        boolean seen = round == lastRound && kept.isPresent();
        lastRound = round;
        return seen ? kept.get() : read();
    }

    private boolean isSettled(FolderStamp now) {
        return Math.abs(clock.millis() - now.changedMillis()) >= COARSE_MILLIS;
    }
}

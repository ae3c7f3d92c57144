package io.berth.ha.file;

import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Lets many look at something in files again and again at little cost: it is read when the file system shows a change,
 * while the last change is so recent that another one could have the same time, and now and then all the same. Thread-safe.
 *
 * @param <T> what is read
 */
final class KeptLook<T> {

    /** Times of files are as coarse as the clock of the file system; one on another host may be off a little. */
    static final long COARSE_MILLIS = 2_000;

    /** Of so many looks one reads whatever the file system shows. */
    static final int READ_EVERY = 64;

    /** Asks the file system. */
    interface Question<A> {
        A ask() throws IOException;
    }

    private final Question<Optional<FolderStamp>> stamp;
    private final Question<T> content;
    private final InstantSource clock;
    private Optional<FolderStamp> shown = Optional.empty();
    private Optional<T> kept = Optional.empty();
    private int looks;
    private long lastRound;

    KeptLook(Question<Optional<FolderStamp>> stamp, Question<T> content, InstantSource clock) {
        this.stamp = stamp;
        this.content = content;
        this.clock = clock;
    }

    /** What is there now. Nothing is kept of a look that failed. */
    synchronized T look() throws IOException {
        Optional<FolderStamp> now = stamp.ask();
        looks++;
        boolean holds = kept.isPresent()
                && now.isPresent()
                && now.equals(shown)
                && isSettled(now.get())
                && looks % READ_EVERY != 0;
        if (!holds) {
            kept = Optional.empty();
            // Before it is read: what changes meanwhile shows at the next look.
            shown = now;
            kept = Optional.of(content.ask());
        }
        return kept.get();
    }

    /**
     * As {@link #look}, once for all that look in the same round.
     *
     * @param round counted from 1 by whoever looks for several; what changes within one is seen in the next
     */
    synchronized T look(long round) throws IOException {
        boolean seen = round == lastRound && kept.isPresent();
        lastRound = round;
        return seen ? kept.get() : look();
    }

    private boolean isSettled(FolderStamp now) {
        return Math.abs(clock.millis() - now.changedMillis()) >= COARSE_MILLIS;
    }
}

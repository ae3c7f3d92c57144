package io.berth.ha.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Measures how long a leader has shown no sign of life, for a standby that checks at each interval. Only the intervals
 * between checks count: a standby that was paused learns nothing from the time that passed. For one thread.
 */
final class LeaseExpiry {

    private Optional<LockStamp> last = Optional.empty();
    private long millis;

    /** Checks the lock. Returns its stamp if it has not changed for the lease, otherwise empty. */
    Optional<LockStamp> expired(Path lock, long sinceLookMillis, long leaseMillis) throws IOException {
        Optional<LockStamp> now = LockStamp.of(lock);
        millis = now.isPresent() && now.equals(last) ? millis + sinceLookMillis : 0;
        last = now;
        return millis >= leaseMillis ? now : Optional.empty();
    }

    /** Forgets what was seen before. */
    void reset() {
        last = Optional.empty();
        millis = 0;
    }
}

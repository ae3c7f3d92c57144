package io.berth.ha.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * For how long a leader has shown no sign of life, as a standby sees it that looks at each interval. Only the intervals
 * between its looks count: a standby that stood still itself learns nothing from the time that went by. One thread.
 */
final class Silence {

    private Optional<LifeSign> last = Optional.empty();
    private long millis;

    /** Looks; the sign that has been the last one for so long already, empty before. */
    Optional<LifeSign> lasting(Path lock, long sinceLookMillis, long leaseMillis) throws IOException {
        Optional<LifeSign> now = LifeSign.of(lock);
        millis = now.isPresent() && now.equals(last) ? millis + sinceLookMillis : 0;
        last = now;
        return millis >= leaseMillis ? now : Optional.empty();
    }

    /** What was seen before counts no more. */
    void over() {
        last = Optional.empty();
        millis = 0;
    }
}

package io.berth.runtime.dataflow.task;

import io.berth.dataflow.api.SplitReader;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/** What a source says of its progress. The thread of the task asks it and writes, any thread reads. */
final class SourceProgress {

    private static final long UNKNOWN = -1;

    private final AtomicLong recordsLeft = new AtomicLong(UNKNOWN);
    private final AtomicLong lagMillis = new AtomicLong(UNKNOWN);

    /** Asks the reader of the present split. */
    void ask(SplitReader<?> reader) {
        recordsLeft.setOpaque(known(reader.recordsLeft()));
        lagMillis.setOpaque(known(reader.lagMillis()));
    }

    /** A split has been read: what is known of the next one is not known yet. */
    void splitEnded() {
        if (recordsLeft.getPlain() != UNKNOWN) {
            recordsLeft.setOpaque(0);
        }
    }

    /** A reader that contradicts itself knows nothing. */
    private static long known(OptionalLong value) {
        return Math.max(UNKNOWN, value.orElse(UNKNOWN));
    }

    Optional<Long> recordsLeft() {
        return value(recordsLeft);
    }

    Optional<Long> lagMillis() {
        return value(lagMillis);
    }

    private static Optional<Long> value(AtomicLong field) {
        long now = field.getOpaque();
        return now == UNKNOWN ? Optional.empty() : Optional.of(now);
    }
}

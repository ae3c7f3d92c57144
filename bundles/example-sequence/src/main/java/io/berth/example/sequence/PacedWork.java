package io.berth.example.sequence;

/** Counts records, and pauses when its pace says so. For one thread. */
final class PacedWork {

    private final Pace pace;
    private final long step;
    private long untilPause;

    PacedWork(Pace pace) {
        this.pace = pace;
        step = pace.records().orElse(Long.MAX_VALUE);
        untilPause = step;
    }

    /** A record is done. */
    void done() {
        if (--untilPause == 0) {
            untilPause = step;
            pace.pause();
        }
    }
}

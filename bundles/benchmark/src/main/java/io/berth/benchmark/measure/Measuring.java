package io.berth.benchmark.measure;

import io.berth.core.api.time.Clock;

/**
 * Runs something until it is warm, and then measures it.
 *
 * @param warmMillis minimum duration of the warm-up, which has at least one run
 * @param runs number of measured runs
 */
public record Measuring(Clock clock, long warmMillis, int runs) {

    /** A thing to measure. */
    public interface Subject {

        /** Creates the state from which each run starts; not measured. */
        void restore();

        /** One run. */
        void run();
    }

    /** Nothing else may be busy meanwhile. */
    public Figures measure(Subject subject) {
        long begun = clock.nanos();
        do {
            subject.restore();
            subject.run();
        } while (clock.nanos() - begun < warmMillis * 1_000_000);
        Figures figures = new Figures();
        while (figures.runs() < runs) {
            subject.restore();
            once(figures, subject::run);
        }
        return figures;
    }

    /** One run after a garbage collection, so that garbage of the preparation is not collected within the run. */
    public void once(Figures figures, Runnable run) {
        System.gc();
        onceAsItIs(figures, run);
    }

    /** One run without a garbage collection before it, for short work. */
    public void onceAsItIs(Figures figures, Runnable run) {
        Usage before = Usage.now();
        long from = clock.nanos();
        run.run();
        long wall = clock.nanos() - from;
        Usage after = Usage.now();
        figures.add(after.cpuNanosSince(before), wall, after.bytesSince(before));
    }
}

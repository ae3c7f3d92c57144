package io.berth.benchmark.measure;

import io.berth.core.api.time.Clock;

/**
 * Runs something until it is warm, and then measures it.
 *
 * @param warmMillis of runs that count for nothing, at least, and at least one run
 * @param runs that are measured
 */
public record Measuring(Clock clock, long warmMillis, int runs) {

    /** One thing that is measured. */
    public interface Subject {

        /** Makes the state that each run starts from; not measured. */
        void restore();

        /** One run. */
        void run();
    }

    /** The processor is all that may be busy meanwhile. */
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

    /** One run, after a collection: what the restoring left behind is not to be collected within the run. */
    public void once(Figures figures, Runnable run) {
        System.gc();
        onceAsItIs(figures, run);
    }

    /** One run without a collection before it, for what is short. */
    public void onceAsItIs(Figures figures, Runnable run) {
        Usage before = Usage.now();
        long from = clock.nanos();
        run.run();
        long wall = clock.nanos() - from;
        Usage after = Usage.now();
        figures.add(after.cpuNanosSince(before), wall, after.bytesSince(before));
    }
}

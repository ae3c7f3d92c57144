package io.berth.policy.rules.scaling;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * The most work that each vertex of a job had lately, in windows of which each is twice as long as the one before. A window is
 * kept as three parts of half its length, so it covers up to half more. Immutable: an update shares the parts that stay.
 *
 * @param since when something was known for the first time
 * @param windows the shortest first
 */
public record WorkPeaks(OptionalLong since, List<Window> windows) {

    /** Length of the shortest window. */
    public static final long SHORTEST_MILLIS = 5 * 60_000;

    private static final int WINDOWS = 9;

    /** Length of the longest window. */
    public static final long LONGEST_MILLIS = SHORTEST_MILLIS << (WINDOWS - 1);

    /** Nothing is known. */
    public static final WorkPeaks NONE = new WorkPeaks(OptionalLong.empty(), List.of());

    public WorkPeaks {
        windows = List.copyOf(windows);
        if (windows.size() != (since.isPresent() ? WINDOWS : 0)) {
            throw new IllegalArgumentException(windows.size() + " windows of the most work: " + WINDOWS
                    + " are allowed, or none before something is known");
        }
    }

    /**
     * One window.
     *
     * @param number of its newest part, counted from the time 0
     * @param parts the newest first
     */
    public record Window(long number, List<Peaks> parts) {

        private static final int PARTS = 3;

        public Window {
            parts = List.copyOf(parts);
            if (parts.size() != PARTS) {
                throw new IllegalArgumentException(
                        parts.size() + " parts of a window of the most work: " + PARTS + " are allowed");
            }
        }

        private static Window of(long number, Peaks newest) {
            return new Window(number, List.of(newest, Peaks.NONE, Peaks.NONE));
        }

        private Window with(long now, Peaks work) {
            if (now == number) {
                Peaks higher = parts.get(0).orHigher(work);
                return higher.equals(parts.get(0))
                        ? this
                        : new Window(number, List.of(higher, parts.get(1), parts.get(2)));
            }
            Peaks middle = part(now, 1);
            Peaks oldest = part(now, 2);
            return new Window(now, List.of(work, middle, oldest));
        }

        /** The part that is so many parts older than the newest one; nothing if it was not seen. */
        private Peaks part(long now, int older) {
            long index = older - (now - number);
            return index >= 0 && index < PARTS ? parts.get((int) index) : Peaks.NONE;
        }

        private double peak(long now, int vertex) {
            double peak = Double.NaN;
            for (int older = 0; older < PARTS; older++) {
                peak = Peaks.higher(peak, part(now, older).of(vertex));
            }
            return peak;
        }
    }

    /** A number for each vertex. Immutable. */
    public static final class Peaks {

        /** No number for any vertex. */
        public static final Peaks NONE = new Peaks(new double[0]);

        private final double[] values;

        private Peaks(double[] values) {
            this.values = values;
        }

        /** @param values not a number where none is known */
        public static Peaks of(double... values) {
            return values.length == 0 ? NONE : new Peaks(values.clone());
        }

        /** Not a number where none is known. A copy. */
        public double[] values() {
            return values.clone();
        }

        private double of(int vertex) {
            return vertex < values.length ? values[vertex] : Double.NaN;
        }

        private Peaks orHigher(Peaks other) {
            double[] higher = Arrays.copyOf(values, Math.max(values.length, other.values.length));
            Arrays.setAll(higher, vertex -> higher(of(vertex), other.of(vertex)));
            return new Peaks(higher);
        }

        private static double higher(double one, double other) {
            return Double.isNaN(one) ? other : Double.isNaN(other) ? one : Math.max(one, other);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Peaks peaks && Arrays.equals(values, peaks.values);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(values);
        }

        @Override
        public String toString() {
            return Arrays.toString(values);
        }
    }

    private static long number(long now, int window) {
        return Math.floorDiv(now, (SHORTEST_MILLIS << window) / 2);
    }

    /**
     * With what is measured now.
     *
     * @param work of each vertex
     */
    public WorkPeaks with(long now, Peaks work) {
        List<Window> next = IntStream.range(0, WINDOWS)
                .mapToObj(window -> windows.isEmpty()
                        ? Window.of(number(now, window), work)
                        : windows.get(window).with(number(now, window), work))
                .toList();
        return new WorkPeaks(since.isPresent() ? since : OptionalLong.of(now), next);
    }

    /** See {@link io.berth.spi.scaling.JobView#peakWork}. */
    public OptionalDouble peak(long now, int vertex, long millis) {
        if (since.isEmpty() || now - since.getAsLong() < millis || millis > LONGEST_MILLIS) {
            return OptionalDouble.empty();
        }
        int window = 0;
        while (SHORTEST_MILLIS << window < millis) {
            window++;
        }
        double peak = windows.get(window).peak(number(now, window), vertex);
        return Double.isNaN(peak) ? OptionalDouble.empty() : OptionalDouble.of(peak);
    }
}

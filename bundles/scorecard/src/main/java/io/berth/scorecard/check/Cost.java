package io.berth.scorecard.check;

import io.berth.spi.InvalidConfigurationException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What a decision costs after one change, for clusters of several sizes: processor time and allocated bytes of the
 * calling thread, each the median of many decisions. A point is lost for each tenfold size at which a decision costs more
 * than five times as much. Amounts that nobody would notice count as nothing.
 */
public final class Cost {

    private static final int MAX_GROWTH = 5;
    private static final int MIN_DECISIONS = 20;
    private static final int MAX_DECISIONS = 400;
    /** Decisions of one size go on for so long, beyond the smallest number of them. */
    private static final long MAX_NANOS = 500_000_000;

    private static final long UNNOTICED_NANOS = 50_000;
    private static final long UNNOTICED_BYTES = 16 * 1024;

    /** Makes decisions, of which each follows one change. */
    public interface Decisions extends AutoCloseable {

        /** A change, and a decision. */
        void next();

        @Override
        void close();
    }

    /** Prepares a cluster. */
    public interface Cluster {

        /** @param workers how many it has */
        Decisions of(int workers) throws InvalidConfigurationException;
    }

    private record Figure(int workers, long nanos, long bytes) {}

    private final List<Integer> sizes;
    private final Meter meter;
    private final Cluster cluster;
    private final List<Figure> figures = new ArrayList<>();

    public Cost(Settings settings, Cluster cluster) {
        this.sizes = settings.sizes();
        this.meter = settings.meter();
        this.cluster = cluster;
    }

    /** The two checks; the first of them measures. */
    public List<Check> checks() {
        int points = sizes.size() - 1;
        return List.of(
                new Check(
                        Section.COST,
                        "time",
                        "takes a time that follows what changed, not the size of the cluster",
                        points,
                        () -> found("takes", figure -> figure.nanos(), Cost::micros, UNNOTICED_NANOS)),
                new Check(
                        Section.COST,
                        "allocations",
                        "allocates memory for what changed, not for the size of the cluster",
                        points,
                        () -> found("allocates", figure -> figure.bytes(), Cost::kilobytes, UNNOTICED_BYTES)));
    }

    private interface Amount {
        long of(Figure figure);
    }

    private interface Words {
        String of(long amount);
    }

    private Check.Found found(String verb, Amount amount, Words words, long unnoticed)
            throws InvalidConfigurationException {
        measure();
        StringBuilder figure = new StringBuilder();
        StringBuilder reason = new StringBuilder();
        int lost = 0;
        for (int at = 0; at < figures.size(); at++) {
            long now = amount.of(figures.get(at));
            int workers = figures.get(at).workers();
            figure.append(at == 0 ? "" : ", ").append(workers).append(": ").append(words.of(now));
            long before = at == 0 ? now : Math.max(unnoticed, amount.of(figures.get(at - 1)));
            if (now > MAX_GROWTH * before) {
                lost++;
                reason.append(reason.isEmpty() ? "" : "; ")
                        .append("a decision on ")
                        .append(workers)
                        .append(" workers ")
                        .append(verb)
                        .append(' ')
                        .append(words.of(now))
                        .append(", on a tenth of them ")
                        .append(words.of(amount.of(figures.get(at - 1))))
                        .append(": at most ")
                        .append(MAX_GROWTH)
                        .append(" times as much, and of at least ")
                        .append(words.of(unnoticed))
                        .append(", is allowed");
            }
        }
        return new Check.Found(lost, figure.toString(), reason.toString());
    }

    private void measure() throws InvalidConfigurationException {
        if (!figures.isEmpty()) {
            return;
        }
        for (int workers : sizes) {
            try (Decisions decisions = cluster.of(workers)) {
                figures.add(measure(workers, decisions));
            }
        }
    }

    private Figure measure(int workers, Decisions decisions) {
        long begun = meter.nanos();
        for (int warm = 0; warm < MIN_DECISIONS || (warm < MAX_DECISIONS && since(begun) < MAX_NANOS); warm++) {
            decisions.next();
        }
        long[] nanos = new long[MAX_DECISIONS];
        long[] bytes = new long[MAX_DECISIONS];
        int made = 0;
        begun = meter.nanos();
        while (made < MIN_DECISIONS || (made < MAX_DECISIONS && since(begun) < MAX_NANOS)) {
            long allocated = meter.bytes();
            long from = meter.nanos();
            decisions.next();
            nanos[made] = since(from);
            bytes[made++] = meter.bytes() - allocated;
        }
        return new Figure(workers, median(nanos, made), median(bytes, made));
    }

    private long since(long nanos) {
        return meter.nanos() - nanos;
    }

    private static long median(long[] values, int count) {
        long[] sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        return sorted[count / 2];
    }

    private static String micros(long nanos) {
        return String.format(Locale.ROOT, "%.1f us", nanos / 1e3);
    }

    private static String kilobytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f KiB", bytes / 1024.0);
    }
}

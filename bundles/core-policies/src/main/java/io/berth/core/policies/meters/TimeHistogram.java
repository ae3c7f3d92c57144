package io.berth.core.policies.meters;

import io.berth.core.api.operations.PolicyMetrics.Times;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts times in buckets whose width is one sixteenth of their power of two, so that a percentile is within one
 * thirty-second of the exact one. From 1 ns to 36 minutes; longer times count as that; 4.9 kB. Thread-safe; recording
 * neither allocates nor locks.
 */
final class TimeHistogram {

    private static final int BITS = 4;
    private static final int PER_OCTAVE = 1 << BITS;
    private static final int HIGHEST_BIT = 40;
    private static final long MAX_NANOS = (1L << (HIGHEST_BIT + 1)) - 1;

    /** Below {@code 2 * PER_OCTAVE} each value has a bucket of its own. */
    private static final int BUCKETS = bucket(MAX_NANOS) + 1;

    private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);
    private final LongAdder sum = new LongAdder();
    private final AtomicLong max = new AtomicLong();

    void record(long nanos) {
        long value = Math.min(Math.max(nanos, 0), MAX_NANOS);
        counts.getAndIncrement(bucket(value));
        sum.add(value);
        longest(value);
    }

    private void longest(long value) {
        long before = max.get();
        while (value > before && !max.compareAndSet(before, value)) {
            before = max.get();
        }
    }

    void add(TimeHistogram other) {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            long count = other.counts.get(bucket);
            if (count > 0) {
                counts.getAndAdd(bucket, count);
            }
        }
        sum.add(other.sum.sum());
        longest(other.max.get());
    }

    Times times() {
        long[] copy = new long[BUCKETS];
        long total = 0;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            copy[bucket] = counts.get(bucket);
            total += copy[bucket];
        }
        if (total == 0) {
            return Times.NONE;
        }
        long most = max.get();
        return new Times(
                total,
                sum.sum(),
                percentile(copy, total, 0.5, most),
                percentile(copy, total, 0.9, most),
                percentile(copy, total, 0.99, most),
                percentile(copy, total, 0.999, most),
                most);
    }

    /** The smallest value that is not below this share of all values. */
    private static long percentile(long[] counts, long total, double share, long most) {
        long rank = Math.max(1, (long) Math.ceil(share * total));
        long seen = 0;
        for (int bucket = 0; bucket < counts.length; bucket++) {
            seen += counts[bucket];
            if (seen >= rank) {
                return Math.min(middle(bucket), most);
            }
        }
        return most;
    }

    private static int bucket(long value) {
        if (value < 2 * PER_OCTAVE) {
            return (int) value;
        }
        int shift = 63 - Long.numberOfLeadingZeros(value) - BITS;
        return (shift << BITS) + (int) (value >>> shift);
    }

    private static long middle(int bucket) {
        if (bucket < 2 * PER_OCTAVE) {
            return bucket;
        }
        int shift = (bucket >> BITS) - 1;
        long lowest = (long) (bucket - (shift << BITS)) << shift;
        return lowest + (1L << shift) / 2;
    }
}

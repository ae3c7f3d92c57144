package io.berth.example.sequence;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Operator;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;
import io.berth.dataflow.api.Source;
import io.berth.dataflow.api.SplitReader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import org.osgi.service.component.annotations.Component;

/**
 * A source of the numbers from 0 to {@code records} - 1, cut into {@code splits} ranges. {@code rate.per.second}
 * limits the rate of each subtask; 0 means no limit. With {@code last.when.exists}, the last number is emitted only when
 * that file exists: a job runs until somebody creates it.
 */
@Component(service = OperatorFactory.class)
@Operator("sequence")
public final class Sequence implements OperatorFactory<Void, Long> {

    private static final int RECORDS_PER_STEP = 1_000;
    private static final long WAIT_NANOS = 10_000_000;
    private static final long NONE = -1;

    @Override
    public Source<Long> create(Configuration configuration) {
        return new Numbers(
                configuration.number("records", 1_000_000, 0, 1L << 40),
                (int) configuration.number("splits", 16, 1, 10_000),
                configuration.number("rate.per.second", 0, 0, 1_000_000_000),
                configuration.text("last.when.exists", ""));
    }

    @Override
    public Optional<Serializer<Long>> outputSerializer(Configuration configuration) {
        return Optional.of(Serializers.longs());
    }

    /**
     * @param rate records per second of one subtask, 0 for no limit
     * @param file for which the last record waits; empty for none
     */
    private record Numbers(long records, int splits, long rate, String file) implements Source<Long> {

        @Override
        public List<byte[]> enumerateSplits() {
            List<byte[]> ranges = new ArrayList<>();
            for (int split = 0; split < splits; split++) {
                long from = records / splits * split + Math.min(split, records % splits);
                long size = records / splits + (split < records % splits ? 1 : 0);
                ranges.add(ByteBuffer.allocate(16)
                        .putLong(from)
                        .putLong(from + size)
                        .array());
            }
            return ranges;
        }

        @Override
        public SplitReader<Long> read(byte[] split) {
            ByteBuffer range = ByteBuffer.wrap(split);
            long from = range.getLong();
            long end = range.getLong();
            long last = file.isEmpty() || end < records ? NONE : records - 1;
            return new Range(from, end, new Pace(rate), last, Path.of(file));
        }
    }

    private static final class Range implements SplitReader<Long> {

        private final long end;
        private final Pace pace;
        private final Path file;
        /** The record that waits for the file, or none. */
        private long waiting;

        private long next;

        Range(long from, long end, Pace pace, long waiting, Path file) {
            this.next = from;
            this.end = end;
            this.pace = pace;
            this.waiting = waiting;
            this.file = file;
        }

        @Override
        public boolean step(Collector<Long> out) {
            long limit = Math.min(end, next + pace.records().orElse(RECORDS_PER_STEP));
            if (waiting >= next && waiting < limit) {
                if (Files.exists(file)) {
                    waiting = NONE;
                } else if (waiting == next) {
                    LockSupport.parkNanos(WAIT_NANOS);
                    return true;
                } else {
                    limit = waiting;
                }
            }
            while (next < limit) {
                out.collect(next++);
            }
            pace.pause();
            return next < end;
        }

        @Override
        public OptionalLong recordsLeft() {
            return OptionalLong.of(end - next);
        }
    }
}

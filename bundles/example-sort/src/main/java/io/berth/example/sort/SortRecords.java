package io.berth.example.sort;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Operator;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;
import io.berth.dataflow.api.Source;
import io.berth.dataflow.api.SplitReader;
import io.berth.dataflow.api.Text;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.osgi.service.component.annotations.Component;

/**
 * {@code sort-records}: a source of the records 0 to {@code records} - 1 of {@link SortRecord}, cut into {@code splits}
 * ranges of numbers.
 */
@Component(service = OperatorFactory.class)
@Operator("sort-records")
public final class SortRecords implements OperatorFactory<Void, Text> {

    private static final int RECORDS_PER_STEP = 500;

    @Override
    public Source<Text> create(Configuration configuration) {
        return new Generated(configuration.number("records", 1_000_000, 0, 1L << 40), (int)
                configuration.number("splits", 64, 1, 10_000));
    }

    @Override
    public Optional<Serializer<Text>> outputSerializer(Configuration configuration) {
        return Optional.of(Serializers.text());
    }

    private record Generated(long records, int splits) implements Source<Text> {

        @Override
        public List<byte[]> enumerateSplits() {
            List<byte[]> ranges = new ArrayList<>();
            for (int split = 0; split < splits; split++) {
                ranges.add(ByteBuffer.allocate(2 * Long.BYTES)
                        .putLong(start(split))
                        .putLong(start(split + 1))
                        .array());
            }
            return ranges;
        }

        private long start(int split) {
            return records / splits * split + Math.min(split, records % splits);
        }

        @Override
        public SplitReader<Text> read(byte[] split) {
            ByteBuffer range = ByteBuffer.wrap(split);
            return new Range(range.getLong(), range.getLong());
        }
    }

    private static final class Range implements SplitReader<Text> {

        private final byte[] bytes = new byte[SortRecord.BYTES];
        private final Text record = new Text().view(bytes, 0, bytes.length);
        private final long end;
        private long next;

        Range(long from, long end) {
            this.next = from;
            this.end = end;
        }

        @Override
        public boolean step(Collector<Text> out) {
            long limit = Math.min(end, next + RECORDS_PER_STEP);
            while (next < limit) {
                SortRecord.write(next++, bytes, 0);
                out.collect(record.view(bytes, 0, bytes.length));
            }
            return next < end;
        }

        @Override
        public OptionalLong recordsLeft() {
            return OptionalLong.of(end - next);
        }
    }
}

package io.berth.example.sort;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.KeyGroups;
import io.berth.dataflow.api.Keying;
import io.berth.dataflow.api.Operator;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.ProcessOperator;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;
import io.berth.dataflow.api.Text;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Component;

/**
 * {@code sort}: emits its records in the order of their bytes, when its input has ended. Records come by {@code hash}: then
 * each subtask receives a range of keys, and the keys of a subtask are below those of the next one. {@code ranges} is how
 * many ranges there are, and must be the {@code maxParallelism} of the vertex.
 *
 * <p>A task uses {@code memory.bytes} of heap for records, and spills sorted runs to files in {@code spill.path}, by default
 * the folder for temporary files. These files have no name, so they disappear with the task, even when its process is
 * killed.
 */
@Component(service = OperatorFactory.class)
@Operator("sort")
public final class Sort implements OperatorFactory<Text, Text> {

    private static final String RANGES = "ranges";

    @Override
    public ProcessOperator<Text, Text> create(Configuration configuration) {
        return new Sorting(
                ranges(configuration),
                Path.of(configuration.text("spill.path", System.getProperty("java.io.tmpdir"))),
                configuration.number("memory.bytes", 64L << 20, ExternalSort.MIN_MEMORY, ExternalSort.MAX_MEMORY));
    }

    private static KeyRanges ranges(Configuration configuration) {
        return new KeyRanges((int) configuration.number(RANGES, 128, 1, KeyGroups.LIMIT));
    }

    @Override
    public Optional<Serializer<Text>> outputSerializer(Configuration configuration) {
        return Optional.of(Serializers.text());
    }

    @Override
    public Optional<Keying<?, Text>> keying(Configuration configuration) {
        KeyRanges ranges = ranges(configuration);
        return Optional.of(new Keying<Integer, Text>(
                record -> ranges.key(ranges.range(record.bytes(), record.offset(), record.length())),
                Serializers.ints()));
    }

    private static final class Sorting implements ProcessOperator<Text, Text> {

        private final KeyRanges ranges;
        private final ExternalSort sort;
        private final Text sorted = new Text();
        private int firstRange;
        private int endRange;

        @SuppressWarnings("NullAway.Init")
        private OperatorContext context;

        Sorting(KeyRanges ranges, Path folder, long memoryBytes) {
            this.ranges = ranges;
            this.sort = new ExternalSort(folder, memoryBytes);
        }

        @Override
        public void open(OperatorContext place) {
            context = place;
            int groups = place.maxParallelism();
            if (ranges.count() != groups) {
                throw new IllegalStateException(RANGES + " is " + ranges.count() + ", and maxParallelism of vertex '"
                        + place.vertex() + "' is " + groups + ": allowed is the same number for both");
            }
            firstRange = KeyGroups.first(place.subtask(), place.parallelism(), groups);
            endRange = KeyGroups.end(place.subtask(), place.parallelism(), groups);
        }

        @Override
        public void process(Text record, Collector<Text> out) throws Exception {
            int range = ranges.range(record.bytes(), record.offset(), record.length());
            if (range < firstRange || range >= endRange) {
                throw new IllegalStateException("subtask " + context.subtask() + " of vertex '" + context.vertex()
                        + "' received a record of another subtask: allowed is an edge with partitioning hash");
            }
            sort.add(record.bytes(), record.offset(), record.length());
        }

        @Override
        public void endOfInput(Collector<Text> out) throws Exception {
            ExternalSort.merge(
                    List.of(sort), (bytes, offset, length) -> out.collect(sorted.view(bytes, offset, length)));
            context.counter("sort.runs").add(sort.runs());
            context.counter("sort.spilled.bytes").add(sort.spilledBytes());
        }

        @Override
        public void close() {
            sort.close();
        }
    }
}

package io.berth.runtime.dataflow.connect;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Operator;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;
import java.util.Optional;
import java.util.OptionalLong;
import org.osgi.service.component.annotations.Component;

/**
 * {@code generator}: whole numbers.
 * <ul>
 * <li>{@code records}: how many all subtasks emit together; without it they never end
 * <li>{@code rate}: how many per second all subtasks emit together at most; without it as fast as they can
 * <li>{@code values}: {@code sequence} (default) or {@code random}
 * <li>{@code start}: the first number of the sequence, default 0. Each subtask emits its own part of the sequence, in order
 * <li>{@code minimum}, {@code maximum}: bounds of random numbers, inclusive, default 0 and 2^63 - 1
 * <li>{@code seed}: of random numbers, default 1. The same seed and parallelism give the same numbers
 * </ul>
 */
@Component(service = OperatorFactory.class)
@Operator("generator")
public final class GeneratorFactory implements OperatorFactory<Void, Long> {

    private final Clock clock;

    public GeneratorFactory() {
        this(new SystemClock());
    }

    GeneratorFactory(Clock clock) {
        this.clock = clock;
    }

    @Override
    public Generator create(Configuration configuration) {
        OptionalLong records = configuration.find("records").isPresent()
                ? OptionalLong.of(configuration.number("records", 0, 0, Long.MAX_VALUE))
                : OptionalLong.empty();
        boolean random = configuration.choice("values", "sequence", "random").equals("random");
        for (String key : random ? new String[] {"start"} : new String[] {"seed", "minimum", "maximum"}) {
            if (configuration.find(key).isPresent()) {
                throw configuration.refused(key, "only with values = " + (random ? "sequence" : "random"));
            }
        }
        long minimum = configuration.number("minimum", 0, Long.MIN_VALUE, Long.MAX_VALUE);
        long maximum = configuration.number("maximum", Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE);
        if (maximum < minimum) {
            throw configuration.refused("maximum", "at least minimum, " + minimum);
        }
        return new Generator(
                new Generator.Settings(
                        records,
                        configuration.number("rate", 0, 1, 1_000_000_000),
                        random,
                        configuration.number("start", 0, Long.MIN_VALUE, Long.MAX_VALUE),
                        configuration.number("seed", 1, Long.MIN_VALUE, Long.MAX_VALUE),
                        minimum,
                        maximum),
                clock);
    }

    @Override
    public Optional<Serializer<Long>> outputSerializer(Configuration configuration) {
        return Optional.of(Serializers.longs());
    }
}

package ${package};

import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Operator;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.ProcessOperator;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.record.RecordSerializer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.osgi.service.component.annotations.Component;

/** Makes a visit of each number that the operator "generator" emits, the same of the same number. */
@Component(service = OperatorFactory.class)
@Operator("random-visit")
public final class RandomVisit implements OperatorFactory<Long, Visit> {

    private static final List<String> PAGES = List.of("/home", "/search", "/cart", "/help");
    private static final Instant BEGIN = Instant.parse("2026-03-01T08:00:00Z");

    @Override
    public ProcessOperator<Long, Visit> create(Configuration configuration) {
        return (number, out) -> {
            Random random = new Random(number);
            String page = PAGES.get(random.nextInt(PAGES.size()));
            out.collect(new Visit(BEGIN.plusSeconds(number), page, 10 + random.nextInt(200)));
        };
    }

    @Override
    public Optional<Serializer<Visit>> outputSerializer(Configuration configuration) {
        return Optional.of(RecordSerializer.of(Visit.class));
    }
}

package ${package};

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Operator;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.ProcessOperator;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;
import io.berth.dataflow.api.Text;
import io.berth.dataflow.api.connect.SideOutput;
import io.berth.dataflow.api.connect.SideOutputFactory;
import io.berth.dataflow.api.record.RecordSerializer;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Component;

/** Reads lines of the form TIME PAGE MILLISECONDS. Other lines go to the side output "rejected". */
@Component(service = OperatorFactory.class)
@Operator(value = "parse-visit", sideOutputs = "rejected")
public final class ParseVisit implements SideOutputFactory<Text, Visit> {

    private static final SideOutput<String> REJECTED = new SideOutput<>("rejected", Serializers::string);

    @Override
    public ProcessOperator<Text, Visit> create(Configuration configuration) {
        return new Parser();
    }

    @Override
    public Optional<Serializer<Visit>> outputSerializer(Configuration configuration) {
        return Optional.of(RecordSerializer.of(Visit.class));
    }

    @Override
    public List<SideOutput<?>> sideOutputs(Configuration configuration) {
        return List.of(REJECTED);
    }

    static final class Parser implements ProcessOperator<Text, Visit> {

        private Collector<String> rejected;

        @Override
        public void open(OperatorContext context) {
            rejected = REJECTED.collector(context);
        }

        @Override
        public void process(Text record, Collector<Visit> out) {
            String line = record.toString();
            Optional<Visit> visit = parse(line);
            if (visit.isPresent()) {
                out.collect(visit.get());
            } else {
                rejected.collect(line);
            }
        }

        private static Optional<Visit> parse(String line) {
            String[] parts = line.split(" ");
            if (parts.length != 3) {
                return Optional.empty();
            }
            try {
                return Optional.of(new Visit(Instant.parse(parts[0]), parts[1], Long.parseLong(parts[2])));
            } catch (DateTimeException | NumberFormatException malformed) {
                return Optional.empty();
            }
        }
    }
}

package io.berth.example.wordcount;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Operator;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.ProcessOperator;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;
import io.berth.dataflow.api.Text;
import java.util.Arrays;
import java.util.Optional;
import org.osgi.service.component.annotations.Component;

/** {@code word-split}: the words of a line, lower-cased. A word is a maximal run of ASCII letters. */
@Component(service = OperatorFactory.class)
@Operator("word-split")
public final class WordSplit implements OperatorFactory<Text, Text> {

    @Override
    public ProcessOperator<Text, Text> create(Configuration configuration) {
        return new Splitter();
    }

    @Override
    public Optional<Serializer<Text>> outputSerializer(Configuration configuration) {
        return Optional.of(Serializers.text());
    }

    private static final class Splitter implements ProcessOperator<Text, Text> {

        private final Text word = new Text();
        private byte[] letters = new byte[64];

        @Override
        public void process(Text line, Collector<Text> out) {
            byte[] bytes = line.bytes();
            int end = line.offset() + line.length();
            byte[] run = letters;
            int length = 0;
            for (int i = line.offset(); i < end; i++) {
                int lower = bytes[i] | 0x20;
                if (lower >= 'a' && lower <= 'z') {
                    if (length == run.length) {
                        run = Arrays.copyOf(run, length * 2);
                        letters = run;
                    }
                    run[length++] = (byte) lower;
                } else if (length > 0) {
                    out.collect(word.view(run, 0, length));
                    length = 0;
                }
            }
            if (length > 0) {
                out.collect(word.view(run, 0, length));
            }
        }
    }
}

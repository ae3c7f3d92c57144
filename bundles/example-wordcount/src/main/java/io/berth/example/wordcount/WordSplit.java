package io.berth.example.wordcount;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Operator;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.ProcessOperator;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;
import io.berth.dataflow.api.Text;
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

        private static final int CASE = 0x20;

        private final Text word = new Text();
        private byte[] lower = new byte[256];

        @Override
        public void process(Text line, Collector<Text> out) {
            int length = line.length();
            byte[] bytes = lowerCase(line.bytes(), line.offset(), length);
            int at = 0;
            while (at < length) {
                if (!isLetter(bytes[at++])) {
                    continue;
                }
                int start = at - 1;
                while (at < length && isLetter(bytes[at])) {
                    at++;
                }
                out.collect(word.view(bytes, start, at - start));
            }
        }

        /** In a loop of its own, which the JVM compiles to instructions for many bytes. Only letters become letters. */
        private byte[] lowerCase(byte[] bytes, int offset, int length) {
            if (lower.length < length) {
                lower = new byte[length * 2];
            }
            byte[] to = lower;
            for (int i = 0; i < length; i++) {
                to[i] = (byte) (bytes[offset + i] | CASE);
            }
            return to;
        }

        private static boolean isLetter(byte lower) {
            return lower >= 'a' && lower <= 'z';
        }
    }
}

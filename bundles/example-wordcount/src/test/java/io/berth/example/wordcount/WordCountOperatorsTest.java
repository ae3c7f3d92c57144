package io.berth.example.wordcount;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Pair;
import io.berth.dataflow.api.ProcessOperator;
import io.berth.dataflow.api.Text;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WordCountOperatorsTest {

    private static final Configuration NONE = new Configuration("any", Map.of());

    private static List<String> split(String line) throws Exception {
        List<String> words = new ArrayList<>();
        ProcessOperator<Text, Text> splitter = new WordSplit().create(NONE);
        byte[] bytes = ("zz" + line + "zz").getBytes(StandardCharsets.ISO_8859_1);
        splitter.process(new Text().view(bytes, 2, bytes.length - 4), word -> words.add(word.toString()));
        return words;
    }

    @Test
    void wordsAreMaximalRunsOfAsciiLettersInLowerCase() throws Exception {
        assertThat(split("To be, or NOT to-be: that's 2 be_"))
                .containsExactly("to", "be", "or", "not", "to", "be", "that", "s", "be");
        assertThat(split("")).isEmpty();
        assertThat(split("...")).isEmpty();
        assertThat(split("end")).containsExactly("end");
        assertThat(split("@[`{AZaz")).containsExactly("azaz");
    }

    @Test
    void bytesBeyondAsciiSeparateWords() throws Exception {
        assertThat(split("na\u00efve caf\u00c1s")).containsExactly("na", "ve", "caf", "s");
    }

    @Test
    void readsWordsOfAnyLength() throws Exception {
        String word = "abcdefghij".repeat(1000);
        assertThat(split("x " + word + " y")).containsExactly("x", word, "y");
    }

    @Test
    void orderIsMostFrequentFirstThenByWord() throws Exception {
        ProcessOperator<Pair<Text, Long>, Pair<Text, Long>> order = new ByCount().create(NONE);
        List<String> lines = new ArrayList<>();
        Text reused = new Text();
        for (String[] counted : new String[][] {{"b", "2"}, {"a", "10"}, {"c", "2"}, {"aa", "2"}}) {
            byte[] bytes = counted[0].getBytes(StandardCharsets.US_ASCII);
            order.process(new Pair<>(reused.view(bytes, 0, bytes.length), Long.valueOf(counted[1])), any -> {
                throw new AssertionError("nothing before the end");
            });
        }
        order.endOfInput(counted -> lines.add(counted.first() + " " + counted.second()));
        assertThat(lines).containsExactly("a 10", "aa 2", "b 2", "c 2");
    }
}

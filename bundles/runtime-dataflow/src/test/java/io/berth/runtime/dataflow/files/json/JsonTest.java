package io.berth.runtime.dataflow.files.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.dataflow.api.CommittingSink;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Pair;
import io.berth.dataflow.api.PermanentException;
import io.berth.dataflow.api.SplitReader;
import io.berth.dataflow.api.data.Columns;
import io.berth.dataflow.api.data.Row;
import io.berth.runtime.dataflow.TestContext;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonTest {

    @TempDir
    Path directory;

    private final TestContext context = new TestContext(0, 2, 1);

    private List<Row> read(String text, Map<String, String> settings) throws Exception {
        return read(Files.writeString(directory.resolve("in.jsonl"), text), settings);
    }

    private List<Row> read(Path file, Map<String, String> settings) throws Exception {
        Map<String, String> all = new TreeMap<>(settings);
        all.put("path", file.toString());
        JsonSource source = new JsonSourceFactory().create(new Configuration("json-source", all));
        source.open(context);
        List<Row> rows = new ArrayList<>();
        for (byte[] split : source.enumerateSplits()) {
            try (SplitReader<Row> reader = source.read(split)) {
                while (reader.step(rows::add)) {
                    assertThat(rows).hasSizeLessThan(1_000_000);
                }
            }
        }
        return rows;
    }

    @Test
    void readsOneObjectPerLine() throws Exception {
        assertThat(read(
                        "{\"a\": \"z\\u00fc\", \"n\": -3, \"x\": 1.5e2, \"t\": true, \"none\": null}\r\n\n"
                                + "{\"o\": {\"p\": [1, {\"q\": []}]}, \"big\": 123456789012345678901234567890}",
                        Map.of()))
                .containsExactly(
                        Row.of(Columns.of("a", "n", "x", "t", "none"), "z\u00fc", -3, 150.0, true, null),
                        Row.of(
                                Columns.of("o", "big"),
                                Row.of(Columns.of("p"), Arrays.asList(1, Row.of(Columns.of("q"), List.of()))),
                                new BigDecimal("123456789012345678901234567890")));
    }

    private void refused(String text, String... words) {
        assertThatThrownBy(() -> read(text, Map.of()))
                .isInstanceOf(PermanentException.class)
                .hasMessageContainingAll(words);
    }

    @Test
    void aMalformedLineIsNamedByFileLineAndColumn() {
        refused("{\"a\": 1}\n{\"a\": x}\n", "in.jsonl, line 2, column ", "Unrecognized token 'x'");
        refused("{\"a\": 1}\n\n[1]\n", "in.jsonl, line 3, column 1: a line that is no JSON object");
        refused("{\"a\": 1} {\"a\": 2}\n", "in.jsonl, line 1, column 10: text after the object");
        refused("{\"a\": 1, \"a\": 2}\n", "line 1, column", "Duplicate");
        refused("{\"a\": \"\n\"}\n", "line 1, column");
        refused("[".repeat(5), "no JSON object");
        refused("{\"a\": \"\\ud800\"}", "line 1, column", "half of a character, \\ud800");
        refused("{\"\\udc00\": 1}", "line 1, column", "low surrogate");
        refused("{\"a\": 1}\n\0\0{\0\n", "line 2, column 1");
        refused("{\"a\":" + "[".repeat(300), "line 1, column", "depth");
    }

    @Test
    void malformedLinesAreSkippedAndCountedIfAsked() throws Exception {
        assertThat(read("{\"a\": 1}\nnonsense\n{\"a\": 2}\n{\n", Map.of("errors", "skip")))
                .extracting(row -> row.whole("a"))
                .containsExactly(1L, 2L);
        assertThat(context.counters()).containsEntry("skipped", 2L);
    }

    @Test
    void aNumberBeyondDoubleKeepsItsValue() throws Exception {
        assertThat(read("{\"a\": 1e400, \"b\": 1e300, \"c\": \"\\ud83d\\ude00\"}", Map.of()))
                .containsExactly(
                        Row.of(Columns.of("a", "b", "c"), new BigDecimal("1e400"), 1e300, Character.toString(0x1f600)));
    }

    @Test
    void linesThatAreTooLongAreSkippedAndCountedIfAsked() throws Exception {
        String tooLong = "{\"a\": \"" + "x".repeat(300_000) + "\"}\n";
        for (String limit : List.of("20", "200000")) {
            context.counters().clear();
            assertThat(read(
                            "{\"a\": 1}\n" + tooLong + "{\"a\": 2}\n" + tooLong,
                            Map.of("errors", "skip", "line.bytes", limit)))
                    .extracting(row -> row.whole("a"))
                    .containsExactly(1L, 2L);
            assertThat(context.counters()).containsEntry("skipped", 2L);
        }
    }

    enum Color {
        RED
    }

    record Thing(String name, Color color, List<Integer> sizes, Instant at) {}

    private String write(Object... records) throws Exception {
        CommittingSink<Object> sink = (CommittingSink<Object>) new JsonSinkFactory()
                .create(new Configuration(
                        "json-sink", Map.of("path", directory.resolve("out").toString())));
        sink.open(context);
        for (Object record : records) {
            sink.write(record);
        }
        sink.endOfInput();
        sink.commit(List.of(sink.prepareCommit()));
        sink.close();
        return Files.readString(directory.resolve("out/part-0.jsonl"));
    }

    @Test
    void writesRowsRecordsAndPairs() throws Exception {
        assertThat(write(
                        new Thing("a\"b\n", Color.RED, List.of(1, 2), Instant.EPOCH),
                        new Pair<>("w", 3L),
                        Row.of(Columns.of("x", "nan", "d"), null, Double.NaN, new BigDecimal("1.50")),
                        5L))
                .isEqualTo("""
                        {"name":"a\\"b\\n","color":"RED","sizes":[1,2],"at":"1970-01-01T00:00:00Z"}
                        {"first":"w","second":3}
                        {"x":null,"nan":"NaN","d":1.50}
                        {"value":5}
                        """);
    }

    @Test
    void whatIsWrittenIsReadBackFromSeveralSplits() throws Exception {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            rows.add(Row.of(Columns.of("n", "text"), i, "t\u00e9xt " + i + "\n\t"));
        }
        write(rows.toArray());
        assertThat(read(directory.resolve("out/part-0.jsonl"), Map.of("split.bytes", "1000")))
                .isEqualTo(rows);
    }

    @Test
    void aLineOfAnyLengthIsLimited() throws IOException {
        Path file = Files.writeString(directory.resolve("long.jsonl"), "{\"a\": \"" + "x".repeat(300_000) + "\"}");
        assertThatThrownBy(() -> read(file, Map.of("line.bytes", "200000")))
                .hasMessageContaining("longer than 200000 bytes");
    }
}

package io.berth.runtime.dataflow.files.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.dataflow.api.CommittingSink;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.ConfigurationException;
import io.berth.dataflow.api.Pair;
import io.berth.dataflow.api.PermanentException;
import io.berth.dataflow.api.SplitReader;
import io.berth.dataflow.api.Text;
import io.berth.dataflow.api.data.Columns;
import io.berth.dataflow.api.data.Row;
import io.berth.runtime.dataflow.TestContext;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvTest {

    @TempDir
    Path directory;

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("in.csv"), text);
    }

    private List<Row> read(Path file, Map<String, String> settings) throws Exception {
        return read(file, settings, new TestContext(0, 4, 1));
    }

    private static List<Row> read(Path file, Map<String, String> settings, TestContext context) throws Exception {
        Map<String, String> all = new TreeMap<>(settings);
        all.put("path", file.toString());
        CsvSource source = new CsvSourceFactory().create(new Configuration("csv-source", all));
        source.open(context);
        List<Row> rows = new ArrayList<>();
        for (byte[] split : source.enumerateSplits()) {
            try (SplitReader<Row> reader = source.read(split)) {
                int steps = 0;
                while (reader.step(rows::add)) {
                    assertThat(steps++).isLessThan(1_000_000);
                }
                assertThat(reader.recordsLeft().orElse(0)).isLessThanOrEqualTo(0);
            }
        }
        return rows;
    }

    @Test
    void readsColumnsByNameWithQuotesAndTypes() throws Exception {
        Path file = file("\ufeffname, price,at,\"sold\"\r\n"
                + "\"Z\u00fcrich, \"\"old\"\"\nsecond line\",2.5,2030-01-31T12:00:00Z,true\r\n"
                + "\r\n"
                + "\"\",,,\n"
                + "x,-1,1970-01-01T00:00:00Z,FALSE");
        assertThat(read(file, Map.of("types", "price=decimal, at=instant,sold=boolean")))
                .containsExactly(
                        Row.of(
                                Columns.of("name", "price", "at", "sold"),
                                "Z\u00fcrich, \"old\"\nsecond line",
                                new BigDecimal("2.5"),
                                Instant.parse("2030-01-31T12:00:00Z"),
                                true),
                        Row.of(Columns.of("name", "price", "at", "sold"), "", null, null, null),
                        Row.of(
                                Columns.of("name", "price", "at", "sold"),
                                "x",
                                new BigDecimal(-1),
                                Instant.EPOCH,
                                false));
    }

    @Test
    void readsFilesWithoutAHeaderAndWithOtherDelimiters() throws Exception {
        assertThat(read(
                        file("a\t1\nb\t2\n"),
                        Map.of("header", "false", "columns", "name,n", "delimiter", "tab", "types", "n=long")))
                .containsExactly(Row.of(Columns.of("name", "n"), "a", 1), Row.of(Columns.of("name", "n"), "b", 2));
        assertThat(read(file("A;B\n1;\n"), Map.of("columns", "a,b", "delimiter", ";")))
                .containsExactly(Row.of(Columns.of("a", "b"), "1", null));
    }

    @Test
    void cutsAFileOfSingleLinesWithoutLosingOrRepeatingARecord() throws Exception {
        StringBuilder text = new StringBuilder("n,text\n");
        for (int i = 0; i < 20_000; i++) {
            text.append(i).append(",\"t, ").append("x".repeat(i % 40)).append("\"\n");
        }
        Path file = file(text.toString());
        for (String size : List.of("1000", "70001")) {
            List<Row> rows = read(file, Map.of("multiline", "false", "split.bytes", size, "types", "n=long"));
            assertThat(rows).hasSize(20_000);
            assertThat(rows.get(19_999).whole("n")).isEqualTo(19_999);
            assertThat(rows.stream().mapToLong(row -> row.whole("n")).sum()).isEqualTo(19_999L * 10_000);
        }
    }

    private void refused(String text, Map<String, String> settings, String... words) throws IOException {
        Path file = file(text);
        assertThatThrownBy(() -> read(file, settings))
                .isInstanceOf(PermanentException.class)
                .hasMessageContainingAll(words);
    }

    @Test
    void aMalformedRecordIsNamedByFileLineAndColumn() throws Exception {
        refused("a,b\n1,2\n3,x\"y\"\n", Map.of(), "in.csv, line 3, column 4: a quote within a field");
        refused("a,b\n1,\"2\"x\n", Map.of(), "in.csv, line 2, column 6: text after the closing quote");
        refused(
                "a,b\n1,2\n\"3,4\n5,6",
                Map.of(),
                "in.csv, line 3, column 1: a quote that is not closed before the end");
        refused(
                "a,b\n\"1\n2\",3\n",
                Map.of("multiline", "false"),
                "line 2, column 1: a quote that is not closed in its line");
        refused("a,b\n1,2\n1,2,3\n", Map.of(), "line 3, column 1: a record of 3 fields; allowed: 2");
        refused(
                "a,b\n\"x\ny\",2\n1,two\n",
                Map.of("types", "b=long"),
                "line 4, column 3: 'b' is 'two'; allowed: a whole number");
        refused("a,a\n1,2\n", Map.of(), "line 1, column 3: the header has 'a' as name of column 2");
        refused(
                "a\n" + "x".repeat(300) + "\n",
                Map.of("record.bytes", "100"),
                "line 2: the record is longer than 100 bytes");
        refused("a,b\n1,2\n", Map.of("types", "c=long"), "has no column 'c'");
    }

    @Test
    void malformedRecordsAreSkippedAndCountedIfAsked() throws Exception {
        TestContext context = new TestContext(0, 1, 1);
        assertThat(read(
                        file("a,b\n1,2\n3,x\"y\"\n4\n5,\"6\"z\n7,no\n" + "8".repeat(500) + ",1\n9,10\n"),
                        Map.of("errors", "skip", "types", "b=long", "record.bytes", "64"),
                        context))
                .extracting(row -> row.text("a"))
                .containsExactly("1", "9");
        assertThat(context.counters()).containsEntry("skipped", 5L);
    }

    @Test
    void afterAMalformedRecordTheNextOneIsNotAPartOfIt() throws Exception {
        for (String malformed : List.of("\"x\n5,6\n\",2\"3\n", "\"x\n5,6\n\",\"2\"3\n")) {
            TestContext context = new TestContext(0, 1, 1);
            assertThat(read(file("a,b\n1,2\n" + malformed + "7,8\n"), Map.of("errors", "skip"), context))
                    .extracting(row -> row.text("a"))
                    .containsExactly("1", "7");
            assertThat(context.counters()).containsEntry("skipped", 1L);
        }
        TestContext context = new TestContext(0, 1, 1);
        assertThat(read(file("a,b\n\"x\n5,6\n\",\"3\n7,8\n"), Map.of("errors", "skip"), context))
                .as("a quote that is not closed")
                .extracting(row -> row.text("a"))
                .containsExactly("7");
        context = new TestContext(0, 1, 1);
        String tooLong = "\"x\n5,6\n\"," + "y".repeat(200) + "\n";
        assertThat(read(file("a,b\n" + tooLong + "7,8\n"), Map.of("errors", "skip", "record.bytes", "64"), context))
                .as("a record that is too long")
                .extracting(row -> row.text("a"))
                .containsExactly("7");
        assertThat(context.counters()).containsEntry("skipped", 1L);
    }

    @Test
    void beginningsAndEndsOfFiles() throws Exception {
        assertThat(read(file("\n\r\na,b\n1,2\n"), Map.of())).hasSize(1);
        assertThat(read(file("\"a\",\"b\"\r"), Map.of())).isEmpty();
        assertThat(read(file("\n\n"), Map.of())).isEmpty();
        assertThat(read(file("a\n" + "x".repeat(100)), Map.of("record.bytes", "100")))
                .hasSize(1);
        assertThat(read(file("a\n" + "x".repeat(100) + "\r\ny\n"), Map.of("record.bytes", "100")))
                .hasSize(2);
        refused("a\n" + "x".repeat(101), Map.of("record.bytes", "100"), "line 2: the record is longer");
    }

    @Test
    void numbersAreThoseThatPeopleAndSinksWrite() throws Exception {
        assertThat(read(file("a\n1e3\n-.5\nNaN\n-Infinity\n"), Map.of("types", "a=double")))
                .extracting(row -> row.number("a"))
                .containsExactly(1000.0, -0.5, Double.NaN, Double.NEGATIVE_INFINITY);
        for (String java : List.of("5D", "1f", "0x1p3", "nan")) {
            refused("a\n" + java + "\n", Map.of("types", "a=double"), "'a' is '" + java + "'; allowed: a number");
        }
    }

    private static void refusedSettings(Map<String, String> settings, String... words) {
        Map<String, String> all = new TreeMap<>(settings);
        all.putIfAbsent("path", "x");
        assertThatThrownBy(() -> new CsvSourceFactory().create(new Configuration("csv-source", all)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll(words);
    }

    @Test
    void wrongSettingsAreRefusedByName() {
        refusedSettings(Map.of("header", "false"), "columns is not set", "header is false");
        refusedSettings(Map.of("columns", "a,a"), "columns is 'a,a'", "each once");
        refusedSettings(Map.of("columns", "a,,b"), "columns is 'a,,b'", "names separated by commas");
        refusedSettings(Map.of("types", "a=long,a=double"), "types is 'a=long,a=double'", "each column once");
        refusedSettings(
                Map.of("types", "a=int"), "types is 'a=int'", "string, long, double, decimal, boolean, instant");
        refusedSettings(Map.of("delimiter", "::"), "delimiter is '::'", "one ASCII character");
        refusedSettings(Map.of("delimiter", "\""), "delimiter");
        refusedSettings(Map.of("split.bytes", "100"), "split.bytes", "only with multiline = false");
        refusedSettings(Map.of("errors", "log"), "errors is 'log'", "fail, skip");
        refusedSettings(Map.of("header", "yes"), "header is 'yes'");
    }

    private String write(Map<String, String> settings, Object... records) throws Exception {
        Map<String, String> all = new TreeMap<>(settings);
        all.put("path", directory.resolve("out").toString());
        CommittingSink<Object> sink =
                (CommittingSink<Object>) new CsvSinkFactory().create(new Configuration("csv-sink", all));
        sink.open(new TestContext(0, 1, 1));
        try {
            for (Object record : records) {
                sink.write(record);
            }
            sink.endOfInput();
            sink.commit(List.of(sink.prepareCommit()));
        } finally {
            sink.close();
        }
        return Files.readString(directory.resolve("out/part.csv"));
    }

    record Sale(String city, int amount, double price, Optional<String> note) {}

    enum Color {
        RED
    }

    @Test
    void writesRowsRecordsAndPairs() throws Exception {
        assertThat(write(Map.of(), Row.of(Columns.of("a", "b"), "x,y", null), Row.of(Columns.of("b", "a"), "", 1)))
                .isEqualTo("a,b\n\"x,y\",\n1,\"\"\n");
        assertThat(write(
                        Map.of(), new Sale("Bern", 1, 2.5, Optional.empty()), new Sale("a\"b", 2, 0, Optional.of("n"))))
                .isEqualTo("city,amount,price,note\nBern,1,2.5,\n\"a\"\"b\",2,0.0,n\n");
        assertThat(write(Map.of("header", "false", "delimiter", ";"), new Pair<>(Text.of("w;"), 3L)))
                .isEqualTo("\"w;\";3\n");
        assertThat(write(Map.of("columns", "price,city"), new Sale("Bern", 1, 2.5, Optional.empty())))
                .isEqualTo("price,city\n2.5,Bern\n");
        assertThat(write(Map.of(), 7L, 8L)).isEqualTo("value\n7\n8\n");
        assertThat(write(Map.of(), Duration.ofSeconds(90), new UUID(0, 1), Optional.of(2.1f), Optional.empty()))
                .isEqualTo("value\nPT1M30S\n00000000-0000-0000-0000-000000000001\n2.1\n\"\"\n");
        assertThat(write(Map.of(), new Pair<>(new byte[] {1, 2, 3}, Color.RED))).isEqualTo("first,second\nAQID,RED\n");
    }

    @Test
    void aRecordWithAColumnThatTheFileDoesNotHaveIsRefused() {
        assertThatThrownBy(() -> write(Map.of(), Row.of(Columns.of("a"), 1), Row.of(Columns.of("a", "b"), 1, 2)))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("a record has the column 'b', and the first one had [a]");
        assertThatThrownBy(() -> write(Map.of(), Row.of(Columns.of("a"), List.of(1))))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("column 'a' is [1]; allowed in CSV");
    }

    @Property(tries = 30)
    void whatIsWrittenIsReadBack(
            @ForAll @Size(max = 20) List<@Size(value = 2) List<@StringLength(max = 8) String>> texts) throws Exception {
        Path own = Files.createTempDirectory("csv");
        try {
            directory = own;
            List<Row> rows = texts.stream()
                    .map(two -> Row.of(Columns.of("a", "b"), valid(two.get(0)), valid(two.get(1))))
                    .toList();
            write(Map.of(), rows.toArray());
            assertThat(read(own.resolve("out/part.csv"), Map.of("record.bytes", "64")))
                    .isEqualTo(rows);
        } finally {
            try (var files = Files.walk(own)) {
                for (Path each :
                        files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
    }

    private static String valid(String text) {
        return new String(
                text.getBytes(java.nio.charset.StandardCharsets.UTF_8), java.nio.charset.StandardCharsets.UTF_8);
    }
}

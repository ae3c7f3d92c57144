package io.berth.dataflow.api.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.dataflow.api.RecordInput;
import io.berth.dataflow.api.RecordOutput;
import io.berth.dataflow.api.Serializer;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowTest {

    private static final Columns SALE = Columns.of("city", "amount", "price", "paid");

    @Test
    void valuesAreReadByTheirColumns() {
        Row row = Row.of(SALE, "Bern", 3, 2.5f, true);
        assertThat(row.text("city")).isEqualTo("Bern");
        assertThat(row.whole("amount")).isEqualTo(3);
        assertThat(row.number("price")).isEqualTo(2.5);
        assertThat(row.number("amount")).isEqualTo(3);
        assertThat(row.flag("paid")).isTrue();
        assertThat(row.find("none")).isEmpty();
        Row texts = Row.of(SALE, "Bern", " 3", "2.5", "false");
        assertThat(texts.whole("amount")).isEqualTo(3);
        assertThat(texts.number("price")).isEqualTo(2.5);
        assertThat(texts.flag("paid")).isFalse();
    }

    @Test
    void wrongColumnsAndValuesAreRefusedByName() {
        Row row = Row.of(SALE, "Bern", null, 2.5, true);
        assertThatThrownBy(() -> row.text("town"))
                .hasMessageContaining("column 'town' does not exist; allowed: one of [city");
        assertThatThrownBy(() -> row.whole("amount")).hasMessageContaining("column 'amount' has no value");
        assertThatThrownBy(() -> row.whole("city"))
                .hasMessageContaining("column 'city' is 'Bern'; allowed: a whole number");
        assertThatThrownBy(() -> row.flag("price")).hasMessageContaining("true or false");
        assertThatThrownBy(() -> Row.of(SALE, 1)).hasMessageContaining("1 values for the 4 columns");
        assertThatThrownBy(() -> Row.of(Columns.of("a"), new Object()))
                .hasMessageContaining("column 'a' has a value of java.lang.Object");
        assertThatThrownBy(() -> Columns.of("a", "a")).hasMessageContaining("'a' twice");
    }

    @Test
    void aChangedRowLeavesTheOldOne() {
        Row row = Row.of(Columns.of("a"), 1);
        assertThat(row.with("a", 2)).isEqualTo(Row.of(Columns.of("a"), 2));
        assertThat(row.with("b", "x")).isEqualTo(Row.of(Columns.of("a", "b"), 1, "x"));
        assertThat(row.whole("a")).isEqualTo(1);
    }

    @Test
    void rowsOfManyShapesAreReadBack() {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 700; i++) {
            Row nested = Row.of(Columns.of("x"), Instant.ofEpochSecond(-i, 5));
            rows.add(Row.of(
                    Columns.of("c" + i % 300, "n"),
                    Arrays.asList("t", null, false, nested),
                    new BigDecimal("-1.25").scaleByPowerOfTen(i)));
            rows.add(Row.of(SALE, "z\u00fcrich", i, -0.0, i % 2 == 0));
        }
        Serializer<Row> writer = Row.serializer();
        RecordOutput first = RecordOutput.growing();
        rows.forEach(row -> writer.write(row, first));
        RecordOutput second = RecordOutput.growing();
        rows.forEach(row -> writer.write(row, second));
        Serializer<Row> reader = Row.serializer();
        for (RecordOutput out : List.of(first, second)) {
            RecordInput in = new RecordInput(out.toByteArray());
            for (Row row : rows) {
                assertThat(reader.read(in)).isEqualTo(row);
            }
            assertThat(in.remaining()).isZero();
        }
    }

    @Test
    void aRowThatCouldNotBeReadIsNotWritten() {
        List<Object> nested = List.of();
        for (int i = 0; i < 501; i++) {
            nested = List.of(nested);
        }
        Row row = Row.of(Columns.of("a"), nested);
        assertThatThrownBy(() -> Row.serializer().write(row, RecordOutput.growing()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("more than 500 levels");
    }

    @Test
    void columnsAreNamedOncePerOutput() {
        Serializer<Row> writer = Row.serializer();
        RecordOutput out = RecordOutput.growing();
        writer.write(Row.of(Columns.of("a-long-name"), 1), out);
        int first = out.position();
        writer.write(Row.of(Columns.of("a-long-name"), 1), out);
        assertThat(out.position() - first).isEqualTo(3);
    }

    @Test
    void aRowWithoutItsColumnsIsRefused() {
        assertThatThrownBy(() -> Row.serializer().read(new RecordInput(new byte[] {5, 1, 0})))
                .hasMessageContaining("read an input from its beginning");
    }
}

package io.berth.dataflow.api.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.dataflow.api.data.Columns;
import io.berth.dataflow.api.data.Row;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecordRowsTest {

    enum Color {
        RED,
        BLUE
    }

    record Point(int x, double y) {}

    record Thing(
            String name,
            short size,
            boolean sold,
            @Nullable Long limit,
            BigDecimal price,
            Instant at,
            Duration lasts,
            UUID id,
            Color color,
            Point point,
            List<Point> path,
            Set<String> tags,
            Map<String, Integer> counts,
            Optional<String> comment) {}

    private static final Thing THING = new Thing(
            "a",
            (short) 3,
            true,
            null,
            new BigDecimal("1.50"),
            Instant.EPOCH,
            Duration.ofSeconds(90),
            new UUID(1, 2),
            Color.BLUE,
            new Point(1, 2.5),
            List.of(new Point(3, 4)),
            Set.of("t"),
            Map.of("k", 7),
            Optional.empty());

    @Test
    void aRecordBecomesARowAndARecordAgain() {
        RecordRows<Thing> rows = RecordRows.of(Thing.class);
        Row row = rows.toRow(THING);
        assertThat(row.whole("size")).isEqualTo(3);
        assertThat(row.text("lasts")).isEqualTo("PT1M30S");
        assertThat(row.find("point")).contains(Row.of(Columns.of("x", "y"), 1, 2.5));
        assertThat(rows.toRecord(row)).isEqualTo(THING);
    }

    record Blob(byte[] content, byte @Nullable [] none, float part) {}

    @Test
    void bytesAreBase64AndFractionsKeepTheirDigits() {
        RecordRows<Blob> rows = RecordRows.of(Blob.class);
        Row row = rows.toRow(new Blob(new byte[] {1, 2, (byte) 255}, null, 2.1f));
        assertThat(row).isEqualTo(Row.of(Columns.of("content", "none", "part"), "AQL/", null, 2.1));
        Blob read = rows.toRecord(row);
        assertThat(read.content()).isEqualTo(new byte[] {1, 2, (byte) 255});
        assertThat(read.none()).isNull();
        assertThat(read.part()).isEqualTo(2.1f);
        assertThatThrownBy(() -> rows.toRecord(Row.of(Columns.of("content"), "no base 64!")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Blob.content cannot be 'no base 64!'");
    }

    @Test
    void textsAreReadAsWhatTheComponentNeeds() {
        record Sale(
                String city,
                int amount,
                double price,
                boolean paid,
                @Nullable Long code,
                Optional<Color> color) {}
        Row row = Row.of(
                Columns.of("price", "city", "amount", "paid", "other", "color"),
                "2.5",
                "Bern",
                "12",
                "true",
                "x",
                "RED");
        assertThat(RecordRows.of(Sale.class).toRecord(row))
                .isEqualTo(new Sale("Bern", 12, 2.5, true, null, Optional.of(Color.RED)));
    }

    @Test
    void aValueThatDoesNotFitIsRefusedWithItsComponent() {
        RecordRows<Point> rows = RecordRows.of(Point.class);
        assertThatThrownBy(() -> rows.toRecord(Row.of(Columns.of("x"), "many")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Point.x cannot be 'many'")
                .hasMessageContaining("a whole number");
        assertThatThrownBy(() -> rows.toRecord(Row.of(Columns.of("x"), 1L << 40)))
                .hasMessageContaining("Point.x");
        assertThatThrownBy(() -> rows.toRecord(Row.of(Columns.of("x"), 1.5))).hasMessageContaining("Point.x");
    }
}

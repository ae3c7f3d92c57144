package io.berth.dataflow.api.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.dataflow.api.RecordInput;
import io.berth.dataflow.api.RecordOutput;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecordSerializerTest {

    enum Side {
        BUY,
        SELL {
            @Override
            public String toString() {
                return "sold";
            }
        }
    }

    record Leg(String symbol, int amount) {}

    record Numbers(boolean a, char b, byte c, short d, int e, long f, float g, double h) {}

    record Everything(
            Numbers numbers,
            @Nullable Integer boxed,
            @Nullable String text,
            @Nullable BigDecimal price,
            @Nullable Instant at,
            @Nullable Duration length,
            @Nullable UUID id,
            @Nullable Side side,
            @Nullable Optional<Leg> leg,
            @Nullable List<@Nullable Leg> legs,
            @Nullable Set<Side> sides,
            @Nullable Map<String, List<Long>> series) {}

    record Tree(String name, List<Tree> children) {}

    record Nothing() {}

    /** Writes through arrays of {@code chunk} bytes, as an exchange does. */
    private static final class Stream {
        private final ByteArrayOutputStream all = new ByteArrayOutputStream();
        private final RecordOutput out;

        Stream(int chunk) {
            out = new RecordOutput(output -> {
                all.write(output.array(), 0, output.position());
                output.attach(new byte[chunk], 0, chunk);
            });
        }

        RecordInput input() {
            all.write(out.array(), 0, out.position());
            return new RecordInput(all.toByteArray());
        }
    }

    private static Everything full() {
        Map<String, List<Long>> series = new LinkedHashMap<>();
        series.put("z", List.of(1L, -2L));
        series.put("a", List.of());
        return new Everything(
                new Numbers(
                        true,
                        '\uffff',
                        (byte) -128,
                        Short.MAX_VALUE,
                        Integer.MIN_VALUE,
                        Long.MIN_VALUE,
                        -0f,
                        Double.MIN_VALUE),
                7,
                "na\u00efve",
                new BigDecimal("-12345678901234567890.1234"),
                Instant.parse("1904-02-29T23:59:59.999999999Z"),
                Duration.ofNanos(-1),
                new UUID(Long.MIN_VALUE, 5),
                Side.SELL,
                Optional.of(new Leg("a", -1)),
                Arrays.asList(new Leg("b", 2), null),
                Set.of(Side.BUY),
                series);
    }

    private static final Everything NULLS = new Everything(
            new Numbers(false, 'x', (byte) 0, (short) 0, 0, 0, 0, 0),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null);

    @Property
    void readsBackAllTypesThroughArraysOfAnySize(@ForAll @IntRange(min = 1, max = 90) int chunk) {
        RecordSerializer<Everything> writer = RecordSerializer.of(Everything.class);
        Stream stream = new Stream(chunk);
        List<Everything> written = List.of(full(), NULLS, full());
        written.forEach(each -> writer.write(each, stream.out));
        RecordInput in = stream.input();
        RecordSerializer<Everything> reader = RecordSerializer.of(Everything.class);
        for (Everything each : written) {
            assertThat(reader.read(in)).isEqualTo(each);
        }
        assertThat(in.remaining()).isZero();
        assertThat(Objects.requireNonNull(reader.copy(full()).series()).keySet())
                .containsExactly("z", "a");
    }

    @Property
    void readsBackNumbers(@ForAll int e, @ForAll long f, @ForAll double h, @ForAll float g, @ForAll short d) {
        Numbers numbers = new Numbers(true, 'c', (byte) 1, d, e, f, g, h);
        assertThat(roundTrip(Numbers.class, numbers)).isEqualTo(numbers);
    }

    private static <T extends Record> T roundTrip(Class<T> type, T record) {
        Stream stream = new Stream(1024);
        RecordSerializer.of(type).write(record, stream.out);
        return RecordSerializer.of(type).read(stream.input());
    }

    @Test
    void recordsMayContainRecordsOfTheirClassAndHaveNoComponents() {
        Tree tree = new Tree(
                "root", List.of(new Tree("left", List.of()), new Tree("right", List.of(new Tree("x", List.of())))));
        assertThat(roundTrip(Tree.class, tree)).isEqualTo(tree);
        assertThat(roundTrip(Nothing.class, new Nothing())).isEqualTo(new Nothing());
    }

    @Test
    void whatWasReadOwnsItsBytes() {
        record Blob(byte[] bytes) {}
        RecordOutput out = RecordOutput.growing();
        RecordSerializer.of(Blob.class).write(new Blob(new byte[] {1, 2, 3}), out);
        byte[] all = out.toByteArray();
        Blob blob = RecordSerializer.of(Blob.class).read(new RecordInput(all));
        Arrays.fill(all, (byte) 9);
        assertThat(blob.bytes()).containsExactly(1, 2, 3);
    }

    @Test
    void theSchemaIsWrittenOncePerOutputAndFurtherRecordsHaveOneByteMore() {
        RecordSerializer<Leg> serializer = RecordSerializer.of(Leg.class);
        RecordOutput first = RecordOutput.growing();
        serializer.write(new Leg("a", 1), first);
        int withSchema = first.position();
        serializer.write(new Leg("a", 1), first);
        assertThat(first.position() - withSchema).isEqualTo(1 + 2 + 1);
        RecordOutput second = RecordOutput.growing();
        serializer.write(new Leg("a", 1), second);
        assertThat(second.position()).isEqualTo(withSchema);
    }

    @Test
    void aRecordWithoutItsSchemaIsRefused() {
        RecordSerializer<Leg> serializer = RecordSerializer.of(Leg.class);
        RecordOutput out = RecordOutput.growing();
        serializer.write(new Leg("a", 1), out);
        int start = out.position();
        serializer.write(new Leg("b", 1), out);
        RecordInput in = new RecordInput();
        in.attach(out.array(), start, out.position());
        assertThatThrownBy(() -> RecordSerializer.of(Leg.class).read(in))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("without its schema");
    }

    @Test
    void aSerializerIsPartOfOthers() {
        Serializer<List<Leg>> lists = Serializers.list(RecordSerializer.of(Leg.class));
        RecordOutput out = RecordOutput.growing();
        List<Leg> legs = List.of(new Leg("a", 1), new Leg("b", 2));
        lists.write(legs, out);
        lists.write(legs, out);
        Serializer<List<Leg>> reader = Serializers.list(RecordSerializer.of(Leg.class));
        RecordInput in = new RecordInput(out.toByteArray());
        assertThat(reader.read(in)).isEqualTo(legs);
        assertThat(reader.read(in)).isEqualTo(legs);
        assertThat(in.remaining()).isZero();
    }

    // Two versions of a class: their records have the same bytes apart from the names of the classes.

    enum OldState {
        NEW,
        OPEN,
        GONE
    }

    enum NewState {
        OPEN,
        CLOSED,
        NEW
    }

    record OldPart(String name, int weight) {}

    record NewPart(int weight, String name, double share) {}

    record Old(
            String id,
            int count,
            float rate,
            OldState state,
            List<OldPart> parts,
            Map<String, OldPart> byName,
            @Nullable Long limit,
            String comment,
            Optional<UUID> removed,
            BigDecimal removedToo) {}

    record New(
            double rate,
            long count,
            NewState state,
            String id,
            List<NewPart> parts,
            Map<String, NewPart> byName,
            long limit,
            Optional<String> comment,
            int added,
            Optional<String> addedToo,
            @Nullable List<String> addedList) {}

    private static <A extends Record, B extends Record> List<B> readAs(
            Class<B> type, List<A> records, Class<A> writtenAs) {
        Stream stream = new Stream(37);
        RecordSerializer<A> writer = RecordSerializer.of(writtenAs);
        records.forEach(each -> writer.write(each, stream.out));
        RecordInput in = stream.input();
        RecordSerializer<B> reader = RecordSerializer.of(type);
        List<B> read = records.stream().map(any -> reader.read(in)).toList();
        assertThat(in.remaining()).isZero();
        return read;
    }

    @Test
    void recordsOfAnOlderClassAreReadWithDefaultsForWhatWasAdded() {
        OldPart part = new OldPart("p", 3);
        Old old = new Old(
                "i",
                -4,
                1.5f,
                OldState.NEW,
                List.of(part, part),
                Map.of("k", part),
                null,
                "c",
                Optional.of(new UUID(1, 2)),
                new BigDecimal("3.14"));
        NewPart now = new NewPart(3, "p", 0);
        assertThat(readAs(New.class, List.of(old, old), Old.class))
                .containsOnly(new New(
                        1.5,
                        -4,
                        NewState.NEW,
                        "i",
                        List.of(now, now),
                        Map.of("k", now),
                        0,
                        Optional.of("c"),
                        0,
                        Optional.empty(),
                        null))
                .hasSize(2);
    }

    @Test
    void recordsOfANewerClassAreReadWithoutWhatWasAdded() {
        record Before(
                @Nullable String id,
                short count,
                OldState state,
                @Nullable Long limit,
                @Nullable String comment) {}
        NewPart part = new NewPart(3, "p", 0.5);
        New now = new New(
                2,
                40,
                NewState.OPEN,
                "i",
                List.of(part),
                Map.of("k", part),
                9,
                Optional.empty(),
                7,
                Optional.of("x"),
                List.of("y"));
        assertThat(readAs(Before.class, List.of(now, now), New.class))
                .containsOnly(new Before("i", (short) 40, OldState.OPEN, 9L, null));
    }

    @Test
    void aNumberThatNoLongerFitsIsRefused() {
        record Wide(long n) {}
        record Narrow(byte n) {}
        assertThat(readAs(Narrow.class, List.of(new Wide(-128)), Wide.class)).containsExactly(new Narrow((byte) -128));
        assertThatThrownBy(() -> readAs(Narrow.class, List.of(new Wide(128)), Wide.class))
                .hasMessageContaining("the number 128")
                .hasMessageContaining("-128 to 127");
    }

    @Test
    void aConstantThatIsGoneIsRefusedOnlyWhereItOccurs() {
        record Had(OldState state) {}
        record Has(NewState state) {}
        assertThat(readAs(Has.class, List.of(new Had(OldState.OPEN)), Had.class))
                .containsExactly(new Has(NewState.OPEN));
        assertThatThrownBy(() -> readAs(Has.class, List.of(new Had(OldState.GONE)), Had.class))
                .hasMessageContaining("the constant GONE")
                .hasMessageContaining("[OPEN, CLOSED, NEW]");
    }

    @Test
    void anotherTypeUnderTheSameNameIsRefused() {
        record Had(List<String> value) {}
        record Has(int value) {}
        assertThatThrownBy(() -> readAs(Has.class, List.of(new Had(List.of())), Had.class))
                .hasMessageContaining("Has.value was written as List of [String] and is now a whole number");
    }

    @Test
    void aTypeThatCannotBeWrittenIsRefusedWithItsComponent() {
        record Inner(Thread thread) {}
        record Outer(List<Inner> inner) {}
        assertThatThrownBy(() -> RecordSerializer.of(Outer.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Outer.inner.thread has the type java.lang.Thread; allowed: boolean, char");
    }

    @Test
    void damagedBytesAreRefused() {
        RecordOutput out = RecordOutput.growing();
        RecordSerializer.of(Everything.class).write(full(), out);
        byte[] all = out.toByteArray();
        for (int length = 0; length < all.length; length++) {
            RecordInput torn = new RecordInput(Arrays.copyOf(all, length));
            assertThatThrownBy(() -> RecordSerializer.of(Everything.class).read(torn))
                    .isInstanceOf(IllegalStateException.class);
        }
        byte[] other = all.clone();
        other[0] = 77;
        assertThatThrownBy(() -> RecordSerializer.of(Everything.class).read(new RecordInput(other)))
                .hasMessageContaining("begins with 77");
    }
}

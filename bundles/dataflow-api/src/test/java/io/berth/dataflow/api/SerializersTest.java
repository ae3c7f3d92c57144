package io.berth.dataflow.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SerializersTest {

    /** Writes through arrays of {@code chunk} bytes, as an exchange does. */
    private static <T> byte[] write(Serializer<T> serializer, T record, int chunk) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        RecordOutput out = new RecordOutput(output -> {
            all.write(output.array(), 0, output.position());
            output.attach(new byte[chunk], 0, chunk);
        });
        serializer.write(record, out);
        all.write(out.array(), 0, out.position());
        return all.toByteArray();
    }

    @Property
    void readsBackRecordsWithArraysOfAnySize(
            @ForAll String string,
            @ForAll long number,
            @ForAll byte[] bytes,
            @ForAll @IntRange(min = 1, max = 70) int chunk) {
        Serializer<Pair<Pair<String, Long>, Pair<Text, byte[]>>> serializer = Serializers.pair(
                Serializers.pair(Serializers.string(), Serializers.longs()),
                Serializers.pair(Serializers.text(), Serializers.bytes()));
        Text text = new Text().view(bytes, 0, bytes.length);
        String valid = new String(string.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        byte[] written = write(serializer, new Pair<>(new Pair<>(valid, number), new Pair<>(text, bytes)), chunk);
        RecordInput in = new RecordInput(written);
        Pair<Pair<String, Long>, Pair<Text, byte[]>> read = serializer.read(in);
        assertThat(in.remaining()).isZero();
        assertThat(read.first()).isEqualTo(new Pair<>(valid, number));
        assertThat(read.second().first()).isEqualTo(text);
        assertThat(read.second().second()).isEqualTo(bytes);
    }

    @Property
    void readsBackNumbers(@ForAll int small, @ForAll long large) {
        RecordOutput out = RecordOutput.growing();
        out.writeVarInt(small);
        out.writeVarLong(large);
        out.writeLong(large);
        RecordInput in = new RecordInput(out.toByteArray());
        assertThat(in.readVarInt()).isEqualTo(small);
        assertThat(in.readVarLong()).isEqualTo(large);
        assertThat(in.readLong()).isEqualTo(large);
        assertThat(in.remaining()).isZero();
    }

    @Property
    void readsBackListsMapsAndOptionalValues(
            @ForAll List<Integer> ints, @ForAll Map<Long, Double> map, @ForAll boolean flag, @ForAll byte[] bytes) {
        Serializer<Pair<Pair<List<Integer>, Map<Long, Double>>, Pair<Optional<Boolean>, List<Text>>>> serializer =
                Serializers.pair(
                        Serializers.pair(
                                Serializers.list(Serializers.ints()),
                                Serializers.map(Serializers.longs(), Serializers.doubles())),
                        Serializers.pair(
                                Serializers.optional(Serializers.booleans()), Serializers.list(Serializers.text())));
        // The serializer of texts reads into one object, so those of a list must be copies.
        List<Text> texts = List.of(new Text().view(bytes, 0, bytes.length), Text.of("other"));
        var record = new Pair<>(new Pair<>(ints, map), new Pair<>(Optional.of(flag), texts));
        RecordInput in = new RecordInput(write(serializer, record, 7));
        var read = serializer.read(in);
        assertThat(read).isEqualTo(record);
        assertThat(serializer.copy(read)).isEqualTo(record);
        assertThat(in.remaining()).isZero();
    }

    @Test
    void rejectsATruncatedRecord() {
        assertThatThrownBy(() -> Serializers.text().read(new RecordInput(new byte[] {5, 'a', 'b'})))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("5 bytes wanted, 2 left");
    }

    @Test
    void rejectsALengthBeyondAllBounds() {
        byte[] negative = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f};
        assertThatThrownBy(() -> Serializers.bytes().read(new RecordInput(negative)))
                .isInstanceOf(IllegalStateException.class);
    }
}

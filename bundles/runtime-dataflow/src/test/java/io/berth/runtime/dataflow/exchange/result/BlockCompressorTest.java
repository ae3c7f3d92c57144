package io.berth.runtime.dataflow.exchange.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jpountz.lz4.LZ4Factory;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** What it writes is read by the decompressors of a library, one of them the native one where there is one, and as a block. */
class BlockCompressorTest {

    private final BlockCompressor compressor = new BlockCompressor();
    private final Blocks blocks = new Blocks();

    /** Returns the compressed length. */
    private int roundTrip(byte[] block, int length) {
        byte[] compressed = new byte[BlockCompressor.maxCompressedLength(length)];
        int packed = compressor.compress(block, length, compressed);
        for (LZ4Factory library : List.of(LZ4Factory.fastestInstance(), LZ4Factory.fastestJavaInstance())) {
            byte[] back = new byte[length];
            int unpacked = library.safeDecompressor().decompress(compressed, 0, packed, back, 0);
            assertThat(unpacked).isEqualTo(length);
            assertThat(back).isEqualTo(Arrays.copyOf(block, length));
        }
        if (length <= NetworkBuffer.CAPACITY) {
            throughABlock(block, length);
        }
        return packed;
    }

    private void throughABlock(byte[] records, int length) {
        byte[] stored = new byte[Blocks.MAX_STORED];
        byte[] back = new byte[NetworkBuffer.CAPACITY];
        int bytes = blocks.write(records, length, 3, 5, stored);
        assertThatCode(() -> assertThat(blocks.read(stored, bytes, back, 0)).isEqualTo(new Blocks.Block(length, 3, 5)))
                .doesNotThrowAnyException();
        assertThat(Arrays.copyOf(back, length)).isEqualTo(Arrays.copyOf(records, length));
    }

    private static byte[] records(int count) {
        StringBuilder records = new StringBuilder();
        Random random = new Random(3);
        for (int i = 0; i < count; i++) {
            records.append(Long.toString(random.nextLong() >>> 1, 36))
                    .append(String.format("  %032X  ", i))
                    .append((char) ('A' + random.nextInt(16)));
        }
        return records.toString().getBytes(StandardCharsets.US_ASCII);
    }

    @Property(tries = 3_000)
    void whatRepeatsItselfInAnyWayIsRestored(
            @ForAll long seed,
            @ForAll @IntRange(max = 3_000) int length,
            @ForAll @IntRange(min = 1, max = 256) int values,
            @ForAll @IntRange(min = 1, max = 400) int period) {
        Random random = new Random(seed);
        byte[] block = new byte[length];
        for (int i = 0; i < length; i++) {
            boolean repeats = i >= period && random.nextInt(20) > 0;
            block[i] = repeats ? block[i - period] : (byte) random.nextInt(values);
        }
        roundTrip(block, length);
    }

    @Property(tries = 200)
    void wholeBlocksAreRestored(@ForAll long seed, @ForAll @IntRange(min = 1, max = 256) int values) {
        Random random = new Random(seed);
        byte[] block = new byte[NetworkBuffer.CAPACITY];
        int filled = 0;
        while (filled < block.length) {
            int run = Math.min(block.length - filled, 1 + random.nextInt(600));
            if (filled > 0 && random.nextBoolean()) {
                int from = random.nextInt(filled);
                for (int i = 0; i < run; i++) {
                    block[filled + i] = block[from + i];
                }
            } else {
                for (int i = 0; i < run; i++) {
                    block[filled + i] = (byte) random.nextInt(values);
                }
            }
            filled += run;
        }
        roundTrip(block, block.length);
    }

    @Test
    void blocksOfEachShortLengthAreRestored() {
        byte[] same = new byte[600];
        byte[] different = new byte[600];
        new Random(1).nextBytes(different);
        for (int length = 0; length <= 600; length++) {
            roundTrip(same, length);
            roundTrip(different, length);
        }
    }

    @Test
    void bytesBehindTheBlockAreNotRead() {
        byte[] records = records(100);
        byte[] longer = Arrays.copyOf(records, records.length + 500);
        Arrays.fill(longer, records.length, longer.length, records[records.length - 1]);
        assertThat(roundTrip(longer, records.length)).isEqualTo(roundTrip(records, records.length));
    }

    @Test
    void theLargestBlockIsRestored() {
        byte[] block = Arrays.copyOf(records(2_000), BlockCompressor.MAX_LENGTH);
        roundTrip(block, block.length);
        byte[] random = new byte[BlockCompressor.MAX_LENGTH];
        new Random(2).nextBytes(random);
        assertThat(roundTrip(random, random.length)).isLessThan(random.length + random.length / 255 + 16);
    }

    @Test
    void recordsTakeAboutAsMuchAsWithTheLibrary() {
        byte[] block = Arrays.copyOf(records(2_000), NetworkBuffer.CAPACITY);
        int library = LZ4Factory.safeInstance().fastCompressor().compress(block).length;
        assertThat(roundTrip(block, block.length)).isLessThan(library + library / 10);
        assertThat(roundTrip(new byte[NetworkBuffer.CAPACITY], NetworkBuffer.CAPACITY))
                .isLessThan(NetworkBuffer.CAPACITY / 200);
    }

    @Test
    void refusesWhatItHasNoRoomFor() {
        assertThatThrownBy(() -> compressor.compress(new byte[100], 100, new byte[100]))
                .hasMessageContaining("100 bytes into 100");
        int more = BlockCompressor.MAX_LENGTH + 1;
        assertThatThrownBy(() ->
                        compressor.compress(new byte[more], more, new byte[BlockCompressor.maxCompressedLength(more)]))
                .hasMessageContaining(String.valueOf(BlockCompressor.MAX_LENGTH));
    }
}

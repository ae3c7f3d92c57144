package io.berth.dataflow.api.record;

import io.berth.dataflow.api.RecordInput;
import io.berth.dataflow.api.RecordOutput;
import io.berth.dataflow.api.Serializer;
import java.nio.charset.StandardCharsets;

/** Measures a serializer by structure beside one that is written by hand. Not part of the test run. */
final class RecordBench {

    private RecordBench() {}

    record Trade(String symbol, long time, int amount, double price, boolean buy) {}

    private static final class ByHand implements Serializer<Trade> {
        @Override
        public void write(Trade t, RecordOutput out) {
            byte[] bytes = t.symbol().getBytes(StandardCharsets.UTF_8);
            out.writeVarInt(bytes.length);
            out.writeBytes(bytes, 0, bytes.length);
            out.writeVarLong(t.time() << 1 ^ t.time() >> 63);
            out.writeVarInt(t.amount() << 1 ^ t.amount() >> 31);
            out.writeLong(Double.doubleToRawLongBits(t.price()));
            out.writeByte(t.buy() ? 1 : 0);
        }

        @Override
        public Trade read(RecordInput in) {
            int length = in.readVarInt();
            int start = in.skip(length);
            String symbol = new String(in.array(), start, length, StandardCharsets.UTF_8);
            long time = in.readVarLong();
            int amount = in.readVarInt();
            return new Trade(
                    symbol,
                    time >>> 1 ^ -(time & 1),
                    amount >>> 1 ^ -(amount & 1),
                    Double.longBitsToDouble(in.readLong()),
                    in.readByte() != 0);
        }

        @Override
        public Trade copy(Trade record) {
            return record;
        }
    }

    public static void main(String[] args) {
        Trade[] trades = new Trade[1000];
        for (int i = 0; i < trades.length; i++) {
            trades[i] = new Trade("SYM" + i % 50, 1_700_000_000_000L + i, i * 37 - 500, i / 7.0, i % 2 == 0);
        }
        for (int round = 0; round < 5; round++) {
            measure("by hand", new ByHand(), trades);
            measure("by structure", RecordSerializer.of(Trade.class), trades);
        }
    }

    private static void measure(String name, Serializer<Trade> serializer, Trade[] trades) {
        int repeats = 5_000;
        RecordOutput out = RecordOutput.growing();
        long sum = 0;
        long begin = System.nanoTime();
        for (int r = 0; r < repeats; r++) {
            out.attach(out.array(), 0, out.array().length);
            for (Trade trade : trades) {
                serializer.write(trade, out);
            }
            sum += out.position();
        }
        long written = System.nanoTime();
        // The schema comes first only in the first repeat: write to a new output so that it can be read.
        RecordOutput whole = RecordOutput.growing();
        for (Trade trade : trades) {
            serializer.write(trade, whole);
        }
        byte[] bytes = whole.toByteArray();
        RecordInput in = new RecordInput();
        long start = System.nanoTime();
        for (int r = 0; r < repeats; r++) {
            in.attach(bytes, 0, bytes.length);
            for (int i = 0; i < trades.length; i++) {
                sum += serializer.read(in).amount();
            }
        }
        long read = System.nanoTime();
        double records = (double) repeats * trades.length;
        System.out.printf(
                "%-12s write %.1f ns, read %.1f ns per record, %d bytes (%d)%n",
                name, (written - begin) / records, (read - start) / records, bytes.length, sum);
    }
}

package io.berth.runtime.dataflow.exchange.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.dataflow.api.RecordOutput;
import io.berth.dataflow.api.Serializers;
import io.berth.runtime.dataflow.exchange.buffer.BufferPool;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.berth.runtime.dataflow.measure.WaitTimes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordReaderTest {

    @Test
    void memoryOfALongRecordIsNotKeptAfterIt() throws InterruptedException {
        RecordOutput written = RecordOutput.growing();
        Serializers.string().write("x".repeat(2 << 20), written);
        byte[] record = written.toByteArray();
        RecordReader<String> reader = new RecordReader<>(Serializers.string());
        List<String> read = new ArrayList<>();
        NetworkBuffer buffer =
                new BufferPool(0).lease("test", 2, 2).take(WaitTimes.unread().idle());
        for (int from = 0; from < record.length; from += NetworkBuffer.CAPACITY) {
            int length = Math.min(NetworkBuffer.CAPACITY, record.length - from);
            System.arraycopy(record, from, buffer.array(), NetworkBuffer.BASE, length);
            boolean first = from == 0;
            boolean last = from + length == record.length;
            buffer.set(length, last ? length : 0, last ? length : 0);
            assertThat(first && last).isFalse();
            reader.read(buffer, read::add);
        }
        assertThat(read).hasSize(1);
        assertThat(read.get(0)).hasSize(2 << 20);
        assertThat(reader.keptBytes()).isLessThanOrEqualTo(RecordReader.MAX_KEPT_BYTES);
    }
}

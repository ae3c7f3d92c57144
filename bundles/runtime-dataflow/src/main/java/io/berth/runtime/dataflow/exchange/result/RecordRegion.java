package io.berth.runtime.dataflow.exchange.result;

import io.berth.dataflow.api.RecordOutput;
import io.berth.dataflow.api.Serializer;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory in which a task collects the records of one edge. Records fill it from its beginning. From its end grow
 * entries of 8 bytes: where a record begins, and the next record of the same part. So all records of a part are found in
 * order without sorting. When it is full, everything goes to the file as one run. A record that is larger than the memory
 * becomes a run of its own, written while it is serialized.
 *
 * <p>What is read begins at any part of any run. A serializer may write with a record what later ones refer to, such as names,
 * once per output. So each part of each run is an output of its own, with a serializer of its own. Confined to the thread of
 * the task.
 */
final class RecordRegion<T> implements RecordOutput.Owner {

    private static final int ENTRY = 8;
    private static final int NONE = -1;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

    /** The memory was spilled: the record is serialized again, as the first one of its part. */
    private static final class SpilledException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        SpilledException() {
            super("spilled", null, false, false);
        }
    }

    private final Supplier<Serializer<T>> newSerializer;
    private final RunWriter runs;
    private final byte[] memory;
    /** Of each part that has records in the memory. */
    private final @Nullable Writing<T>[] writing;

    private final int[] first;
    private final int[] last;
    private int records;
    private int filled;
    private int recordStart;
    private int part;
    private boolean large;
    private long largeBytes;

    /** @param serializer creates a serializer for each part */
    RecordRegion(Supplier<Serializer<T>> serializer, RunWriter runs, int parts, int memoryBytes) {
        this.newSerializer = serializer;
        this.runs = runs;
        this.writing = newArray(parts);
        this.memory = new byte[memoryBytes];
        this.first = new int[parts];
        this.last = new int[parts];
        Arrays.fill(first, NONE);
    }

    /** Where one part of one run is written to. */
    private record Writing<T>(Serializer<T> serializer, RecordOutput out) {}

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <T> @Nullable Writing<T>[] newArray(int parts) {
        return new Writing[parts];
    }

    void write(int toPart, T record) throws IOException {
        if (limit() <= filled) {
            spill(filled);
        }
        part = toPart;
        try {
            serializeOrSpill(record);
        } catch (UncheckedIOException failure) {
            throw failure.getCause();
        }
    }

    private void serializeOrSpill(T record) throws IOException {
        try {
            serialize(record);
        } catch (SpilledException spilled) {
            serialize(record);
        }
    }

    private void serialize(T record) throws IOException {
        Writing<T> to = writing[part];
        if (to == null) {
            to = new Writing<>(newSerializer.get(), new RecordOutput(this));
            writing[part] = to;
        }
        recordStart = filled;
        to.out().attach(memory, filled, limit());
        to.serializer().write(record, to.out());
        int end = to.out().position();
        if (large) {
            endLarge(end);
        } else if (end == recordStart) {
            throw new IllegalStateException(
                    to.serializer().getClass().getName() + " wrote no byte; a record must have at least one");
        } else {
            addEntry(end);
        }
    }

    /** How far records may reach: behind it are the entries, and room for the one of the next record. */
    private int limit() {
        return memory.length - (records + 1) * ENTRY;
    }

    private int entry(int record) {
        return memory.length - (record + 1) * ENTRY;
    }

    private void addEntry(int end) {
        int at = entry(records);
        INT.set(memory, at, recordStart);
        INT.set(memory, at + 4, NONE);
        if (first[part] == NONE) {
            first[part] = records;
        } else {
            INT.set(memory, entry(last[part]) + 4, records);
        }
        last[part] = records;
        records++;
        filled = end;
    }

    @Override
    public void full(RecordOutput output) {
        try {
            if (large) {
                appendLarge(output.position());
                output.attach(memory, 0, memory.length);
            } else if (records > 0) {
                spill(recordStart);
                throw new SpilledException();
            } else {
                large = true;
                largeBytes = 0;
                runs.beginRun();
                runs.beginPart(part);
                runs.beginRecord();
                appendLarge(output.position());
                output.attach(memory, 0, memory.length);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void appendLarge(int bytes) throws IOException {
        largeBytes += bytes;
        if (largeBytes > NetworkBuffer.MAX_RECORD_BYTES) {
            throw new IllegalStateException("a record is longer than " + NetworkBuffer.MAX_RECORD_BYTES
                    + " bytes, the maximum of an edge: emit it in parts");
        }
        runs.append(memory, 0, bytes);
    }

    private void endLarge(int end) throws IOException {
        appendLarge(end);
        runs.endRecord();
        runs.endPart();
        runs.endRun();
        Arrays.fill(writing, null);
        large = false;
    }

    /** Writes what is left, and ends the file. */
    RunWriter.Table end() throws IOException {
        if (records > 0) {
            spill(filled);
        }
        return runs.end();
    }

    /** Writes all whole records, which end at {@code end}, as a run. */
    private void spill(int end) throws IOException {
        runs.beginRun();
        for (int each = 0; each < first.length; each++) {
            if (first[each] != NONE) {
                runs.beginPart(each);
                for (int record = first[each]; record != NONE; record = (int) INT.get(memory, entry(record) + 4)) {
                    int start = (int) INT.get(memory, entry(record));
                    int next = record + 1 == records ? end : (int) INT.get(memory, entry(record + 1));
                    runs.record(memory, start, next - start);
                }
                runs.endPart();
            }
        }
        runs.endRun();
        Arrays.fill(first, NONE);
        Arrays.fill(writing, null);
        records = 0;
        filled = 0;
    }
}

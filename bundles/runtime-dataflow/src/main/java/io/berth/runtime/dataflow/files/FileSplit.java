package io.berth.runtime.dataflow.files;

import io.berth.dataflow.api.RecordInput;
import io.berth.dataflow.api.RecordOutput;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;

/** The bytes [start, end) of a file. */
public record FileSplit(String file, long start, long end) {

    /** Rejects an empty range. */
    public FileSplit {
        if (start < 0 || end <= start) {
            throw new IllegalArgumentException("split [" + start + ", " + end + ") of " + file);
        }
    }

    byte[] toBytes() {
        RecordOutput out = RecordOutput.growing();
        Serializer<String> text = Serializers.string();
        text.write(file, out);
        out.writeVarLong(start);
        out.writeVarLong(end);
        return out.toByteArray();
    }

    /** Reads what {@link #toBytes} wrote. */
    public static FileSplit of(byte[] bytes) {
        RecordInput in = new RecordInput(bytes);
        return new FileSplit(Serializers.string().read(in), in.readVarLong(), in.readVarLong());
    }

    @Override
    public String toString() {
        return file + " [" + start + ", " + end + ")";
    }
}

package io.berth.runtime.dataflow.files;

import io.berth.dataflow.api.Pair;
import io.berth.dataflow.api.Text;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** One line per record. */
final class TextEncoder implements Encoder {

    @Override
    public void begin() {}

    @Override
    public void write(Object record, OutputStream out) throws IOException {
        writeValue(record, out);
        out.write('\n');
    }

    private static void writeValue(Object value, OutputStream out) throws IOException {
        if (value instanceof Text text) {
            out.write(text.bytes(), text.offset(), text.length());
        } else if (value instanceof Pair<?, ?> pair) {
            writeValue(pair.first(), out);
            out.write('\t');
            writeValue(pair.second(), out);
        } else {
            out.write(value.toString().getBytes(StandardCharsets.UTF_8));
        }
    }
}

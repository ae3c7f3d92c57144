package io.berth.runtime.dataflow.files;

import java.io.IOException;
import java.io.OutputStream;

/** Writes records into files. One instance serves one sink. */
public interface Encoder {

    /** A file begins with its first record; nothing is written for it before. */
    void begin() throws IOException;

    /** Writes one record and what ends it. */
    void write(Object record, OutputStream out) throws IOException;
}

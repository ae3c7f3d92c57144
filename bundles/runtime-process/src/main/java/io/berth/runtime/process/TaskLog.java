package io.berth.runtime.process;

/** Receives what the process of a task prints. Threads may call it, several at once; it must not block. */
interface TaskLog {

    /** Where a line was printed. */
    enum Stream {
        OUT,
        ERR
    }

    /** @param text a line without its end, or a part of a very long one */
    void line(Stream stream, String text);

    /** The process has ended. */
    default void close() {}
}

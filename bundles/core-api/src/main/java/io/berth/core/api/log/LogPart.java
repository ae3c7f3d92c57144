package io.berth.core.api.log;

/**
 * A part of a log. Offsets count the bytes that were ever written, so they stay valid when the oldest part of a log is
 * removed.
 *
 * @param found whether there is such a log
 * @param from offset of the first byte; more than was asked for if that is no longer there
 * @param next the offset to ask for next
 * @param end offset behind the last byte that the log has now
 * @param content text in UTF-8; it ends with a whole character
 */
public record LogPart(boolean found, long from, long next, long end, byte[] content) {

    /** There is no such log. */
    public static final LogPart NONE = new LogPart(false, 0, 0, 0, new byte[0]);
}

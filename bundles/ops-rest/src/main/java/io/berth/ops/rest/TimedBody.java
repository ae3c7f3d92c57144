package io.berth.ops.rest;

import io.berth.core.api.time.Clock;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A body that must arrive within a time, so that a peer that sends a byte now and then does not hold a thread. The
 * container ends a peer that sends nothing. Confined to one thread.
 */
final class TimedBody extends FilterInputStream {

    private final Clock clock;
    private final long timeoutMillis;
    private final long deadline;

    /** The time is over. */
    static final class SlowBodyException extends IOException {
        private static final long serialVersionUID = 1L;

        SlowBodyException(long timeoutMillis) {
            super("the body took more than " + timeoutMillis + " ms (body.timeout.ms in etc/io.berth.ops.rest.cfg)");
        }
    }

    /** The peer ended it, or the connection broke: no failure of the control plane. */
    static final class BrokenBodyException extends IOException {
        private static final long serialVersionUID = 1L;

        BrokenBodyException(IOException failure) {
            super("the body could not be read: " + failure.getMessage(), failure);
        }
    }

    private interface Reading {
        int read() throws IOException;
    }

    TimedBody(InputStream body, Clock clock, long timeoutMillis) {
        super(body);
        this.clock = clock;
        this.timeoutMillis = timeoutMillis;
        this.deadline = clock.millis() + timeoutMillis;
    }

    private int checked(Reading reading) throws SlowBodyException, BrokenBodyException {
        int read;
        try {
            read = reading.read();
        } catch (IOException failure) {
            throw new BrokenBodyException(failure);
        }
        if (read >= 0 && clock.millis() > deadline) {
            throw new SlowBodyException(timeoutMillis);
        }
        return read;
    }

    @Override
    public int read() throws IOException {
        return checked(super::read);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        return checked(() -> super.read(target, offset, length));
    }
}

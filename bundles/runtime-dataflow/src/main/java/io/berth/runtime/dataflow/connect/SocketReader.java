package io.berth.runtime.dataflow.connect;

import io.berth.core.api.time.Clock;
import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.Counter;
import io.berth.dataflow.api.SplitReader;
import io.berth.dataflow.api.Text;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads lines from a socket, and connects again when the connection is lost. A step waits a twentieth of a second at most, also
 * while it connects, except for the name service. An interrupt ends a wait.
 */
final class SocketReader implements SplitReader<Text> {

    private static final Logger LOG = LoggerFactory.getLogger(SocketReader.class);

    private static final int WAIT_MILLIS = 50;
    private static final int CHUNK = 16 << 10;

    private final SocketSource.Settings settings;
    private final Clock clock;
    private final Counter reconnects;
    private final Text line = new Text();
    private byte[] buffer;
    private int limit;
    /** There is no line end before. */
    private int scanned;

    private @Nullable Connection connection;
    private int failures;
    private long nextMillis;
    private boolean waits;

    /** One connection, from the beginning of its making. */
    private static final class Connection {
        private final SocketChannel channel;
        private final Selector selector;
        /** When it was begun, was made, or something came last. */
        private long heardMillis;

        Connection(SocketChannel channel, Selector selector, long heardMillis) {
            this.channel = channel;
            this.selector = selector;
            this.heardMillis = heardMillis;
        }

        static Connection begin(InetSocketAddress to, long nowMillis) throws IOException {
            if (to.isUnresolved()) {
                throw new UnknownHostException(to.getHostString());
            }
            Connection made = new Connection(SocketChannel.open(), Selector.open(), nowMillis);
            try {
                made.channel.configureBlocking(false);
                made.channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
                made.channel.register(
                        made.selector, made.channel.connect(to) ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT);
            } catch (IOException | RuntimeException failure) {
                made.close();
                throw failure;
            }
            return made;
        }

        boolean isMade() {
            return channel.isConnected();
        }

        /** Waits until the channel has something to do. */
        void await() throws IOException, InterruptedException {
            selector.select(WAIT_MILLIS);
            selector.selectedKeys().clear();
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }

        /** Returns whether the connection was made now. */
        boolean finish(long nowMillis) throws IOException {
            if (!channel.finishConnect()) {
                return false;
            }
            channel.register(selector, SelectionKey.OP_READ);
            heardMillis = nowMillis;
            return true;
        }

        void close() throws IOException {
            try {
                channel.close();
            } finally {
                selector.close();
            }
        }
    }

    SocketReader(SocketSource.Settings settings, Clock clock, Counter reconnects) {
        this.settings = settings;
        this.clock = clock;
        this.reconnects = reconnects;
        this.buffer = new byte[Math.min(CHUNK, settings.lineBytes() + 2)];
    }

    @Override
    public boolean step(Collector<Text> out) throws IOException, InterruptedException {
        Connection open = connection;
        if (open == null) {
            connect();
            return true;
        }
        if (!open.isMade()) {
            finishConnecting(open);
            return true;
        }
        int read;
        try {
            read = open.channel.read(ByteBuffer.wrap(buffer, limit, buffer.length - limit));
            if (read == 0) {
                open.await();
            }
        } catch (ClosedByInterruptException canceled) {
            throw interrupted(canceled);
        } catch (IOException failure) {
            lost(failure.toString());
            return true;
        }
        if (read < 0) {
            return ended(out);
        }
        if (read > 0) {
            open.heardMillis = clock.millis();
            failures = 0;
            limit += read;
            emit(out);
        } else if (settings.idleMillis() > 0 && clock.millis() - open.heardMillis >= settings.idleMillis()) {
            lost("nothing came for " + settings.idleMillis() + " ms");
        }
        return true;
    }

    private boolean ended(Collector<Text> out) throws IOException {
        if (settings.finish()) {
            if (limit > 0) {
                // The connection may have ended between CR and LF.
                int end = buffer[limit - 1] == '\r' ? limit - 1 : limit;
                requireShort(end);
                out.collect(line.view(buffer, 0, end));
            }
            close();
            return false;
        }
        lost("the server closed the connection");
        return true;
    }

    private void connect() throws IOException, InterruptedException {
        long left = nextMillis - clock.millis();
        if (waits && left > 0) {
            LockSupport.parkNanos(Math.min(left, WAIT_MILLIS) * 1_000_000);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            return;
        }
        try {
            connection = Connection.begin(new InetSocketAddress(settings.host(), settings.port()), clock.millis());
        } catch (ClosedByInterruptException canceled) {
            throw interrupted(canceled);
        } catch (IOException failure) {
            lost(failure.toString());
        }
    }

    private void finishConnecting(Connection open) throws IOException, InterruptedException {
        try {
            open.await();
            if (open.finish(clock.millis())) {
                LOG.info("connected to {}", settings.address());
                return;
            }
        } catch (ClosedByInterruptException canceled) {
            throw interrupted(canceled);
        } catch (IOException failure) {
            lost(failure.toString());
            return;
        }
        if (clock.millis() - open.heardMillis >= settings.connectMillis()) {
            lost("no connection within " + settings.connectMillis() + " ms");
        }
    }

    /** Clears the interrupt, which the exception to throw stands for. */
    private static InterruptedException interrupted(ClosedByInterruptException canceled) {
        Thread.interrupted();
        InterruptedException thrown = new InterruptedException();
        thrown.initCause(canceled);
        return thrown;
    }

    /** A line that was begun is dropped, because its rest does not come. */
    private void lost(String cause) throws IOException {
        Connection open = connection;
        boolean wasMade = open != null && open.isMade();
        close();
        limit = 0;
        scanned = 0;
        if (wasMade) {
            reconnects.add(1);
        }
        if (failures >= settings.retries()) {
            throw new IOException("no lines from " + settings.address() + ": " + cause + " (" + (failures + 1)
                    + " failures in a row; allowed are " + settings.retries() + ", see retries of socket-source)");
        }
        long delay = failures >= 32
                ? settings.retryMaxMillis()
                : Math.min(settings.retryMaxMillis(), settings.retryMinMillis() << failures);
        failures++;
        waits = true;
        nextMillis = clock.millis() + delay;
        LOG.info(
                "{} to {}: {}; connects again in {} ms",
                wasMade ? "lost the connection" : "no connection",
                settings.address(),
                cause,
                delay);
    }

    private void emit(Collector<Text> out) throws IOException {
        int at = 0;
        for (int i = scanned; i < limit; i++) {
            if (buffer[i] == '\n') {
                int end = i > at && buffer[i - 1] == '\r' ? i - 1 : i;
                requireShort(end - at);
                out.collect(line.view(buffer, at, end - at));
                at = i + 1;
            }
        }
        System.arraycopy(buffer, at, buffer, 0, limit - at);
        limit -= at;
        scanned = limit;
        if (limit == buffer.length) {
            requireShort(limit - 1);
            buffer = Arrays.copyOf(buffer, (int) Math.min(settings.lineBytes() + 2L, buffer.length * 2L));
        }
    }

    private void requireShort(int length) throws IOException {
        if (length > settings.lineBytes()) {
            close();
            throw new IOException("a line from " + settings.address() + " is longer than " + settings.lineBytes()
                    + " bytes; raise line.bytes of socket-source, or check that the server sends lines of text");
        }
    }

    @Override
    public void close() throws IOException {
        Connection open = connection;
        connection = null;
        if (open != null) {
            open.close();
        }
    }
}

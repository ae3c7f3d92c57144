package io.berth.runtime.dataflow.connect;

import io.berth.core.api.time.Clock;
import io.berth.dataflow.api.Counter;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.Source;
import io.berth.dataflow.api.SplitReader;
import io.berth.dataflow.api.Text;
import java.util.List;

/** Lines of one TCP connection at a time. It has one split, which does not end unless the server does. */
final class SocketSource implements Source<Text> {

    private final Settings settings;
    private final Clock clock;
    private Counter reconnects = amount -> {};

    /**
     * Where to read, and for how long to wait.
     *
     * @param finish whether the source ends when the server closes the connection
     * @param idleMillis 0 for no limit
     * @param retries failures in a row before the task fails
     */
    record Settings(
            String host,
            int port,
            int lineBytes,
            boolean finish,
            int connectMillis,
            long idleMillis,
            long retryMinMillis,
            long retryMaxMillis,
            int retries) {

        String address() {
            return host + ":" + port;
        }
    }

    SocketSource(Settings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
    }

    @Override
    public void open(OperatorContext context) {
        reconnects = context.counter("reconnects");
    }

    @Override
    public List<byte[]> enumerateSplits() {
        return List.of(new byte[] {1});
    }

    @Override
    public boolean asksAhead() {
        return false;
    }

    @Override
    public SplitReader<Text> read(byte[] split) {
        return new SocketReader(settings, clock, reconnects);
    }
}

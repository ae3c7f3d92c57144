package io.berth.runtime.dataflow.connect;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Operator;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;
import io.berth.dataflow.api.Text;
import java.util.Optional;
import org.osgi.service.component.annotations.Component;

/**
 * {@code socket-source}: lines that a server sends over TCP, as {@link Text}. One subtask reads them; the others have nothing to do.
 * What the server sent before a failure is not sent again by TCP, so lines may be lost.
 * <ul>
 * <li>{@code host}, {@code port}: the server
 * <li>{@code line.bytes}: maximum length of a line, default 64 KiB
 * <li>{@code end}: what to do when the server closes the connection: {@code reconnect} (default) or {@code finish}
 * <li>{@code connect.timeout.ms}: how long connecting may take, default 5000
 * <li>{@code idle.timeout.ms}: a connection on which nothing comes for so long is given up, default 0: it may be silent for ever
 * <li>{@code retry.min.ms}, {@code retry.max.ms}: how long to wait before connecting again, the first time and at most; it doubles
 * each time. Default 100 and 10000
 * <li>{@code retries}: after so many failures in a row the task fails, default 20
 * </ul>
 */
@Component(service = OperatorFactory.class)
@Operator("socket-source")
public final class SocketSourceFactory implements OperatorFactory<Void, Text> {

    private static final long YEAR_MILLIS = 31_536_000_000L;

    private final Clock clock;

    public SocketSourceFactory() {
        this(new SystemClock());
    }

    SocketSourceFactory(Clock clock) {
        this.clock = clock;
    }

    @Override
    public SocketSource create(Configuration configuration) {
        String host = configuration.text("host");
        int port = (int) configuration.number("port", 0, 1, 65_535);
        if (port == 0) {
            throw configuration.refused("port", "a whole number from 1 to 65535");
        }
        long least = configuration.number("retry.min.ms", 100, 1, 3_600_000);
        long most = configuration.number("retry.max.ms", Math.max(10_000, least), 1, 3_600_000);
        if (most < least) {
            throw configuration.refused("retry.max.ms", "at least retry.min.ms, " + least);
        }
        return new SocketSource(
                new SocketSource.Settings(
                        host,
                        port,
                        (int) configuration.number("line.bytes", 64 << 10, 16, 1 << 30),
                        configuration.choice("end", "reconnect", "finish").equals("finish"),
                        (int) configuration.number("connect.timeout.ms", 5_000, 1, 60_000),
                        configuration.number("idle.timeout.ms", 0, 0, YEAR_MILLIS),
                        least,
                        most,
                        (int) configuration.number("retries", 20, 0, Integer.MAX_VALUE)),
                clock);
    }

    @Override
    public Optional<Serializer<Text>> outputSerializer(Configuration configuration) {
        return Optional.of(Serializers.text());
    }
}

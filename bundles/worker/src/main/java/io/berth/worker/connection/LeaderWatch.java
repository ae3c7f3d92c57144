package io.berth.worker.connection;

import io.berth.core.api.role.LeaderFile;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.time.Timers;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls the file in which the ResourceManager of this machine writes its address, ten times a second, and reports each
 * change. Reads on an executor of its own. Thread-safe.
 */
public final class LeaderWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderWatch.class);
    private static final long INTERVAL_MILLIS = 100;

    private final LeaderFile file;
    private final Timers timers;
    private final Executor files;
    private final Consumer<EndpointRef> changed;
    private volatile boolean closed;
    /** Confined to the executor. */
    private Optional<EndpointRef> known = Optional.empty();

    private boolean troubled;

    /** @param changed receives the leader, on the executor */
    public LeaderWatch(LeaderFile file, Timers timers, Executor files, Consumer<EndpointRef> changed) {
        this.file = file;
        this.timers = timers;
        this.files = files;
        this.changed = changed;
    }

    /** Starts to poll. */
    public void start() {
        if (!closed) {
            files.execute(this::look);
        }
    }

    private void look() {
        timers.schedule(INTERVAL_MILLIS, this::start);
        try {
            Optional<EndpointRef> now = file.read();
            troubled = false;
            if (now.isPresent() && !now.equals(known)) {
                known = now;
                changed.accept(now.get());
            }
        } catch (IOException failure) {
            if (!troubled) {
                LOG.info("who leads cannot be read from {}: {}", file.path(), failure.toString());
            }
            troubled = true;
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}

package io.berth.runtime.dataflow.exchange;

import io.berth.core.api.task.RuntimeSettings;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.berth.runtime.dataflow.exchange.result.ResultSettings;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Sizes and deadlines of the exchange.
 *
 * @param networkMemoryBytes memory of the buffer pool
 * @param buffersPerChannel buffers that each end of a channel leases if the pool has them. A producer holds at most
 *     this number times {@link NetworkBuffer#CAPACITY} bytes for one channel
 * @param producerWaitMillis how long a consumer waits for a producer that has not started
 * @param connectMillis deadline of connecting and of the handshake
 * @param keepAliveMillis a silent peer is pinged after this time and given up after three times this time
 * @param results where stored results are, and their limits
 */
public record ExchangeSettings(
        long networkMemoryBytes,
        int buffersPerChannel,
        int producerWaitMillis,
        int connectMillis,
        int keepAliveMillis,
        ResultSettings results) {

    /** With the default limits for results, in a temporary folder. */
    public ExchangeSettings(
            long networkMemoryBytes,
            int buffersPerChannel,
            int producerWaitMillis,
            int connectMillis,
            int keepAliveMillis) {
        this(
                networkMemoryBytes,
                buffersPerChannel,
                producerWaitMillis,
                connectMillis,
                keepAliveMillis,
                ResultSettings.of(Optional.empty(), RuntimeSettings.DEFAULTS));
    }

    /** Stored results are in a temporary folder. */
    public static ExchangeSettings of(RuntimeSettings settings) {
        return of(settings, Optional.empty());
    }

    /** @param results folder for stored results; empty: a temporary one */
    public static ExchangeSettings of(RuntimeSettings settings, Optional<Path> results) {
        return new ExchangeSettings(
                settings.get(RuntimeSettings.NETWORK_MEMORY_BYTES),
                (int) settings.get(RuntimeSettings.CHANNEL_BUFFERS),
                (int) settings.get(RuntimeSettings.PRODUCER_WAIT_MILLIS),
                (int) settings.get(RuntimeSettings.CONNECT_TIMEOUT_MILLIS),
                (int) settings.get(RuntimeSettings.KEEPALIVE_MILLIS),
                ResultSettings.of(results, settings));
    }
}

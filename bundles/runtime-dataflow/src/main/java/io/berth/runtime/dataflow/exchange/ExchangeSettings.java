package io.berth.runtime.dataflow.exchange;

import io.berth.runtime.dataflow.exchange.buffer.BufferPool;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;

/**
 * Sizes and deadlines of the exchange.
 *
 * @param networkMemoryBytes memory of the buffer pool
 * @param buffersPerChannel buffers that each end of a channel leases if the pool has them. A producer holds at most
 *     this number times {@link NetworkBuffer#CAPACITY} bytes for one channel
 * @param producerWaitMillis how long a consumer waits for a producer that has not started
 * @param connectMillis deadline of connecting and of the handshake
 * @param keepAliveMillis a silent peer is pinged after this time and given up after three times this time
 */
public record ExchangeSettings(
        long networkMemoryBytes,
        int buffersPerChannel,
        int producerWaitMillis,
        int connectMillis,
        int keepAliveMillis) {

    /** Rejects invalid values. */
    public ExchangeSettings {
        if (buffersPerChannel < BufferPool.MIN_BUFFERS || buffersPerChannel > 1024) {
            throw new IllegalArgumentException("exchange.channel.buffers is " + buffersPerChannel + "; allowed: "
                    + BufferPool.MIN_BUFFERS + " to 1024");
        }
        if (producerWaitMillis <= 0 || connectMillis <= 0 || keepAliveMillis <= 0) {
            throw new IllegalArgumentException("deadlines of the exchange are " + producerWaitMillis + ", "
                    + connectMillis + " and " + keepAliveMillis + " ms; allowed: more than 0");
        }
    }

    /** The documented defaults. */
    public static ExchangeSettings defaults() {
        return new ExchangeSettings(128L << 20, 8, 30_000, 10_000, 10_000);
    }
}

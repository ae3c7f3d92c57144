package io.berth.runtime.dataflow.exchange.input;

import io.berth.core.api.task.PartitionId;
import java.util.Optional;

/**
 * The data of another task is not available: the task or the connection to it is lost. The message names partition and
 * peer.
 */
public final class ExchangeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Optional<PartitionId> lost;

    ExchangeException(String message, Optional<PartitionId> lost) {
        super(message);
        this.lost = lost;
    }

    /** The stored partition that is gone or cannot be read; empty when a running producer is lost. */
    public Optional<PartitionId> lost() {
        return lost;
    }
}

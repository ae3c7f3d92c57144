package io.berth.backend.local;

import io.berth.spi.WorkerId;
import java.util.concurrent.CompletableFuture;

/** One worker process. Confined to the thread of the backend. */
final class LocalWorker {

    final WorkerId id;
    final ProcessHandle process;
    final ProcessRecord record;
    final WorkerLog log;
    /** Completes when the end of the process was noticed and reported. */
    final CompletableFuture<Void> gone = new CompletableFuture<>();

    private boolean stopping;
    private boolean stable;

    LocalWorker(WorkerId id, ProcessHandle process, ProcessRecord record, WorkerLog log) {
        this.id = id;
        this.process = process;
        this.record = record;
        this.log = log;
    }

    /** Whether it was asked to end. */
    boolean stopping() {
        return stopping;
    }

    void stop() {
        stopping = true;
    }

    /** Whether it ran long enough that its end is not a failed start. */
    boolean stable() {
        return stable;
    }

    void becomeStable() {
        stable = true;
    }
}

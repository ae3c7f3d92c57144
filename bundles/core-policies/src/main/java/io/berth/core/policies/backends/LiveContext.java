package io.berth.core.policies.backends;

import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.text.PlainText;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.BackendContext;
import io.berth.spi.backend.WorkerSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The context of one backend. After the backend has ended, its reports are counted, logged once and ignored.
 * Thread-safe; never blocks.
 */
final class LiveContext implements BackendContext {

    private static final Logger LOG = LoggerFactory.getLogger(LiveContext.class);

    private final PolicyCandidate candidate;
    private final BackendContext owner;
    private final AtomicLong ignored = new AtomicLong();
    private volatile boolean ended;
    private volatile boolean workersStay;

    LiveContext(PolicyCandidate candidate, BackendContext owner) {
        this.candidate = candidate;
        this.owner = owner;
    }

    /** Another backend may take over the workers: they keep running when this one is closed. */
    void keepWorkers() {
        workersStay = true;
    }

    /** The backend has ended. */
    void end() {
        ended = true;
    }

    /** Number of reports after the end. */
    long ignored() {
        return ignored.get();
    }

    @Override
    public List<String> launchCommand(WorkerId worker, WorkerSpec spec) {
        return owner.launchCommand(worker, spec);
    }

    @Override
    public Path directory() {
        return owner.directory();
    }

    @Override
    public String workerIdPrefix() {
        return owner.workerIdPrefix();
    }

    @Override
    public boolean workersStay() {
        return workersStay || owner.workersStay();
    }

    @Override
    public void started(WorkerId worker, WorkerSpec spec) {
        if (lives("that worker " + worker + " started")) {
            owner.started(worker, spec);
        }
    }

    @Override
    public void recovered() {
        if (lives("that it has reported all previous workers")) {
            owner.recovered();
        }
    }

    @Override
    public void ended(WorkerId worker, String diagnostics) {
        if (lives("that worker " + worker + " ended")) {
            owner.ended(worker, PlainText.cut(diagnostics));
        }
    }

    @Override
    public void startFailed(WorkerSpec spec, String diagnostics) {
        if (lives("that a start failed")) {
            owner.startFailed(spec, PlainText.cut(diagnostics));
        }
    }

    private boolean lives(String what) {
        if (!ended) {
            return true;
        }
        if (ignored.incrementAndGet() == 1) {
            LOG.warn("{} has ended and still reports {}: this and later reports are ignored", candidate, what);
        }
        return false;
    }
}

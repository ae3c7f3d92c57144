package io.berth.simulator.oracle;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.ResourceManagerGateway.JobMasterRegistration;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.simulator.gateway.CalledTaskExecutor;
import io.berth.simulator.gateway.ObservedResourceManager;
import io.berth.simulator.gateway.WatchedJobMaster;
import io.berth.simulator.time.Incarnation;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Checks that a ResourceManager requests no slot for JobMasters that it has given up (invariant P2). Without
 * retention, their requirements became zero at that moment.
 */
final class LostJobMasters implements ObservedResourceManager.Listener, CalledTaskExecutor.Caller {

    private final Incarnation process;
    private final Ledger ledger;
    private final SortedSet<FencingToken> lost = new TreeSet<>();

    LostJobMasters(Incarnation process, Ledger ledger) {
        this.process = process;
        this.ledger = ledger;
    }

    /** A JobMaster as the ResourceManager calls it: it is notified that it was given up. */
    WatchedJobMaster.Watcher jobMaster(FencingToken token) {
        return new WatchedJobMaster.Watcher() {
            @Override
            public void losesResourceManager() {
                lost.add(token);
            }
        };
    }

    @Override
    public void registers(JobMasterRegistration registration) {
        lost.remove(registration.jobMaster().token());
    }

    @Override
    public void requesting(SlotRequests requests) {
        for (SlotRequest request : requests.requests()) {
            if (lost.contains(request.jobMaster().token())) {
                ledger.broken("P2: the ResourceManager on " + process + " requests " + request
                        + " for a JobMaster that it has given up");
            }
        }
    }
}

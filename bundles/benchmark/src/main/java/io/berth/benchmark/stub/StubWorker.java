package io.berth.benchmark.stub;

import io.berth.benchmark.workload.Workload;
import io.berth.core.api.FencingToken;
import io.berth.core.api.InstanceId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerRegistration;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway.JobMasterChange;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequestAnswer;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequestAnswers;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntConsumer;

/**
 * A worker that grants each requested slot at once, in the caller's thread, and keeps what it granted. Objects that it
 * creates for its answers are part of the cost of a request, as for a real worker.
 */
final class StubWorker {

    private final WorkerId id;
    private final WorkerSessionId session;
    private final EndpointRef endpoint;
    private final Workload workload;
    private final IntConsumer acknowledged;
    /** By call. */
    private final List<List<SlotRequest>> held = new ArrayList<>();
    /** How many of them, from the first on, were reported to the ResourceManager. */
    private int reported;

    private volatile InstanceId instance = new InstanceId(0);

    /** @param acknowledged receives the number of slots of each call */
    StubWorker(int number, Workload workload, IntConsumer acknowledged) {
        this.id = new WorkerId("worker-" + number);
        this.session = new WorkerSessionId(new FencingToken(1, new UUID(1, number)));
        this.endpoint = new EndpointRef(StubRpc.ADDRESS, EndpointName.worker(id), session.token());
        this.workload = workload;
        this.acknowledged = acknowledged;
    }

    FencingToken token() {
        return session.token();
    }

    /** Includes all slots that it has. */
    synchronized WorkerRegistration registration() {
        SlotReport slots = ReportedSlots.of(held.stream().flatMap(List::stream));
        reported = slots.slots().size();
        return new WorkerRegistration(
                id,
                session,
                endpoint,
                "127.0.0.1:1",
                workload.worker(),
                workload.slotsOfWorker(),
                "standalone",
                "",
                WorkerLabels.NONE,
                slots);
    }

    void registeredAs(InstanceId accepted) {
        instance = accepted;
    }

    InstanceId instance() {
        return instance;
    }

    /** Forgets its slots. */
    synchronized void forget() {
        held.clear();
        reported = 0;
    }

    synchronized boolean hasReportedSlot() {
        return reported > 0;
    }

    /** Ends the slot that was requested first and that it has reported. */
    synchronized SlotRequest end() {
        reported--;
        List<SlotRequest> first = held.remove(0);
        if (first.size() > 1) {
            held.add(0, first.subList(1, first.size()));
        }
        return first.get(0);
    }

    public CompletionStage<SlotRequestAnswers> requestSlots(SlotRequests requests) {
        List<SlotRequest> asked = requests.requests();
        SlotRequestAnswer[] answers = new SlotRequestAnswer[asked.size()];
        for (int slot = 0; slot < answers.length; slot++) {
            answers[slot] = new SlotRequestAnswer(asked.get(slot).allocation(), "");
        }
        if (!asked.isEmpty()) {
            synchronized (this) {
                held.add(asked);
            }
        }
        acknowledged.accept(answers.length);
        return CompletableFuture.completedFuture(new SlotRequestAnswers(List.of(answers)));
    }

    public synchronized CompletionStage<SlotReport> heartbeatFromResourceManager(ResourceManagerId resourceManager) {
        return CompletableFuture.completedFuture(registration().slots());
    }

    public CompletionStage<Acknowledge> disconnectResourceManager(ResourceManagerId resourceManager, String cause) {
        return acknowledge();
    }

    public CompletionStage<Acknowledge> jobMasterChanged(JobMasterChange change) {
        return acknowledge();
    }

    public CompletionStage<Boolean> exit(ResourceManagerId resourceManager, boolean force, String cause) {
        return CompletableFuture.completedFuture(force);
    }

    private static CompletionStage<Acknowledge> acknowledge() {
        return CompletableFuture.completedFuture(Acknowledge.ACKNOWLEDGE);
    }
}

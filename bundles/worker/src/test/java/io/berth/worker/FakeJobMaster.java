package io.berth.worker;

import io.berth.core.api.InstanceId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.JobMasterGateway.AcceptedSlots;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffer;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffers;
import io.berth.core.api.gateway.JobMasterGateway.TaskUpdate;
import io.berth.core.api.gateway.JobMasterGateway.WorkerAtJob;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.SplitPart;
import io.berth.core.api.task.TaskContext.SplitAnswer;
import io.berth.core.api.task.TaskState;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records the calls of a worker. It accepts all offers; if {@code holdOffers} is set, the test answers them. */
public final class FakeJobMaster {

    final List<WorkerAtJob> registrations = new CopyOnWriteArrayList<>();
    public final List<SplitPart> parts = new CopyOnWriteArrayList<>();
    final List<SlotOffers> offers = new CopyOnWriteArrayList<>();
    final List<CompletableFuture<AcceptedSlots>> held = new CopyOnWriteArrayList<>();
    final List<AllocationId> failed = new CopyOnWriteArrayList<>();
    final List<TaskUpdate> updates = new CopyOnWriteArrayList<>();
    final Queue<RuntimeException> updateFailures = new ArrayDeque<>();
    private volatile Optional<Queue<byte[]>> reported = Optional.empty();
    public final List<Long> splitQuestions = new CopyOnWriteArrayList<>();
    /** If set, the answer to each request for a split. */
    public volatile Optional<CompletionStage<SplitAnswer>> splitAnswer = Optional.empty();
    /** The InstanceId of the next registration that is accepted. */
    long instance = 1;

    boolean holdOffers;
    boolean unreachable;
    CompletionStage<RegistrationResponse> answer =
            CompletableFuture.completedStage(new RegistrationResponse.Accepted(new InstanceId(0), 2_000, 10_000));

    List<TaskState> states() {
        return updates.stream().map(TaskUpdate::state).toList();
    }

    private <T> CompletionStage<T> reply(CompletionStage<T> value) {
        return unreachable
                ? CompletableFuture.failedStage(new RpcException(RpcException.Kind.UNREACHABLE, "no such host"))
                : value;
    }

    public CompletionStage<RegistrationResponse> registerWorker(WorkerAtJob worker) {
        registrations.add(worker);
        return reply(answer.thenApply(this::asInstance));
    }

    private RegistrationResponse asInstance(RegistrationResponse response) {
        return response instanceof RegistrationResponse.Accepted accepted
                ? new RegistrationResponse.Accepted(
                        new InstanceId(instance), accepted.heartbeatIntervalMillis(), accepted.heartbeatTimeoutMillis())
                : response;
    }

    public CompletionStage<AcceptedSlots> offerSlots(SlotOffers slots) {
        offers.add(slots);
        if (holdOffers) {
            CompletableFuture<AcceptedSlots> later = new CompletableFuture<>();
            held.add(later);
            return later;
        }
        return reply(CompletableFuture.completedStage(new AcceptedSlots(
                slots.offers().stream().map(SlotOffer::allocation).toList())));
    }

    public CompletionStage<Acknowledge> failSlot(
            WorkerId worker, WorkerSessionId session, AllocationId allocation, String cause) {
        failed.add(allocation);
        return done();
    }

    public CompletionStage<Acknowledge> updateTask(TaskUpdate update) {
        RuntimeException failure = updateFailures.poll();
        if (failure != null) {
            return CompletableFuture.failedStage(failure);
        }
        updates.add(update);
        return done();
    }

    public CompletionStage<Acknowledge> reportSplits(AttemptId attempt, String vertex, SplitPart part) {
        parts.add(part);
        if (part.from() == 0) {
            reported = Optional.of(new ConcurrentLinkedQueue<>());
        }
        reported.orElseThrow().addAll(part.splits());
        return done();
    }

    public CompletionStage<SplitAnswer> nextSplit(AttemptId attempt, String vertex, long number) {
        splitQuestions.add(number);
        if (splitAnswer.isPresent()) {
            return splitAnswer.get();
        }
        return CompletableFuture.completedStage(reported.<SplitAnswer>map(splits -> Optional.ofNullable(splits.poll())
                        .<SplitAnswer>map(SplitAnswer.Assigned::new)
                        .orElseGet(SplitAnswer.Exhausted::new))
                .orElseGet(SplitAnswer.NotYet::new));
    }

    private static CompletionStage<Acknowledge> done() {
        return CompletableFuture.completedStage(Acknowledge.ACKNOWLEDGE);
    }
}

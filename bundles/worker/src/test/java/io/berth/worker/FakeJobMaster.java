package io.berth.worker;

import io.berth.core.api.InstanceId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.job.JobDetails;
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

/** Remembers what a worker tells it; offers are answered by the test when {@code holdOffers}, else accepted. */
public final class FakeJobMaster implements JobMasterGateway {

    final List<WorkerAtJob> registrations = new CopyOnWriteArrayList<>();
    public final List<SplitPart> parts = new CopyOnWriteArrayList<>();
    final List<SlotOffers> offers = new CopyOnWriteArrayList<>();
    final List<CompletableFuture<AcceptedSlots>> held = new CopyOnWriteArrayList<>();
    final List<AllocationId> failed = new CopyOnWriteArrayList<>();
    final List<TaskUpdate> updates = new CopyOnWriteArrayList<>();
    final Queue<RuntimeException> updateFailures = new ArrayDeque<>();
    private volatile Optional<Queue<byte[]>> reported = Optional.empty();
    public final List<Long> splitQuestions = new CopyOnWriteArrayList<>();
    /** When set, the answer to each question for a split. */
    public volatile Optional<CompletionStage<SplitAnswer>> splitAnswer = Optional.empty();
    /** Of the next registration that is accepted. */
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

    @Override
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

    @Override
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

    @Override
    public CompletionStage<Acknowledge> failSlot(
            WorkerId worker, WorkerSessionId session, AllocationId allocation, String cause) {
        failed.add(allocation);
        return done();
    }

    @Override
    public CompletionStage<Acknowledge> updateTask(TaskUpdate update) {
        RuntimeException failure = updateFailures.poll();
        if (failure != null) {
            return CompletableFuture.failedStage(failure);
        }
        updates.add(update);
        return done();
    }

    @Override
    public CompletionStage<Acknowledge> reportSplits(AttemptId attempt, String vertex, SplitPart part) {
        parts.add(part);
        if (part.from() == 0) {
            reported = Optional.of(new ConcurrentLinkedQueue<>());
        }
        reported.orElseThrow().addAll(part.splits());
        return done();
    }

    @Override
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

    @Override
    public CompletionStage<Acknowledge> heartbeatFromResourceManager(ResourceManagerId resourceManager) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Acknowledge> notEnoughResources(NotEnoughResources notice) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<List<AllocationId>> requestSlotReturn(
            ResourceManagerId resourceManager, List<AllocationId> allocations, String cause) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Acknowledge> disconnectWorker(
            ResourceManagerId resourceManager, WorkerId worker, WorkerSessionId session, String cause) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Acknowledge> blockWorkers(
            ResourceManagerId resourceManager, long number, List<WorkerId> workers) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Acknowledge> disconnectResourceManager(ResourceManagerId resourceManager, String cause) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<JobDetails> details() {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Acknowledge> cancel(String cause) {
        throw new UnsupportedOperationException();
    }

    private static CompletionStage<Acknowledge> done() {
        return CompletableFuture.completedStage(Acknowledge.ACKNOWLEDGE);
    }
}

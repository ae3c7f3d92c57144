package io.berth.simulator.gateway;

import io.berth.core.api.FencingToken;
import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequestAnswers;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotsToFree;
import io.berth.core.api.gateway.WorkerLeaves;
import io.berth.core.api.job.WorkerLabels;
import io.berth.spi.JobId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The gateway through which a ResourceManager or a JobMaster calls a worker, with an observer of what happens to the
 * worker's slots.
 */
public final class CalledTaskExecutor {

    /** Observes the calls. */
    public interface Caller {

        /** Slots are being requested. */
        default void requesting(SlotRequests requests) {}

        /** The request has its outcome. */
        default void answered() {}

        /** A report has arrived; the observer passes it on to {@code report}. */
        default void reported(CompletableFuture<SlotReport> report, SlotReport slots) {
            report.complete(slots);
        }

        /** The ResourceManager knows since this turn that the worker leaves, or stays, or has other labels. */
        default void telling() {}

        /** The worker has answered that. What follows from it has reached the main thread, which may not have run it yet. */
        default void told() {}

        /** Slots are being returned. */
        default void freeing(SlotsToFree slots) {}

        /** The JobMaster releases the worker. */
        default void releasing(FencingToken jobMaster) {}
    }

    private final TaskExecutorGateway worker;
    private final Caller caller;

    private CalledTaskExecutor(TaskExecutorGateway worker, Caller caller) {
        this.worker = worker;
        this.caller = caller;
    }

    public static TaskExecutorGateway of(TaskExecutorGateway worker, Caller caller) {
        return PartialGateway.over(TaskExecutorGateway.class, worker, new CalledTaskExecutor(worker, caller));
    }

    public CompletionStage<SlotRequestAnswers> requestSlots(SlotRequests requests) {
        caller.requesting(requests);
        return worker.requestSlots(requests).whenComplete((answers, failure) -> caller.answered());
    }

    public CompletionStage<SlotReport> heartbeatFromResourceManager(ResourceManagerId from) {
        CompletableFuture<SlotReport> report = new CompletableFuture<>();
        worker.heartbeatFromResourceManager(from).whenComplete((slots, failure) -> {
            if (failure == null) {
                caller.reported(report, slots);
            } else {
                report.completeExceptionally(failure);
            }
        });
        return report;
    }

    public CompletionStage<Acknowledge> leave(ResourceManagerId from, long number, WorkerLeaves leaving) {
        return telling(() -> worker.leave(from, number, leaving));
    }

    public CompletionStage<Acknowledge> relabel(ResourceManagerId from, long number, WorkerLabels labels) {
        return telling(() -> worker.relabel(from, number, labels));
    }

    private CompletionStage<Acknowledge> telling(Supplier<CompletionStage<Acknowledge>> call) {
        caller.telling();
        CompletableFuture<Acknowledge> answer = new CompletableFuture<>();
        call.get().whenComplete((done, failure) -> {
            if (failure == null) {
                answer.complete(done);
            } else {
                answer.completeExceptionally(failure);
            }
            caller.told();
        });
        return answer;
    }

    public CompletionStage<Acknowledge> freeSlots(SlotsToFree slots) {
        caller.freeing(slots);
        return worker.freeSlots(slots);
    }

    public CompletionStage<Acknowledge> disconnectJobMaster(
            JobId job, JobMasterId jobMaster, InstanceId registration, boolean terminal, String cause) {
        caller.releasing(jobMaster.token());
        return worker.disconnectJobMaster(job, jobMaster, registration, terminal, cause);
    }
}

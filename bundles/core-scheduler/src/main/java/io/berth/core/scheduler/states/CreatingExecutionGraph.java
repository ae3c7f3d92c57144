package io.berth.core.scheduler.states;

import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.policy.ScalingAdvisor.Feasible;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.scheduler.execution.ExecutionGraph;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** The parallelism is decided for the present slots, slots are reserved and the execution graph is built. */
public final class CreatingExecutionGraph implements State {

    public interface Context {
        void decide(State asking, Consumer<ScalingOutcome> handler);

        void declare(ScalingOutcome.Decided decision);

        /** The parallelism, or the highest lower one that the network memory allows now. */
        Feasible feasible(List<Integer> parallelism);

        /** Reserves the slots and builds the graph; empty when slots were lost meanwhile. */
        Optional<ExecutionGraph> createExecution(List<Integer> parallelism);

        void goToExecuting(ExecutionGraph execution, String bound, OptionalLong reviewAfterMillis);

        void goToWaitingForResources(Optional<Reason> obstacle);

        void goToFinished(JobStatus outcome, String reason);
    }

    private final Context context;

    public CreatingExecutionGraph(Context context) {
        this.context = context;
    }

    @Override
    public JobStatus status() {
        return JobStatus.CREATING_EXECUTION_GRAPH;
    }

    @Override
    public String reason() {
        return "";
    }

    @Override
    public Optional<Reason> why() {
        return Optional.of(Reason.of(
                ReasonCode.DECIDING,
                "the scaling policy is asked what is desired, to find the parallelism for the slots there are"));
    }

    @Override
    public void enter() {
        context.decide(this, outcome -> {
            if (outcome instanceof ScalingOutcome.Decided decision) {
                context.declare(decision);
                create(decision);
            } else if (outcome instanceof ScalingOutcome.NotDecided not) {
                context.goToWaitingForResources(Optional.of(not.why()));
            }
        });
    }

    private void create(ScalingOutcome.Decided decision) {
        // The slots or workers may have changed since the decision.
        Feasible feasible =
                decision.feasible().parallelism().map(context::feasible).orElse(decision.feasible());
        if (feasible.parallelism().isEmpty()) {
            context.goToWaitingForResources(Optional.of(Reason.of(
                    ReasonCode.NOT_FEASIBLE,
                    feasible.bound().isEmpty()
                            ? "the slots there are do not suffice for the minimum of each vertex"
                            : feasible.bound(),
                    decision.reason().isEmpty()
                            ? List.of()
                            : List.of(Reason.of(ReasonCode.POLICY, decision.reason())))));
            return;
        }
        Optional<ExecutionGraph> execution =
                context.createExecution(feasible.parallelism().get());
        if (execution.isPresent()) {
            String bound = feasible.bound().isEmpty() ? decision.feasible().bound() : feasible.bound();
            context.goToExecuting(execution.get(), bound, decision.reviewAfterMillis());
        } else {
            context.goToWaitingForResources(
                    Optional.of(Reason.of(ReasonCode.SLOTS_LOST, "slots were lost before the job could start")));
        }
    }

    @Override
    public void cancel(String cause) {
        context.goToFinished(JobStatus.CANCELED, cause);
    }
}

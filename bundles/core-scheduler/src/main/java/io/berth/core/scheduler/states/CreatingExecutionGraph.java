package io.berth.core.scheduler.states;

import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.scheduler.execution.ExecutionGraph;
import io.berth.core.scheduler.execution.NetworkMemory.Feasible;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The parallelism is decided for the present slots, slots are reserved and the execution graph is built. */
public final class CreatingExecutionGraph implements State {

    public interface Context {
        void decide(State asking, Consumer<ScalingOutcome> handler);

        void declare(ScalingOutcome.Decided decision);

        /** The parallelism that can run: forward edges have equal ends, and the network memory suffices. */
        Feasible feasible(List<Integer> planned);

        /** Reserves the slots and builds the graph; empty when slots were lost meanwhile. */
        Optional<ExecutionGraph> createExecution(List<Integer> parallelism);

        void goToExecuting(ExecutionGraph execution, String bound);

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
        return Optional.of(
                Reason.of(ReasonCode.DECIDING, "the scaling policy decides the parallelism for the slots there are"));
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
        Feasible feasible = context.feasible(decision.planned());
        if (feasible.parallelism().isEmpty()) {
            context.goToWaitingForResources(Optional.of(Reason.of(
                    ReasonCode.NOT_FEASIBLE,
                    feasible.bound().isEmpty()
                            ? "the scaling policy plans no execution with the slots there are"
                            : feasible.bound(),
                    decision.reason().isEmpty()
                            ? List.of()
                            : List.of(Reason.of(ReasonCode.POLICY, decision.reason())))));
            return;
        }
        Optional<ExecutionGraph> execution =
                context.createExecution(feasible.parallelism().get());
        if (execution.isPresent()) {
            context.goToExecuting(execution.get(), feasible.bound());
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

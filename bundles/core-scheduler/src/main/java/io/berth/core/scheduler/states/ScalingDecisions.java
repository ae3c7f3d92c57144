package io.berth.core.scheduler.states;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobMeasures;
import io.berth.core.api.policy.ScalingAdvisor;
import io.berth.core.api.policy.ScalingAdvisor.Limit;
import io.berth.core.api.policy.ScalingAdvisor.ScalingInput;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.time.MainThread;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Asks the scaling advisor one question at a time; of the waiting questions only the newest is asked. Confined to the
 * main thread of the job.
 */
public final class ScalingDecisions {

    /**
     * The state of a job.
     *
     * @param current parallelism of each vertex; zeros when it does not run
     * @param slots of each group
     * @param limit what bounds the parallelism beside the slots
     * @param stopped what was known of the last tasks when they stopped
     */
    public record JobState(
            List<Integer> current, List<Integer> slots, Limit limit, JobMeasures measures, JobMeasures.Means stopped) {}

    private record Question(JobState state, Consumer<ScalingOutcome> handler) {}

    private final MainThread thread;
    private final Function<Runnable, ScalingAdvisor> opener;
    private Optional<ScalingAdvisor> advisor = Optional.empty();
    private Optional<Question> waiting = Optional.empty();
    private boolean asking;
    /** Whether the job has changed since the question was asked. */
    private boolean overtaken;

    private long stateNumber;

    /** @param opener opens the advisor; receives the action that runs, on any thread, when another policy decides */
    public ScalingDecisions(MainThread thread, Function<Runnable, ScalingAdvisor> opener) {
        this.thread = thread;
        this.opener = opener;
    }

    /** @param policiesChanged runs when another policy decides */
    public void open(Runnable policiesChanged) {
        advisor = Optional.of(opener.apply(() -> thread.execute(policiesChanged)));
    }

    /** The bounds of the job changed. A question that has no answer yet is asked again, unless a newer one waits. */
    public void changed(JobGraph job) {
        advisor.ifPresent(open -> open.changed(job));
        overtaken = asking;
    }

    public void decide(JobState state, Consumer<ScalingOutcome> handler) {
        waiting = Optional.of(new Question(state, handler));
        askNext();
    }

    private void askNext() {
        if (asking || waiting.isEmpty() || advisor.isEmpty()) {
            return;
        }
        Question question = waiting.get();
        waiting = Optional.empty();
        asking = true;
        JobState state = question.state();
        thread.whenComplete(
                advisor.get()
                        .decide(new ScalingInput(
                                ++stateNumber,
                                state.current(),
                                state.slots(),
                                state.limit(),
                                state.measures(),
                                state.stopped())),
                (outcome, failure) -> {
                    asking = false;
                    if (overtaken) {
                        overtaken = false;
                        waiting = waiting.or(() -> Optional.of(question));
                    } else {
                        question.handler()
                                .accept(
                                        failure == null
                                                ? outcome
                                                : new ScalingOutcome.NotDecided(
                                                        "the scaling decision failed: " + Failures.text(failure)));
                    }
                    askNext();
                });
    }

    public void close() {
        waiting = Optional.empty();
        Optional<ScalingAdvisor> open = advisor;
        advisor = Optional.empty();
        open.ifPresent(ScalingAdvisor::close);
    }
}

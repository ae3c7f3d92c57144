package io.berth.core.scheduler.measurement;

import io.berth.core.api.job.JobEvents;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobRescale;
import io.berth.core.api.job.JobRescale.Change;
import io.berth.core.api.job.JobRescale.Kind;
import io.berth.core.api.job.JobRescale.Outcome;
import io.berth.core.api.job.JobRescale.Phase;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.time.Clock;
import io.berth.core.scheduler.execution.ExecutionGraph;
import io.berth.spi.AllocationId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The latest rescales of a job, and how long it was in each state meanwhile: from the moment when its tasks are stopped
 * until all tasks of a later execution run. A failure in between is part of it. A failure begins one too, which counts
 * only if the job runs at another parallelism afterward. Confined to the main thread of the job.
 */
public final class RescaleLog {

    /** Of a rescale that has not ended. */
    private static final class Open {

        private final Kind kind;
        private final String trigger;
        private final String policy;
        private final ExecutionGraph stopped;
        private final long startedWallMillis;
        private final Map<JobStatus, Long> phases = new LinkedHashMap<>();
        private JobStatus status = JobStatus.RESTARTING;
        private long enteredMillis;

        Open(Kind kind, String trigger, String policy, ExecutionGraph stopped, Clock clock) {
            this.kind = kind;
            this.trigger = trigger;
            this.policy = policy;
            this.stopped = stopped;
            this.startedWallMillis = clock.wallMillis();
            this.enteredMillis = clock.millis();
        }

        void passed(JobStatus next, long nowMillis) {
            phases.merge(status, nowMillis - enteredMillis, Long::sum);
            status = next;
            enteredMillis = nowMillis;
        }
    }

    private final Supplier<JobGraph> graph;
    private final Clock clock;
    private final Deque<JobRescale> ended = new ArrayDeque<>();
    private Optional<Long> lastMillis = Optional.empty();
    private Optional<Open> open = Optional.empty();

    public RescaleLog(Supplier<JobGraph> graph, Clock clock) {
        this.graph = graph;
        this.clock = clock;
    }

    /**
     * A planned restart stops the execution.
     *
     * @param policy that decided; empty when none did
     */
    public void begins(ExecutionGraph execution, Kind kind, String trigger, String policy) {
        end(Optional.empty(), Outcome.OVERTAKEN);
        open = Optional.of(new Open(kind, trigger, policy, execution, clock));
    }

    /** A failure stops the execution. It is part of a rescale that is under way. */
    public void failed(ExecutionGraph execution, String cause) {
        if (open.isEmpty()) {
            open = Optional.of(new Open(Kind.FAILURE, cause, "", execution, clock));
        }
    }

    /** The job enters a state, after {@link #begins} or {@link #failed} if it restarts. */
    public void entered(JobStatus status) {
        open.filter(rescale -> rescale.status != status).ifPresent(rescale -> rescale.passed(status, clock.millis()));
        if (status.isTerminal()) {
            end(Optional.empty(), Outcome.JOB_ENDED);
        }
    }

    /**
     * Notes the end of the rescale if all tasks of a later execution run.
     *
     * @return how many milliseconds it took, if it ended now and the job was to run at another parallelism
     */
    public Optional<Long> observe(Optional<ExecutionGraph> execution) {
        Optional<Open> over = open.filter(rescale -> execution
                .filter(next -> next.number() > rescale.stopped.number() && next.haveAllStarted())
                .isPresent());
        over.ifPresent(rescale -> end(execution, Outcome.DONE));
        return over.filter(rescale -> rescale.kind == Kind.RESCALE).flatMap(rescale -> lastMillis());
    }

    private void end(Optional<ExecutionGraph> next, Outcome outcome) {
        open.ifPresent(rescale -> {
            rescale.passed(rescale.status, clock.millis());
            JobRescale result = describe(rescale, next, outcome);
            if (outcome == Outcome.DONE && rescale.kind == Kind.RESCALE) {
                lastMillis = Optional.of(result.millis());
            }
            boolean changed = next.filter(run -> !run.parallelism().equals(rescale.stopped.parallelism()))
                    .isPresent();
            if (rescale.kind != Kind.FAILURE || changed) {
                if (ended.size() == JobEvents.MAX_RESCALES) {
                    ended.removeFirst();
                }
                ended.addLast(result);
            }
        });
        open = Optional.empty();
    }

    private JobRescale describe(Open rescale, Optional<ExecutionGraph> next, Outcome outcome) {
        List<Change> vertices = new ArrayList<>();
        for (int vertex = 0; vertex < rescale.stopped.parallelism().size(); vertex++) {
            int index = vertex;
            vertices.add(new Change(
                    graph.get().vertices().get(vertex).name(),
                    rescale.stopped.parallelism().get(vertex),
                    next.map(run -> run.parallelism().get(index)).orElse(0)));
        }
        SortedMap<String, List<AllocationId>> before = rescale.stopped.allocations();
        SortedMap<String, List<AllocationId>> after =
                next.map(ExecutionGraph::allocations).orElseGet(TreeMap::new);
        List<Change> groups = graph.get().groups().stream()
                .map(group -> new Change(
                        group.name(),
                        before.getOrDefault(group.name(), List.of()).size(),
                        after.getOrDefault(group.name(), List.of()).size()))
                .toList();
        List<Phase> phases = rescale.phases.entrySet().stream()
                .map(phase -> new Phase(phase.getKey(), phase.getValue()))
                .toList();
        return new JobRescale(
                rescale.startedWallMillis,
                rescale.kind,
                rescale.trigger,
                rescale.policy,
                vertices,
                groups,
                phases,
                outcome);
    }

    /** How long the last rescale to another parallelism took that is over. */
    public Optional<Long> lastMillis() {
        return lastMillis;
    }

    /** The oldest first; the last one may be under way. */
    public List<JobRescale> rescales() {
        List<JobRescale> all = new ArrayList<>(ended);
        open.filter(rescale -> rescale.kind != Kind.FAILURE).ifPresent(rescale -> {
            rescale.passed(rescale.status, clock.millis());
            all.add(describe(rescale, Optional.empty(), Outcome.UNDER_WAY));
        });
        return all;
    }
}

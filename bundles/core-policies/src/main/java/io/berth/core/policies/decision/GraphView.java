package io.berth.core.policies.decision;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.policy.ScalingAdvisor.ScalingInput;
import io.berth.core.api.policy.ScalingAdvisor.VertexMetrics;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.text.PlainText;
import io.berth.core.policies.validation.BuilderAccess;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.ParallelismBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** A job as a scaling policy sees it, and the answers that it may give. Changes only between calls. */
final class GraphView implements JobView {

    private final JobGraph job;
    private final int[] groupOf;
    /** Smallest index of the vertices that forward edges connect. */
    private final int[] forwardRoot;

    private final int[] current;
    private final int[] slots;
    private final JobHistory history = new JobHistory();
    private List<VertexMetrics> metrics = List.of();
    private long state;
    private DecisionTime now = new DecisionTime(0, 0);

    GraphView(JobGraph job) {
        this.job = job;
        List<JobVertex> vertices = job.vertices();
        List<String> groups =
                job.groups().stream().map(JobGraph.SlotSharingGroup::name).toList();
        List<String> names = vertices.stream().map(JobVertex::name).toList();
        groupOf = vertices.stream()
                .mapToInt(vertex -> groups.indexOf(vertex.group()))
                .toArray();
        current = new int[vertices.size()];
        slots = new int[groups.size()];
        forwardRoot = new int[vertices.size()];
        Arrays.setAll(forwardRoot, vertex -> vertex);
        for (boolean moved = true; moved; ) {
            moved = false;
            for (JobEdge edge : job.edges()) {
                if (edge.partitioning() == Partitioning.FORWARD) {
                    int from = names.indexOf(edge.from());
                    int to = names.indexOf(edge.to());
                    int root = Math.min(forwardRoot[from], forwardRoot[to]);
                    moved |= forwardRoot[from] != root || forwardRoot[to] != root;
                    forwardRoot[from] = root;
                    forwardRoot[to] = root;
                }
            }
        }
    }

    /** @return why the input does not fit the job graph */
    Optional<String> apply(ScalingInput input, DecisionTime time) {
        if (input.current().size() != current.length || input.slots().size() != slots.length) {
            return Optional.of("job " + job.id() + " has " + current.length + " vertices and " + slots.length
                    + " groups, the input " + input.current().size() + " and "
                    + input.slots().size());
        }
        state = input.stateNumber();
        now = time;
        metrics = input.metrics();
        history.update(time.millis(), input.current(), input.slots());
        Arrays.setAll(current, vertex -> input.current().get(vertex));
        Arrays.setAll(slots, group -> input.slots().get(group));
        return Optional.empty();
    }

    Parallelisms newDesired() {
        return new Parallelisms(true);
    }

    Parallelisms newPlanned() {
        return new Parallelisms(false);
    }

    /** Planned parallelisms as {@code rescale} of a policy sees them. */
    int[] aligned(int[] values) {
        return aligned(values, false).stream().mapToInt(Integer::intValue).toArray();
    }

    /**
     * The same number for vertices that forward edges connect: the smallest of them, but not below a desired minimum.
     */
    List<Integer> aligned(int[] values, boolean withinMinimum) {
        List<Integer> result = new ArrayList<>();
        for (int vertex = 0; vertex < values.length; vertex++) {
            int least = values[vertex];
            int most = 0;
            for (int other = 0; other < values.length; other++) {
                if (forwardRoot[other] == forwardRoot[vertex]) {
                    least = Math.min(least, values[other]);
                    most = Math.max(most, minimum(other));
                }
            }
            result.add(withinMinimum ? Math.min(maximum(vertex), Math.max(least, most)) : least);
        }
        return result;
    }

    List<String> inputs(ScalingInput input) {
        List<String> lines = new ArrayList<>();
        for (int vertex = 0; vertex < vertices(); vertex++) {
            lines.add("vertex " + vertex(vertex) + ": minimum " + minimum(vertex) + ", desired " + desired(vertex)
                    + ", maximum " + maximum(vertex) + ", runs at " + current(vertex));
        }
        for (int group = 0; group < groups(); group++) {
            lines.add(
                    "group " + groupName(group) + ": has " + input.slots().get(group) + " slots of " + profile(group));
        }
        return lines;
    }

    List<String> results(List<Integer> desired, List<Integer> planned, boolean rescale) {
        List<String> lines = new ArrayList<>();
        for (int vertex = 0; vertex < vertices(); vertex++) {
            lines.add("vertex " + vertex(vertex) + ": asks for " + desired.get(vertex) + ", can run at "
                    + planned.get(vertex));
        }
        if (rescale) {
            lines.add("rescale");
        }
        return lines;
    }

    @Override
    public long stateNumber() {
        return state;
    }

    @Override
    public long now() {
        return now.millis();
    }

    @Override
    public long wallTime() {
        return now.wallMillis();
    }

    @Override
    public OptionalDouble recordsInPerSecond(int vertex) {
        return vertex < metrics.size() ? metrics.get(vertex).recordsInPerSecond() : OptionalDouble.empty();
    }

    @Override
    public OptionalDouble busyShare(int vertex) {
        return vertex < metrics.size() ? metrics.get(vertex).busyShare() : OptionalDouble.empty();
    }

    @Override
    public OptionalLong runningSince() {
        return history.runningSince();
    }

    @Override
    public OptionalLong lastRescale() {
        return history.lastRescale();
    }

    @Override
    public int history() {
        return history.size();
    }

    @Override
    public long historySince(int entry) {
        return history.entry(entry).since();
    }

    @Override
    public int historySlots(int entry, int group) {
        return history.entry(entry).slots().get(group);
    }

    @Override
    public int historyCurrent(int entry, int vertex) {
        return history.entry(entry).current().get(vertex);
    }

    @Override
    public JobId job() {
        return job.id();
    }

    @Override
    public int vertices() {
        return groupOf.length;
    }

    @Override
    public String vertex(int vertex) {
        return job.vertices().get(vertex).name();
    }

    @Override
    public int group(int vertex) {
        return groupOf[vertex];
    }

    @Override
    public int minimum(int vertex) {
        return job.vertices().get(vertex).minimum();
    }

    @Override
    public int desired(int vertex) {
        return job.vertices().get(vertex).desired();
    }

    @Override
    public int maximum(int vertex) {
        return job.vertices().get(vertex).maximum();
    }

    @Override
    public int current(int vertex) {
        return current[vertex];
    }

    @Override
    public int groups() {
        return slots.length;
    }

    @Override
    public String groupName(int group) {
        return job.groups().get(group).name();
    }

    @Override
    public ResourceProfile profile(int group) {
        return job.groups().get(group).profile();
    }

    @Override
    public int slots(int group) {
        return slots[group];
    }

    /** Collects an answer and names the first rule that it breaks. */
    final class Parallelisms implements ParallelismBuilder {

        private final boolean desired;
        private final int[] values = new int[groupOf.length];
        private final BuilderAccess rules = new BuilderAccess();
        private String reason = "";

        private Parallelisms(boolean desired) {
            this.desired = desired;
        }

        BuilderAccess rules() {
            return rules;
        }

        int[] values() {
            return values;
        }

        String reason() {
            return reason;
        }

        /** The first broken rule so far, including those of the complete answer. */
        Optional<String> violation() {
            if (rules.violation().isPresent() || !desired) {
                return rules.violation();
            }
            for (int vertex = 0; vertex < values.length; vertex++) {
                if (values[vertex] < minimum(vertex)) {
                    return Optional.of("desires parallelism " + values[vertex] + " of vertex " + vertex(vertex) + ": "
                            + minimum(vertex) + " to " + maximum(vertex) + " is allowed");
                }
            }
            return Optional.empty();
        }

        @Override
        public void parallelism(int vertex, int parallelism) {
            if (!rules.open()) {
                return;
            }
            if (vertex < 0 || vertex >= values.length) {
                rules.violated("names vertex " + vertex + " of " + values.length);
                return;
            }
            if (parallelism < 0 || parallelism > maximum(vertex)) {
                rules.violated((desired ? "desires" : "plans") + " parallelism " + parallelism + " of vertex "
                        + vertex(vertex) + ": at most " + maximum(vertex) + " is allowed");
                return;
            }
            if (!desired && parallelism > slots[groupOf[vertex]]) {
                rules.violated("plans parallelism " + parallelism + " of vertex " + vertex(vertex) + " with "
                        + slots[groupOf[vertex]] + " slots of its group");
                return;
            }
            values[vertex] = parallelism;
        }

        @Override
        public void reason(String text) {
            if (rules.open()) {
                reason = PlainText.cut(text);
            }
        }

        @Override
        public void reviewAfter(long millis) {
            rules.review(millis);
        }
    }
}

package io.berth.core.policies.scaling;

import io.berth.core.api.job.GroupRoom;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobMeasures;
import io.berth.core.api.job.JobMeasures.Means;
import io.berth.core.api.job.VertexMeasures.Spread;
import io.berth.core.api.job.VertexMeasures.TaskMeasures;
import io.berth.core.api.policy.ScalingAdvisor.Feasible;
import io.berth.core.api.policy.ScalingAdvisor.ScalingInput;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.policy.rules.scaling.SlotAllocator;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.scaling.EdgeKind;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.TaskMetric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** A job as a scaling policy sees it. Changes only between calls. */
public final class GraphView implements JobView {

    private final JobGraph job;
    private final int[] groupOf;
    private final int[] producers;
    private final int[] consumers;
    private final int[] current;
    private final int[] slots;
    private final JobHistory history = new JobHistory();
    private JobMeasures measures = JobMeasures.NONE;
    private List<Integer> lastDesired = List.of();
    private long state;
    private DecisionTime now = new DecisionTime(0, 0);

    public GraphView(JobGraph job) {
        this.job = job;
        List<JobVertex> vertices = job.vertices();
        List<String> groups =
                job.groups().stream().map(JobGraph.SlotSharingGroup::name).toList();
        List<String> names = vertices.stream().map(JobVertex::name).toList();
        groupOf = vertices.stream()
                .mapToInt(vertex -> groups.indexOf(vertex.group()))
                .toArray();
        producers = job.edges().stream()
                .mapToInt(edge -> names.indexOf(edge.from()))
                .toArray();
        consumers =
                job.edges().stream().mapToInt(edge -> names.indexOf(edge.to())).toArray();
        current = new int[vertices.size()];
        slots = new int[groups.size()];
    }

    /** Finds the parallelism that the job can run at. */
    public SlotAllocator allocator() {
        return new SlotAllocator(
                this,
                (group, other) ->
                        job.groups().get(group).sharesSlotsWith(job.groups().get(other)));
    }

    /** @return why the input does not fit the job graph */
    public Optional<String> apply(ScalingInput input, DecisionTime time) {
        if (input.current().size() != current.length || input.slots().size() != slots.length) {
            return Optional.of("job " + job.id() + " has " + current.length + " vertices and " + slots.length
                    + " groups, the input " + input.current().size() + " and "
                    + input.slots().size());
        }
        state = input.stateNumber();
        now = time;
        measures = input.measures();
        history.update(time.millis(), input.current(), input.slots(), measures.means(), input.stopped());
        Arrays.setAll(current, vertex -> input.current().get(vertex));
        Arrays.setAll(slots, group -> input.slots().get(group));
        return Optional.empty();
    }

    /** What it remembers between decisions. */
    public JobPast past() {
        return history.past(lastDesired);
    }

    /** Remembers this in place of what it remembered. */
    public void restore(JobPast past) {
        history.restore(past);
        lastDesired = past.lastDesired();
    }

    /**
     * The same job with other bounds. It remembers what this one does; what was desired last is moved into the bounds.
     *
     * @param changed nothing else of the job has changed
     */
    public GraphView with(JobGraph changed) {
        GraphView view = new GraphView(changed);
        view.restore(past());
        view.lastDesired = IntStream.range(0, lastDesired.size())
                .mapToObj(vertex ->
                        Math.max(view.minimum(vertex), Math.min(lastDesired.get(vertex), view.maximum(vertex))))
                .toList();
        return view;
    }

    /** A decision has ended; {@code desired}: what it declares. */
    public void decided(List<Integer> desired) {
        lastDesired = desired;
    }

    /** Whether the job runs. */
    public boolean running() {
        return Arrays.stream(current).anyMatch(parallelism -> parallelism > 0);
    }

    /** What the decision was made from, for people. */
    public List<String> inputs(ScalingInput input) {
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

    /** What was decided, for people. */
    public List<String> results(List<Integer> desired, Feasible feasible, boolean accepted) {
        List<String> lines = new ArrayList<>();
        for (int vertex = 0; vertex < vertices(); vertex++) {
            int index = vertex;
            lines.add("vertex " + vertex(vertex) + ": asks for " + desired.get(vertex)
                    + feasible.parallelism()
                            .map(all -> ", can run at " + all.get(index))
                            .orElse(", cannot run"));
        }
        if (!feasible.bound().isEmpty()) {
            lines.add(feasible.bound());
        }
        if (accepted) {
            lines.add("rescale");
        }
        return lines;
    }

    private Optional<GroupRoom> room(int group) {
        return measures.room(groupName(group));
    }

    @Override
    public OptionalLong freeSlots(int group) {
        return value(room(group).map(GroupRoom::free));
    }

    @Override
    public OptionalLong startableSlots(int group) {
        return value(room(group).map(GroupRoom::startable));
    }

    @Override
    public OptionalLong queueSlots(int group) {
        return value(room(group).flatMap(GroupRoom::queue));
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
    public OptionalLong measuredMillis() {
        return value(measures.windowMillis());
    }

    @Override
    public OptionalDouble recordsInPerSecond(int vertex) {
        return sum(vertex, TaskMeasures::recordsIn);
    }

    @Override
    public OptionalDouble recordsOutPerSecond(int vertex) {
        return sum(vertex, TaskMeasures::recordsOut);
    }

    /** Of all tasks, also when some were not measured. */
    private OptionalDouble sum(int vertex, Function<TaskMeasures, Spread> rate) {
        return figure(vertex, tasks -> rate.apply(tasks).mean() * current[vertex]);
    }

    private OptionalDouble figure(int vertex, ToDoubleFunction<TaskMeasures> figure) {
        Optional<TaskMeasures> tasks = measures.vertex(vertex).tasks();
        return tasks.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(figure.applyAsDouble(tasks.get()));
    }

    private static OptionalLong value(Optional<Long> known) {
        return known.map(OptionalLong::of).orElseGet(OptionalLong::empty);
    }

    private static Spread spread(TaskMeasures tasks, TaskMetric metric) {
        return switch (metric) {
            case RECORDS_IN -> tasks.recordsIn();
            case RECORDS_OUT -> tasks.recordsOut();
            case BUSY -> tasks.busy();
            case IDLE -> tasks.idle();
            case BACK_PRESSURED -> tasks.backPressured();
        };
    }

    @Override
    public OptionalDouble mean(int vertex, TaskMetric metric) {
        return figure(vertex, tasks -> spread(tasks, metric).mean());
    }

    @Override
    public OptionalDouble greatest(int vertex, TaskMetric metric) {
        return figure(vertex, tasks -> spread(tasks, metric).greatest());
    }

    @Override
    public OptionalLong backlogSplits(int vertex) {
        return value(measures.vertex(vertex).backlogSplits());
    }

    @Override
    public OptionalLong backlogRecords(int vertex) {
        return value(measures.vertex(vertex).backlogRecords());
    }

    @Override
    public OptionalLong lagMillis(int vertex) {
        return value(measures.vertex(vertex).lagMillis());
    }

    @Override
    public OptionalLong lastRescaleMillis() {
        return value(measures.lastRescaleMillis());
    }

    @Override
    public int keyGroups(int vertex) {
        return job.vertices().get(vertex).maxParallelism();
    }

    @Override
    public OptionalInt lastDesired(int vertex) {
        return lastDesired.isEmpty() ? OptionalInt.empty() : OptionalInt.of(lastDesired.get(vertex));
    }

    @Override
    public int edges() {
        return producers.length;
    }

    @Override
    public int producer(int edge) {
        return producers[edge];
    }

    @Override
    public int consumer(int edge) {
        return consumers[edge];
    }

    @Override
    public EdgeKind kind(int edge) {
        return switch (job.edges().get(edge).partitioning()) {
            case FORWARD -> EdgeKind.FORWARD;
            case REBALANCE -> EdgeKind.REBALANCE;
            case HASH -> EdgeKind.HASH;
            case BROADCAST -> EdgeKind.BROADCAST;
        };
    }

    @Override
    public boolean source(int vertex) {
        return Arrays.stream(consumers).noneMatch(consumer -> consumer == vertex);
    }

    @Override
    public boolean sink(int vertex) {
        return Arrays.stream(producers).noneMatch(producer -> producer == vertex);
    }

    @Override
    public boolean keyed(int vertex) {
        return IntStream.range(0, consumers.length)
                .anyMatch(edge -> consumers[edge] == vertex && kind(edge) == EdgeKind.HASH);
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
    public OptionalDouble peakWork(int vertex, long millis) {
        return history.peaks().peak(now.millis(), vertex, millis);
    }

    @Override
    public int history() {
        return history.size();
    }

    @Override
    public long historySince(int entry) {
        return history.entry(entry).state().since();
    }

    @Override
    public int historySlots(int entry, int group) {
        return history.entry(entry).state().slots().get(group);
    }

    @Override
    public int historyCurrent(int entry, int vertex) {
        return history.entry(entry).state().current().get(vertex);
    }

    @Override
    public OptionalLong historyMeasuredMillis(int entry) {
        return value(history.entry(entry).measured().windowMillis());
    }

    @Override
    public OptionalDouble historyRecordsInPerSecond(int entry, int vertex) {
        return historySum(entry, vertex, TaskMetric.RECORDS_IN);
    }

    @Override
    public OptionalDouble historyRecordsOutPerSecond(int entry, int vertex) {
        return historySum(entry, vertex, TaskMetric.RECORDS_OUT);
    }

    private OptionalDouble historySum(int entry, int vertex, TaskMetric rate) {
        OptionalDouble mean = historyMean(entry, vertex, rate);
        return mean.isEmpty() ? mean : OptionalDouble.of(mean.getAsDouble() * historyCurrent(entry, vertex));
    }

    @Override
    public OptionalDouble historyMean(int entry, int vertex, TaskMetric metric) {
        Means means = history.entry(entry).measured();
        return switch (metric) {
            case RECORDS_IN -> means.recordsIn(vertex);
            case RECORDS_OUT -> means.recordsOut(vertex);
            case BUSY -> means.busy(vertex);
            case IDLE -> means.idle(vertex);
            case BACK_PRESSURED -> means.backPressured(vertex);
        };
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
}

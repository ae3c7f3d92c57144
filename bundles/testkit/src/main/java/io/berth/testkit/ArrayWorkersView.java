package io.berth.testkit;

import io.berth.policy.rules.placement.CheckedWorkers;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.WorkerSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** Workers of the four basic dimensions and one extended resource named {@code gpu}. */
public final class ArrayWorkersView implements CheckedWorkers {

    private static final List<String> NAMES = List.of("cpu", "heap", "off-heap", "managed", "gpu");

    private static final class Row {
        private final WorkerId id;
        private final boolean pending;
        private final long[] total;
        private final long[] free;
        private final ResourceProfile defaultSlot;
        private final SortedMap<String, String> labels = new TreeMap<>();
        private final SortedMap<String, String> taints = new TreeMap<>();

        private Row(WorkerId id, boolean pending, ResourceProfile total, ResourceProfile defaultSlot) {
            this.id = id;
            this.pending = pending;
            this.total = amounts(total);
            this.free = amounts(total);
            this.defaultSlot = defaultSlot;
        }
    }

    private record Spec(
            long[] total,
            ResourceProfile defaultSlot,
            SortedMap<String, String> labels,
            SortedMap<String, String> taints,
            double costPerHour,
            long startMillis) {}

    private final List<Row> rows = new ArrayList<>();
    private final SortedMap<Integer, Long> registered = new TreeMap<>();
    private final SortedMap<Integer, Long> leaving = new TreeMap<>();
    private final List<Spec> specs = new ArrayList<>();
    private final List<Integer> specLeft = new ArrayList<>();
    private final List<LabelConstraints> constraints = new ArrayList<>();
    /** By index of the worker; changes with its labels. */
    private final List<Integer> revisions = new ArrayList<>();

    private long state;
    private long now;
    private long wallTime;

    /** Adds a registered worker at the next index. Its default slot is a quarter of the worker. */
    public ArrayWorkersView worker(ResourceProfile total) {
        return put(rows.size(), total, false);
    }

    /** Adds a worker that was requested but has not registered. */
    public ArrayWorkersView pendingWorker(ResourceProfile total) {
        return put(rows.size(), total, true);
    }

    /** Puts a worker at an index, at most the number of workers. */
    public ArrayWorkersView put(int index, ResourceProfile total, boolean pending) {
        state++;
        registered.remove(index);
        leaving.remove(index);
        Row row = new Row(new WorkerId("w" + index), pending, total, total.dividedBy(4));
        if (index == rows.size()) {
            rows.add(row);
            revisions.add(0);
        } else {
            rows.set(index, row);
        }
        relabeled(index);
        return this;
    }

    /** Adds a worker spec of which {@code left} workers may be started. */
    public ArrayWorkersView spec(ResourceProfile total, int left) {
        return spec(WorkerSpec.of("spec-" + specs.size(), total).build(), left);
    }

    /** As {@link #spec(ResourceProfile, int)}, with labels, taints, cost and start time of a spec. */
    public ArrayWorkersView spec(WorkerSpec like, int left) {
        state++;
        specs.add(new Spec(
                amounts(like.total()),
                like.total().dividedBy(4),
                like.labels(),
                like.taints(),
                like.costPerHour(),
                like.startMillis()));
        specLeft.add(left);
        return this;
    }

    private void relabeled(int worker) {
        revisions.set(worker, revisions.get(worker) + 1);
    }

    /** Sets a taint of the worker. */
    public ArrayWorkersView taint(int worker, String key, String value) {
        state++;
        rows.get(worker).taints.put(key, value);
        relabeled(worker);
        return this;
    }

    /** Number of the constraints; -1 when they exclude no worker. */
    int number(LabelConstraints of) {
        boolean tainted = rows.stream().anyMatch(row -> row != null && !row.taints.isEmpty())
                || specs.stream().anyMatch(spec -> !spec.taints().isEmpty());
        if (of.equals(LabelConstraints.NONE) && !tainted) {
            return -1;
        }
        if (!constraints.contains(of)) {
            constraints.add(of);
        }
        return constraints.indexOf(of);
    }

    boolean feasible(LabelConstraints of, int worker) {
        return of.allows(rows.get(worker).labels, rows.get(worker).taints);
    }

    boolean feasibleOnSpec(LabelConstraints of, int spec) {
        return of.allows(specs.get(spec).labels(), specs.get(spec).taints());
    }

    SortedMap<String, String> labels(int worker) {
        return rows.get(worker).labels;
    }

    SortedMap<String, String> specLabels(int spec) {
        return specs.get(spec).labels();
    }

    int preference(LabelConstraints of, int worker) {
        return of.preference(rows.get(worker).labels);
    }

    /** Sets a label of the worker. */
    public ArrayWorkersView label(int worker, String key, String value) {
        state++;
        rows.get(worker).labels.put(key, value);
        relabeled(worker);
        return this;
    }

    /** Takes amounts of a worker, as a commit does; negative amounts are returned. */
    public ArrayWorkersView take(int worker, int dimension, long amount) {
        state++;
        rows.get(worker).free[dimension] -= amount;
        return this;
    }

    /** Removes the worker. */
    public ArrayWorkersView remove(int worker) {
        state++;
        rows.set(worker, null);
        return this;
    }

    /** A copy that changes independently. */
    public ArrayWorkersView copy() {
        ArrayWorkersView copy = new ArrayWorkersView();
        copy.state = state;
        for (Row row : rows) {
            Row other = null;
            if (row != null) {
                other = new Row(row.id, row.pending, ResourceProfile.ZERO, row.defaultSlot);
                System.arraycopy(row.total, 0, other.total, 0, row.total.length);
                System.arraycopy(row.free, 0, other.free, 0, row.free.length);
                other.labels.putAll(row.labels);
                other.taints.putAll(row.taints);
            }
            copy.rows.add(other);
        }
        copy.registered.putAll(registered);
        copy.leaving.putAll(leaving);
        copy.revisions.addAll(revisions);
        copy.specs.addAll(specs);
        copy.specLeft.addAll(specLeft);
        return copy;
    }

    long amount(ResourceProfile profile, int dimension) {
        return amounts(profile)[dimension];
    }

    /** What one slot of the profile takes of a worker. */
    long need(ResourceProfile profile, int worker, int dimension) {
        return amounts(profile.isUnknown() ? rows.get(worker).defaultSlot : profile)[dimension];
    }

    long needOnSpec(ResourceProfile profile, int spec, int dimension) {
        return amounts(profile.isUnknown() ? specs.get(spec).defaultSlot : profile)[dimension];
    }

    private static long[] amounts(ResourceProfile profile) {
        return new long[] {
            profile.cpuMillis(),
            profile.heapBytes(),
            profile.offHeapBytes(),
            profile.managedBytes(),
            profile.extended().getOrDefault("gpu", 0L)
        };
    }

    /** Sets the time. */
    public ArrayWorkersView now(long millis) {
        state++;
        now = millis;
        return this;
    }

    /** Sets the wall-clock time; at first it is 0, which is the first moment of 1970. */
    public ArrayWorkersView wallTime(long millis) {
        state++;
        wallTime = millis;
        return this;
    }

    @Override
    public void copyFree(int worker, long[] to, int at) {
        System.arraycopy(rows.get(worker).free, 0, to, at, NAMES.size());
    }

    @Override
    public String name(int worker) {
        return present(worker) ? id(worker).value() : "#" + worker;
    }

    @Override
    public String kind(int spec) {
        return specBackend(spec) + "/" + specName(spec);
    }

    @Override
    public long stateNumber() {
        return state;
    }

    @Override
    public long now() {
        return now;
    }

    @Override
    public long wallTime() {
        return wallTime;
    }

    @Override
    public int dimensions() {
        return NAMES.size();
    }

    @Override
    public String dimension(int dimension) {
        return NAMES.get(dimension);
    }

    @Override
    public int limit() {
        return rows.size();
    }

    @Override
    public boolean present(int worker) {
        return worker >= 0 && worker < rows.size() && rows.get(worker) != null;
    }

    @Override
    public boolean pending(int worker) {
        return rows.get(worker).pending;
    }

    /** Sets when the worker registered; at first it is not known. */
    public ArrayWorkersView registeredAt(int worker, long wallMillis) {
        state++;
        registered.put(worker, wallMillis);
        return this;
    }

    @Override
    public OptionalLong registeredAt(int worker) {
        Long millis = registered.get(worker);
        return millis == null ? OptionalLong.empty() : OptionalLong.of(millis);
    }

    /**
     * Sets when the worker leaves; at first it stays. Nothing is free on it from now on.
     *
     * @param wallMillis {@link Long#MAX_VALUE}: as soon as it is empty
     */
    public ArrayWorkersView leavingAt(int worker, long wallMillis) {
        state++;
        leaving.put(worker, wallMillis);
        Arrays.fill(rows.get(worker).free, 0);
        return this;
    }

    @Override
    public OptionalLong leavingAt(int worker) {
        Long millis = leaving.get(worker);
        return millis == null ? OptionalLong.empty() : OptionalLong.of(millis);
    }

    @Override
    public WorkerId id(int worker) {
        return rows.get(worker).id;
    }

    @Override
    public long total(int worker, int dimension) {
        return rows.get(worker).total[dimension];
    }

    @Override
    public long free(int worker, int dimension) {
        return rows.get(worker).free[dimension];
    }

    @Override
    public String backend(int worker) {
        return "fake";
    }

    @Override
    public String spec(int worker) {
        return "";
    }

    @Override
    public double costPerHour(int worker) {
        return 0;
    }

    @Override
    public Optional<String> taint(int worker, String key) {
        return Optional.ofNullable(rows.get(worker).taints.get(key));
    }

    @Override
    public int revision(int worker) {
        return revisions.get(worker);
    }

    @Override
    public Optional<String> label(int worker, String key) {
        return Optional.ofNullable(rows.get(worker).labels.get(key));
    }

    @Override
    public int specs() {
        return specs.size();
    }

    @Override
    public String specName(int spec) {
        return "spec-" + spec;
    }

    @Override
    public String specBackend(int spec) {
        return "fake";
    }

    @Override
    public Optional<String> specLabel(int spec, String key) {
        return Optional.ofNullable(specs.get(spec).labels().get(key));
    }

    @Override
    public Optional<String> specTaint(int spec, String key) {
        return Optional.ofNullable(specs.get(spec).taints().get(key));
    }

    @Override
    public double specCostPerHour(int spec) {
        return specs.get(spec).costPerHour();
    }

    @Override
    public long specStartMillis(int spec) {
        return specs.get(spec).startMillis();
    }

    @Override
    public long specTotal(int spec, int dimension) {
        return specs.get(spec).total()[dimension];
    }

    @Override
    public int specLeft(int spec) {
        return specLeft.get(spec);
    }
}

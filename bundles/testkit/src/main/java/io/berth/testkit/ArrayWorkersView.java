package io.berth.testkit;

import io.berth.policy.rules.labels.LabelRules;
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

    private static final String BACKEND = "fake";
    private static final String BACKEND_LABEL = LabelRules.RESERVED + "backend";
    private static final String SPEC_LABEL = LabelRules.RESERVED + "spec";
    private static final String PREEMPTIBLE_LABEL = LabelRules.RESERVED + "preemptible";
    private static final int DEFAULT_SLOTS = 4;
    private static final List<String> NAMES = List.of("cpu", "heap", "off-heap", "managed", "gpu");

    private static final class Row {
        private final WorkerId id;
        private final boolean pending;
        private final ResourceProfile size;
        private final long[] total;
        private final long[] free;
        private ResourceProfile defaultSlot;
        private String backend = BACKEND;
        private String spec = "";
        private double costPerHour;
        private final SortedMap<String, String> labels = new TreeMap<>();
        private final SortedMap<String, String> taints = new TreeMap<>();

        private Row(WorkerId id, boolean pending, ResourceProfile total, ResourceProfile defaultSlot) {
            this.id = id;
            this.pending = pending;
            this.size = total;
            this.total = amounts(total);
            this.free = amounts(total);
            this.defaultSlot = defaultSlot;
            labels.put(BACKEND_LABEL, BACKEND);
        }
    }

    /** @param labels with those that say where a worker of it comes from */
    private record Spec(String backend, WorkerSpec like, long[] total, SortedMap<String, String> labels) {

        private ResourceProfile defaultSlot() {
            return like.total().dividedBy(like.defaultSlots());
        }
    }

    private final List<Row> rows = new ArrayList<>();
    private final SortedMap<Integer, Long> started = new TreeMap<>();
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
        started.remove(index);
        leaving.remove(index);
        Row row = new Row(new WorkerId("w" + index), pending, total, total.dividedBy(DEFAULT_SLOTS));
        if (index == rows.size()) {
            rows.add(row);
            revisions.add(0);
        } else {
            rows.set(index, row);
        }
        relabeled(index);
        return this;
    }

    /** Adds a worker spec of which {@code left} workers may be started. Its default slot is a quarter of a worker. */
    public ArrayWorkersView spec(ResourceProfile total, int left) {
        return spec(
                WorkerSpec.of("spec-" + specs.size(), total)
                        .defaultSlots(DEFAULT_SLOTS)
                        .build(),
                left);
    }

    /** As {@link #spec(ResourceProfile, int)}, with all that the spec says but its minimum and maximum. */
    public ArrayWorkersView spec(WorkerSpec like, int left) {
        return spec(BACKEND, like, left);
    }

    /** Adds a worker spec of a backend. */
    public ArrayWorkersView spec(String backend, WorkerSpec like, int left) {
        state++;
        SortedMap<String, String> labels = new TreeMap<>(like.labels());
        labels.put(BACKEND_LABEL, backend);
        labels.put(SPEC_LABEL, like.name());
        if (like.preemptible()) {
            labels.put(PREEMPTIBLE_LABEL, "true");
        }
        specs.add(new Spec(backend, like, amounts(like.total()), labels));
        specLeft.add(left);
        return this;
    }

    /**
     * Sets which backend started the worker, and for which spec; at first it is {@code fake}, for none. The labels that
     * say so change too.
     *
     * @param spec its name; empty for none
     */
    public ArrayWorkersView startedBy(int worker, String backend, String spec) {
        state++;
        Row row = rows.get(worker);
        row.backend = backend;
        row.spec = spec;
        row.labels.put(BACKEND_LABEL, backend);
        row.labels.remove(SPEC_LABEL);
        if (!spec.isEmpty()) {
            row.labels.put(SPEC_LABEL, spec);
        }
        relabeled(worker);
        return this;
    }

    /** Its cluster manager may take the worker away at any time: it has the label that says so. */
    public ArrayWorkersView preemptible(int worker) {
        return label(worker, PREEMPTIBLE_LABEL, "true");
    }

    /** Sets what the worker costs for each hour; at first it is not known. */
    public ArrayWorkersView costPerHour(int worker, double cost) {
        state++;
        rows.get(worker).costPerHour = cost;
        return this;
    }

    /** Sets into how many default slots the worker is divided; at first into four. */
    public ArrayWorkersView defaultSlots(int worker, int count) {
        state++;
        rows.get(worker).defaultSlot = rows.get(worker).size.dividedBy(count);
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
                || specs.stream().anyMatch(spec -> !spec.like().taints().isEmpty());
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
        return of.allows(specs.get(spec).labels(), specs.get(spec).like().taints());
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

    int preferenceOnSpec(LabelConstraints of, int spec) {
        return of.preference(specs.get(spec).labels());
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
        copy.now = now;
        copy.wallTime = wallTime;
        for (Row row : rows) {
            Row other = null;
            if (row != null) {
                other = new Row(row.id, row.pending, row.size, row.defaultSlot);
                other.backend = row.backend;
                other.spec = row.spec;
                other.costPerHour = row.costPerHour;
                System.arraycopy(row.free, 0, other.free, 0, row.free.length);
                other.labels.putAll(row.labels);
                other.taints.putAll(row.taints);
            }
            copy.rows.add(other);
        }
        copy.started.putAll(started);
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
        return amounts(profile.isUnknown() ? specs.get(spec).defaultSlot() : profile)[dimension];
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

    /** Sets when the process of the worker started; at first it is not known. */
    public ArrayWorkersView startedAt(int worker, long wallMillis) {
        state++;
        started.put(worker, wallMillis);
        return this;
    }

    @Override
    public OptionalLong startedAt(int worker) {
        Long millis = started.get(worker);
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
        return rows.get(worker).backend;
    }

    @Override
    public String spec(int worker) {
        return rows.get(worker).spec;
    }

    @Override
    public double costPerHour(int worker) {
        return rows.get(worker).costPerHour;
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
        return specs.get(spec).like().name();
    }

    @Override
    public String specBackend(int spec) {
        return specs.get(spec).backend();
    }

    @Override
    public Optional<String> specLabel(int spec, String key) {
        return Optional.ofNullable(specs.get(spec).labels().get(key));
    }

    @Override
    public Optional<String> specTaint(int spec, String key) {
        return Optional.ofNullable(specs.get(spec).like().taints().get(key));
    }

    @Override
    public double specCostPerHour(int spec) {
        return specs.get(spec).like().costPerHour();
    }

    @Override
    public long specStartMillis(int spec) {
        return specs.get(spec).like().startMillis();
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

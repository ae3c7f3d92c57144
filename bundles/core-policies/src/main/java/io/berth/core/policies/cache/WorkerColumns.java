package io.berth.core.policies.cache;

import io.berth.core.api.policy.PlanningInput.SpecColumn;
import io.berth.core.api.policy.PlanningInput.WorkerChange;
import io.berth.core.api.policy.PlanningInput.WorkerColumn;
import io.berth.policy.rules.placement.CheckedWorkers;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The workers as the planner caches them, in columns. Changes only between calls of a policy. An overlay shows what
 * the rounds of the current decision placed. Confined to the main thread of the planner; policies read it in their
 * calls.
 */
public final class WorkerColumns implements CheckedWorkers {

    private static final int BASE = 4;
    private static final String[] BASE_NAMES = {"cpu", "heap", "off-heap", "managed"};
    private static final String NOT_OFFERED = "resources that no worker offers";

    private final List<String> names = new ArrayList<>(List.of(BASE_NAMES));
    /** One dimension for all resources that no worker and no spec offers; -1 when no job needs any. */
    private int notOffered = -1;

    private long[][] total = new long[BASE][16];
    private long[][] free = new long[BASE][16];
    private long[][] slot = new long[BASE][16];
    private WorkerColumn[] rows = new WorkerColumn[16];
    private int limit;
    private int count;
    private int pendingCount;
    private long[] totalSum = new long[BASE];
    private long[] freeSum = new long[BASE];
    /** Of the default slots. */
    private long[] slotSum = new long[BASE];
    /** What rounds of the current decision took. */
    private long[] takenSum = new long[BASE];
    /** What new workers of the current decision add. */
    private long[] addedSum = new long[BASE];

    private long state;
    private DecisionTime now = new DecisionTime(0, 0);
    private List<SpecColumn> specs = List.of();
    private long[][] specTotal = new long[0][];
    private long[][] specSlot = new long[0][];
    private int[] specLeft = new int[0];
    private BitSet changed = new BitSet();
    private final Feasibility feasibility = new Feasibility();
    /** Changes when the labels of a worker change, by index. */
    private int[] revisions = new int[16];

    private final BitSet laidOver = new BitSet();
    private int limitBefore = -1;
    private int[] specLeftBefore = new int[0];

    /** @return whether dimensions were added, so that sessions must be opened again */
    public boolean apply(long stateNumber, DecisionTime time, List<WorkerChange> changes, List<SpecColumn> newSpecs) {
        boolean grown = false;
        state = stateNumber;
        now = time;
        // At once: the first changes are all workers.
        reserve(needed(changes));
        for (WorkerChange change : changes) {
            if (change.worker().isPresent()) {
                WorkerColumn worker = change.worker().get();
                grown |= offer(worker.total());
                grown |= offer(worker.free());
                count(change.index(), -1);
                put(change.index(), worker);
                count(change.index(), 1);
            } else if (change.index() < limit) {
                count(change.index(), -1);
                rows[change.index()] = null;
                feasibility.remove(change.index());
                changed.set(change.index());
                while (limit > 0 && rows[limit - 1] == null) {
                    limit--;
                }
            }
        }
        if (!newSpecs.equals(specs)) {
            for (SpecColumn spec : newSpecs) {
                grown |= offer(spec.total());
            }
            specs = newSpecs;
            feasibility.specs(specs.stream().map(SpecColumn::labels).toList());
        }
        fillSpecs();
        return grown;
    }

    private void count(int index, int sign) {
        WorkerColumn row = index < rows.length ? rows[index] : null;
        if (row != null) {
            count += sign;
            pendingCount += row.pending() ? sign : 0;
            for (int dimension = 0; dimension < totalSum.length; dimension++) {
                // What leaves is no capacity.
                totalSum[dimension] += row.leavingMillis() == 0 ? sign * total[dimension][index] : 0;
                freeSum[dimension] += sign * free[dimension][index];
                slotSum[dimension] += sign * slot[dimension][index];
            }
        }
    }

    /** The workers, for {@link PoolState}; between decisions. */
    List<PoolState.WorkerRow> rows() {
        List<PoolState.WorkerRow> present = new ArrayList<>(count);
        for (int index = 0; index < limit; index++) {
            if (rows[index] != null) {
                present.add(new PoolState.WorkerRow(index, revisions[index], rows[index]));
            }
        }
        return present;
    }

    List<String> dimensionNames() {
        return names;
    }

    int notOffered() {
        return notOffered;
    }

    /** Takes over a state; only when nothing was applied before. */
    void restore(PoolState from) {
        for (int dimension = names.size(); dimension < from.dimensions().size(); dimension++) {
            notOffered = dimension == from.notOffered() ? dimension : notOffered;
            add(from.dimensions().get(dimension));
        }
        apply(
                from.stateNumber(),
                now,
                from.workers().stream()
                        .map(row -> new WorkerChange(row.index(), Optional.of(row.worker())))
                        .toList(),
                from.specs());
        from.workers().forEach(row -> revisions[row.index()] = row.revision());
    }

    /** Without the overlay. */
    public WorkerSummary summary() {
        return new WorkerSummary(state, count, pendingCount, freeSum[0], freeSum[1], totalSum[0], totalSum[1]);
    }

    /** The worker specs that can be started; immutable. */
    public List<SpecColumn> kinds() {
        return specs;
    }

    /**
     * Adds the resources of a worker or a spec. A dimension is never removed, so requirements of jobs add none.
     *
     * @return whether one of them is new
     */
    public boolean offer(ResourceProfile profile) {
        boolean grown = false;
        for (String name : extended(profile)) {
            if (!isOffered(name)) {
                add(name);
                grown = true;
            }
        }
        return grown;
    }

    /**
     * Adds the requirements of a job. All resources that nobody offers share one dimension.
     *
     * @return whether that dimension is new
     */
    public boolean require(ResourceProfile profile) {
        if (notOffered >= 0 || isOffered(profile)) {
            return false;
        }
        notOffered = names.size();
        add(NOT_OFFERED);
        fillSpecs();
        return true;
    }

    private static Set<String> extended(ResourceProfile profile) {
        // Most profiles have none, and an empty set needs no iterator.
        return profile.isUnknown() || profile.extended().isEmpty()
                ? Set.of()
                : profile.extended().keySet();
    }

    private boolean isOffered(ResourceProfile profile) {
        for (String name : extended(profile)) {
            if (!isOffered(name)) {
                return false;
            }
        }
        return true;
    }

    private boolean isOffered(String name) {
        int dimension = names.lastIndexOf(name);
        return dimension >= BASE && dimension != notOffered;
    }

    private void add(String name) {
        names.add(name);
        total = withRow(total);
        free = withRow(free);
        slot = withRow(slot);
        totalSum = Arrays.copyOf(totalSum, names.size());
        freeSum = Arrays.copyOf(freeSum, names.size());
        slotSum = Arrays.copyOf(slotSum, names.size());
        takenSum = Arrays.copyOf(takenSum, names.size());
        addedSum = Arrays.copyOf(addedSum, names.size());
    }

    private long[][] withRow(long[][] columns) {
        long[][] more = Arrays.copyOf(columns, columns.length + 1);
        more[columns.length] = new long[rows.length];
        return more;
    }

    /** One more than the highest index of a worker that is there after the changes. */
    private static int needed(List<WorkerChange> changes) {
        int needed = 0;
        for (WorkerChange change : changes) {
            needed = change.worker().isPresent() ? Math.max(needed, change.index() + 1) : needed;
        }
        return needed;
    }

    /** Makes room for so many workers. */
    private void reserve(int needed) {
        if (needed > rows.length) {
            int size = Math.max(needed, rows.length / 2 * 3);
            rows = Arrays.copyOf(rows, size);
            revisions = Arrays.copyOf(revisions, size);
            for (int dimension = 0; dimension < names.size(); dimension++) {
                total[dimension] = Arrays.copyOf(total[dimension], size);
                free[dimension] = Arrays.copyOf(free[dimension], size);
                slot[dimension] = Arrays.copyOf(slot[dimension], size);
            }
        }
    }

    private void put(int index, WorkerColumn worker) {
        WorkerColumn before = rows[index];
        if (before == null || !before.labels().equals(worker.labels())) {
            feasibility.put(index, worker.labels());
            revisions[index]++;
        }
        rows[index] = worker;
        limit = Math.max(limit, index + 1);
        for (int dimension = 0; dimension < names.size(); dimension++) {
            total[dimension][index] = amount(worker.total(), dimension);
            free[dimension][index] = amount(worker.free(), dimension);
            slot[dimension][index] = amount(worker.defaultSlot(), dimension);
        }
        changed.set(index);
    }

    private void fillSpecs() {
        specTotal = new long[specs.size()][];
        specSlot = new long[specs.size()][];
        specLeft = new int[specs.size()];
        for (int spec = 0; spec < specs.size(); spec++) {
            specTotal[spec] = amounts(specs.get(spec).total());
            specSlot[spec] = amounts(specs.get(spec).defaultSlot());
            specLeft[spec] = specs.get(spec).left();
        }
    }

    /** Amounts of a known profile by dimension. */
    public long[] amounts(ResourceProfile profile) {
        long[] amounts = new long[names.size()];
        for (int dimension = 0; dimension < amounts.length; dimension++) {
            amounts[dimension] = amount(profile, dimension);
        }
        return amounts;
    }

    long amount(ResourceProfile profile, int dimension) {
        return switch (dimension) {
            case 0 -> profile.cpuMillis();
            case 1 -> profile.heapBytes();
            case 2 -> profile.offHeapBytes();
            case 3 -> profile.managedBytes();
            default ->
                dimension == notOffered
                        ? amountNotOffered(profile)
                        : profile.extended().getOrDefault(names.get(dimension), 0L);
        };
    }

    private long amountNotOffered(ResourceProfile profile) {
        long amount = 0;
        for (String name : profile.extended().keySet()) {
            amount = isOffered(name)
                    ? amount
                    : Math.max(amount, profile.extended().get(name));
        }
        return amount;
    }

    /** Workers that changed since the last call. */
    public int[] takeChanged() {
        int[] indexes = changed.stream().toArray();
        changed = new BitSet();
        return indexes;
    }

    /** Shows a worker with less free until {@link #clearOverlay}. */
    public void overlay(int worker, int dimension, long amount) {
        begin();
        free[dimension][worker] -= amount;
        takenSum[dimension] += amount;
        laidOver.set(worker);
        changed.set(worker);
    }

    /** Shows a new worker until {@link #clearOverlay}; returns its index. */
    public int overlayNew(int spec) {
        begin();
        SpecColumn column = specs.get(spec);
        int index = limit;
        reserve(index + 1);
        put(
                index,
                new WorkerColumn(
                        new WorkerId(nameOfNew(index)),
                        true,
                        column.total(),
                        column.total(),
                        column.defaultSlot(),
                        column.origin(),
                        column.labels()));
        specLeft[spec]--;
        for (int dimension = 0; dimension < addedSum.length; dimension++) {
            addedSum[dimension] += total[dimension][index];
        }
        return index;
    }

    /** Name of a new worker of a plan. */
    public static String nameOfNew(int index) {
        return "new-" + index;
    }

    private void begin() {
        if (limitBefore < 0) {
            limitBefore = limit;
            specLeftBefore = specLeft.clone();
        }
    }

    public void clearOverlay() {
        if (limitBefore < 0) {
            return;
        }
        for (int worker = laidOver.nextSetBit(0);
                worker >= 0 && worker < limitBefore;
                worker = laidOver.nextSetBit(worker + 1)) {
            for (int dimension = 0; dimension < names.size(); dimension++) {
                free[dimension][worker] = amount(rows[worker].free(), dimension);
            }
            changed.set(worker);
        }
        laidOver.clear();
        for (int index = limitBefore; index < limit; index++) {
            rows[index] = null;
            feasibility.remove(index);
            changed.set(index);
        }
        limit = limitBefore;
        specLeft = specLeftBefore;
        limitBefore = -1;
        Arrays.fill(takenSum, 0);
        Arrays.fill(addedSum, 0);
    }

    @Override
    public void copyFree(int worker, long[] to, int at) {
        int position = at;
        for (long[] column : free) {
            to[position++] = column[worker];
        }
    }

    /** What all workers have together, with the new ones of this decision. */
    long capacity(int dimension) {
        return totalSum[dimension] + addedSum[dimension];
    }

    /** What of it is free, without what this decision placed and reserved. */
    long free(int dimension) {
        return freeSum[dimension] + addedSum[dimension] - takenSum[dimension];
    }

    /** What workers have together that backends could still start; at most {@link Long#MAX_VALUE}. */
    long startable(int dimension) {
        long sum = 0;
        for (int spec = 0; spec < specLeft.length; spec++) {
            long each = specTotal[spec][dimension];
            if (specLeft[spec] > 0 && each > (Long.MAX_VALUE - sum) / specLeft[spec]) {
                return Long.MAX_VALUE;
            }
            sum += specLeft[spec] * each;
        }
        return sum;
    }

    /** Mean of the default slots of all workers, rounded up; of the specs when there is no worker. */
    long meanSlot(int dimension) {
        if (count > 0) {
            return (slotSum[dimension] + count - 1) / count;
        }
        long sum = 0;
        for (long[] ofSpec : specSlot) {
            sum += ofSpec[dimension];
        }
        return specSlot.length == 0 ? 0 : (sum + specSlot.length - 1) / specSlot.length;
    }

    long slot(int worker, int dimension) {
        return slot[dimension][worker];
    }

    long specSlot(int spec, int dimension) {
        return specSlot[spec][dimension];
    }

    @Override
    public String name(int worker) {
        return present(worker) ? rows[worker].id().value() : "#" + worker;
    }

    @Override
    public String kind(int spec) {
        return specs.get(spec).backend() + "/" + specs.get(spec).spec();
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
    public int dimensions() {
        return names.size();
    }

    @Override
    public String dimension(int dimension) {
        return names.get(dimension);
    }

    @Override
    public int limit() {
        return limit;
    }

    @Override
    public boolean present(int worker) {
        return worker >= 0 && worker < limit && rows[worker] != null;
    }

    @Override
    public boolean pending(int worker) {
        return row(worker).pending();
    }

    @Override
    public OptionalLong startedAt(int worker) {
        long millis = row(worker).startedMillis();
        return millis == 0 ? OptionalLong.empty() : OptionalLong.of(millis);
    }

    @Override
    public OptionalLong leavingAt(int worker) {
        long millis = row(worker).leavingMillis();
        return millis == 0 ? OptionalLong.empty() : OptionalLong.of(millis);
    }

    @Override
    public WorkerId id(int worker) {
        return row(worker).id();
    }

    @Override
    public long total(int worker, int dimension) {
        return total[dimension][worker];
    }

    @Override
    public long free(int worker, int dimension) {
        return free[dimension][worker];
    }

    @Override
    public String backend(int worker) {
        return row(worker).origin().backend();
    }

    @Override
    public String spec(int worker) {
        return row(worker).origin().spec();
    }

    @Override
    public double costPerHour(int worker) {
        return row(worker).origin().costPerHour();
    }

    @Override
    public Optional<String> label(int worker, String key) {
        return Optional.ofNullable(row(worker).labels().labels().get(key));
    }

    @Override
    public Optional<String> taint(int worker, String key) {
        return Optional.ofNullable(row(worker).labels().taints().get(key));
    }

    @Override
    public int revision(int worker) {
        row(worker);
        return revisions[worker];
    }

    public Feasibility feasibility() {
        return feasibility;
    }

    private WorkerColumn row(int worker) {
        if (!present(worker)) {
            throw new IllegalArgumentException("worker " + worker + " is not present; the limit is " + limit);
        }
        return rows[worker];
    }

    @Override
    public int specs() {
        return specLeft.length;
    }

    @Override
    public String specName(int spec) {
        return specs.get(spec).spec();
    }

    @Override
    public String specBackend(int spec) {
        return specs.get(spec).backend();
    }

    @Override
    public Optional<String> specLabel(int spec, String key) {
        return Optional.ofNullable(specs.get(spec).labels().labels().get(key));
    }

    @Override
    public Optional<String> specTaint(int spec, String key) {
        return Optional.ofNullable(specs.get(spec).labels().taints().get(key));
    }

    @Override
    public double specCostPerHour(int spec) {
        return specs.get(spec).origin().costPerHour();
    }

    @Override
    public long specStartMillis(int spec) {
        return specs.get(spec).startMillis();
    }

    @Override
    public long specTotal(int spec, int dimension) {
        return specTotal[spec][dimension];
    }

    @Override
    public int specLeft(int spec) {
        return specLeft[spec];
    }
}

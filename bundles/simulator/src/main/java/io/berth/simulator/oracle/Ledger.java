package io.berth.simulator.oracle;

import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.simulator.job.Exchange;
import io.berth.simulator.job.SimulatedTask;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.Trace;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The ledger that sees everything: which worker has which slot for which job, whatever messages say. It is checked
 * after each change: no allocation ever belongs to two jobs or two workers, no worker gives out more than it has, and
 * no task runs in a slot that its worker does not have for its job.
 */
public final class Ledger implements Exchange.Listener {

    /** An invariant is broken. */
    public static final class Violation extends RuntimeException {

        private static final long serialVersionUID = 1L;

        public Violation(String text) {
            super(text);
        }
    }

    private record Holder(JobId job, String worker) {}

    /** A worker, as the ledger sees it. */
    public interface Member {

        WorkerId id();

        /** All resources of the worker. */
        ResourceProfile total();

        /** Whether this is the worker of that process, now. */
        boolean isOf(Incarnation process);

        /** Its slots; empty when it is dead or busy right now. */
        Optional<SlotReport> slots();

        /** The tasks that run on it. */
        List<SimulatedTask> tasks();
    }

    private final Trace trace;
    private final Function<Incarnation, Optional<? extends Member>> workers;
    /** All allocations that were ever seen. */
    private final SortedMap<AllocationId, Holder> holders = new TreeMap<>();

    private final List<Member> changed = new ArrayList<>();
    private final List<Runnable> afterThis = new ArrayList<>();
    private Optional<String> broken = Optional.empty();
    private long tasksStarted;
    private long commits;
    private long returnRequests;

    /** @param workers finds the worker of a process; empty when it has none */
    public Ledger(Trace trace, Function<Incarnation, Optional<? extends Member>> workers) {
        this.trace = trace;
        this.workers = workers;
    }

    public long tasksStarted() {
        return tasksStarted;
    }

    public long commits() {
        return commits;
    }

    /** How many times a ResourceManager asked a unit for slots because a policy proposed it. */
    public long returnRequests() {
        return returnRequests;
    }

    void requestsReturn() {
        returnRequests++;
    }

    /** Something happened that may have changed the slots of a worker. */
    public void touched(Member worker) {
        if (!changed.contains(worker)) {
            changed.add(worker);
        }
    }

    /** An invariant was seen broken; the first one counts. */
    public void broken(String text) {
        if (broken.isEmpty()) {
            broken = Optional.of(text);
        }
    }

    /** Runs {@code look} after the current event. */
    void afterThis(Runnable look) {
        afterThis.add(look);
    }

    public void check() {
        if (!afterThis.isEmpty()) {
            List<Runnable> looks = List.copyOf(afterThis);
            afterThis.clear();
            looks.forEach(Runnable::run);
        }
        if (broken.isPresent()) {
            throw new Violation(broken.get());
        }
        if (changed.isEmpty()) {
            return;
        }
        for (Member worker : changed) {
            worker.slots().ifPresent(report -> check(worker, report));
        }
        changed.clear();
    }

    private void check(Member worker, SlotReport report) {
        ResourceProfile taken = ResourceProfile.ZERO;
        for (SlotReport.Slot slot : report.slots()) {
            taken = taken.plus(slot.profile());
            holds(slot.allocation(), slot.job(), worker.toString());
        }
        if (!worker.total().covers(taken)) {
            throw new Violation("P1: worker " + worker.id() + " has slots of " + taken + " of " + worker.total() + ": "
                    + report.slots());
        }
        for (SimulatedTask task : worker.tasks()) {
            if (slotOf(report, task).isEmpty()) {
                throw new Violation("P1: task " + task + " runs in a slot that its worker does not have for its job");
            }
        }
    }

    private static Optional<SlotReport.Slot> slotOf(SlotReport report, SimulatedTask task) {
        return report.slots().stream()
                .filter(slot -> slot.allocation().equals(task.deployment().allocation())
                        && slot.job().equals(task.deployment().attempt().job()))
                .findFirst();
    }

    private void holds(AllocationId allocation, JobId job, String worker) {
        Holder holder = new Holder(job, worker);
        Holder before = holders.putIfAbsent(allocation, holder);
        if (before != null && !before.equals(holder)) {
            throw new Violation("P1: allocation " + allocation + " is for " + holder + " and was for " + before);
        }
    }

    @Override
    public void started(SimulatedTask task) {
        tasksStarted++;
        trace.log("task " + task + " runs");
        workers.apply(task.process()).ifPresent(worker -> {
            holds(task.deployment().allocation(), task.deployment().attempt().job(), worker.toString());
            touched(worker);
        });
    }

    @Override
    public void ended(SimulatedTask task) {
        workers.apply(task.process()).ifPresent(this::touched);
    }

    @Override
    public void committed(SimulatedTask task, List<Committable> committables) {
        commits++;
        trace.log("task " + task + " commits " + committables.size());
    }

    public void gone(Incarnation process) {
        changed.removeIf(worker -> worker.isOf(process));
    }
}

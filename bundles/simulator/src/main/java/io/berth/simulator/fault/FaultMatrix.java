package io.berth.simulator.fault;

import io.berth.simulator.fault.MessageFaults.Target;
import io.berth.simulator.fault.ProcessFaults.Fault;
import io.berth.simulator.network.MessageKinds;
import io.berth.simulator.network.Operator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The cells of the table of message kinds and operators: which cells a seed tests, and what must happen so that rare
 * messages are sent at all.
 */
public final class FaultMatrix {

    /** How many cells a seed tests besides its main one. */
    static final int SIDES = 8;
    /** Neighbors in the list are of one kind; a seed should see many kinds. */
    private static final int STRIDE = 193;

    /** The fault that causes a rare message to be sent. */
    private static final Map<String, Fault> PROVOKED = provoked();

    private final MessageKinds kinds;
    private final List<Target> meaningful = new ArrayList<>();

    public FaultMatrix(MessageKinds kinds) {
        this.kinds = kinds;
        for (int kind = 0; kind < kinds.count(); kind++) {
            if (kinds.meaningless(kind).isEmpty()) {
                for (Operator operator : Operator.values()) {
                    meaningful.add(new Target(kind, operator));
                }
            }
        }
    }

    private static SortedMap<String, Fault> provoked() {
        SortedMap<String, Fault> faults = new TreeMap<>();
        faults.put("JobMaster/Cancel", Fault.JOB_CANCELED);
        faults.put("ResourceManager/DisconnectJobMaster", Fault.JOB_CANCELED);
        faults.put("JobMaster/ChangeBounds", Fault.REQUIREMENTS_CHANGED);
        faults.put("JobMaster/Details", Fault.SOMEBODY_LOOKS);
        faults.put("ResourceManager/ClusterDetails", Fault.SOMEBODY_LOOKS);
        for (String of : List.of("ResourceManager", "TaskExecutor")) {
            faults.put(of + "/ListLogs", Fault.LOGS_READ);
            faults.put(of + "/ReadLog", Fault.LOGS_READ);
        }
        faults.put("JobMaster/RequestSlotReturn", Fault.SLOTS_WANTED_BACK);
        faults.put("TaskExecutor/FreeSlots", Fault.SLOTS_WANTED_BACK);
        faults.put("JobMaster/DisconnectResourceManager", Fault.CUT_ONE_WAY);
        faults.put("TaskExecutor/DisconnectResourceManager", Fault.CUT_ONE_WAY);
        faults.put("JobMaster/BlockWorkers", Fault.WORKER_BLOCKED);
        faults.put("ResourceManager/BlockWorkers", Fault.WORKER_BLOCKED);
        faults.put("ResourceManager/UnblockWorkers", Fault.WORKER_BLOCKED);
        faults.put("ResourceManager/RelabelWorkers", Fault.WORKER_BLOCKED);
        faults.put("TaskExecutor/Relabel", Fault.WORKER_BLOCKED);
        faults.put("ResourceManager/DrainWorkers", Fault.WORKER_DRAINED);
        faults.put("ResourceManager/UndrainWorkers", Fault.WORKER_DRAINED);
        faults.put("TaskExecutor/Leave", Fault.WORKER_DRAINED);
        faults.put("JobMaster/DisconnectWorker", Fault.PAUSE_WORKER);
        // Its workers then have nothing to do and are released.
        faults.put("TaskExecutor/Exit", Fault.JOB_CANCELED);
        return Collections.unmodifiableSortedMap(faults);
    }

    /** The cell that a seed tests most. The seeds cycle through all cells. */
    public Target mainTarget(long seed) {
        return meaningful.get((int) Math.floorMod(seed, (long) meaningful.size()));
    }

    /** Other cells that a seed tests, so that a few hundred seeds meet rare messages with each operator. */
    public List<Target> sideTargets(long seed) {
        List<Target> sides = new ArrayList<>();
        for (int side = 0; side < SIDES; side++) {
            sides.add(meaningful.get((int) Math.floorMod((seed * SIDES + side) * STRIDE, (long) meaningful.size())));
        }
        return sides;
    }

    /** The faults that should happen often, so that messages of the targets are sent. */
    public List<Fault> provoking(List<Target> targets, List<Fault> allowed) {
        return Arrays.stream(Fault.values())
                .filter(allowed::contains)
                .filter(fault ->
                        targets.stream().anyMatch(target -> fault == PROVOKED.get(kinds.message(target.kind()))))
                .toList();
    }
}

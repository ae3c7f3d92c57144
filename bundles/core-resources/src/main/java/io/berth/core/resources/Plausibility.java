package io.berth.core.resources;

import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.gateway.ResourceManagerGateway.RequirementsDeclaration;
import io.berth.core.api.gateway.ResourceManagerGateway.UnitRequirement;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerRegistration;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.resources.planning.SlotManager;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Limits of what peers may tell. What is beyond them is refused with a message that names the field. */
final class Plausibility {

    private static final long MOST_CPU_MILLIS = 1_000_000_000L;
    private static final long MOST_BYTES = 1L << 50;
    private static final int MOST_SLOTS = 10_000;
    private static final int MOST_LABELS = 64;
    private static final int MOST_LABEL_KEY = 128;
    private static final int MOST_LABEL_VALUE = 1_024;
    private static final int MOST_NAME = 64;
    private static final int MOST_EXTENDED = 32;
    private static final int MOST_UNITS = 10_000;
    private static final int MOST_GROUPS = 1_000;
    private static final int MOST_PARALLELISM = 1_000_000;

    private Plausibility() {}

    /** What is wrong with a registration; empty when nothing is. */
    static Optional<String> fault(WorkerRegistration worker) {
        if (worker.total().isUnknown()) {
            return fault(worker, "total", "unknown", "an amount of cpu and memory");
        }
        long cpu = worker.total().cpuMillis();
        if (cpu < 1 || cpu > MOST_CPU_MILLIS) {
            return fault(worker, "cpu", cpu + " thousandths of a core", "1 to " + MOST_CPU_MILLIS);
        }
        long heap = worker.total().heapBytes();
        if (heap < 1 || heap > MOST_BYTES) {
            return fault(worker, "memory", heap + " bytes", "1 to " + MOST_BYTES);
        }
        if (worker.total().offHeapBytes() > MOST_BYTES) {
            return fault(worker, "off-heap memory", worker.total().offHeapBytes() + " bytes", "up to " + MOST_BYTES);
        }
        if (worker.total().managedBytes() > MOST_BYTES) {
            return fault(worker, "managed memory", worker.total().managedBytes() + " bytes", "up to " + MOST_BYTES);
        }
        if (worker.total().extended().size() > MOST_EXTENDED) {
            return fault(worker, "extended resources", worker.total().extended().size() + " names",
                    "up to " + MOST_EXTENDED);
        }
        if (worker.defaultSlots() < 1 || worker.defaultSlots() > MOST_SLOTS) {
            return fault(worker, "slots", Integer.toString(worker.defaultSlots()), "1 to " + MOST_SLOTS);
        }
        if (worker.backend().isEmpty() || worker.backend().length() > MOST_NAME) {
            return fault(worker, "backend", worker.backend().length() + " characters", "1 to " + MOST_NAME);
        }
        if (worker.spec().length() > MOST_NAME) {
            return fault(worker, "spec", worker.spec().length() + " characters", "up to " + MOST_NAME);
        }
        if (worker.labels().size() > MOST_LABELS) {
            return fault(worker, "labels", worker.labels().size() + " labels", "up to " + MOST_LABELS);
        }
        for (var label : worker.labels().entrySet()) {
            if (label.getKey().isEmpty() || label.getKey().length() > MOST_LABEL_KEY) {
                return fault(worker, "label key", label.getKey().length() + " characters", "1 to " + MOST_LABEL_KEY);
            }
            if (label.getValue().length() > MOST_LABEL_VALUE) {
                return fault(worker, "label " + label.getKey(), label.getValue().length() + " characters",
                        "up to " + MOST_LABEL_VALUE);
            }
        }
        return slotFault(worker);
    }

    private static Optional<String> slotFault(WorkerRegistration worker) {
        if (worker.slots().slots().size() > MOST_SLOTS) {
            return fault(worker, "slot report", worker.slots().slots().size() + " slots", "up to " + MOST_SLOTS);
        }
        for (SlotReport.Slot slot : worker.slots().slots()) {
            if (slot.profile().isUnknown()) {
                return fault(worker, "slot " + slot.allocation(), "an unknown profile", "a profile with amounts");
            }
        }
        return Optional.empty();
    }

    private static Optional<String> fault(WorkerRegistration worker, String field, String given, String allowed) {
        return Optional.of(
                "worker " + worker.worker() + ": " + field + " is " + given + ": allowed is " + allowed);
    }

    /** What is wrong with a declaration; empty when nothing is. */
    static Optional<String> fault(RequirementsDeclaration declaration) {
        if (!declaration.pool().isEmpty() && !declaration.pool().equals(SlotManager.POOL)) {
            return fault(declaration, "pool is '" + declaration.pool() + "': allowed is " + SlotManager.POOL);
        }
        if (declaration.sequence() < 0) {
            return fault(declaration, "sequence is " + declaration.sequence() + ": at least 0 is allowed");
        }
        if (declaration.units().size() > MOST_UNITS) {
            return fault(declaration, declaration.units().size() + " units: allowed are up to " + MOST_UNITS);
        }
        Set<String> units = new HashSet<>();
        for (UnitRequirement unit : declaration.units()) {
            if (!units.add(unit.unit())) {
                return fault(declaration, "unit " + unit.unit() + " is there twice: allowed is once");
            }
            Optional<String> fault = unitFault(declaration, unit);
            if (fault.isPresent()) {
                return fault;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> unitFault(RequirementsDeclaration declaration, UnitRequirement unit) {
        if (unit.groups().isEmpty() || unit.groups().size() > MOST_GROUPS) {
            return fault(declaration, "unit " + unit.unit() + " has " + unit.groups().size()
                    + " groups: allowed are 1 to " + MOST_GROUPS);
        }
        Set<String> groups = new HashSet<>();
        for (GroupRequirement group : unit.groups()) {
            if (!groups.add(group.group())) {
                return fault(declaration, "group " + group.group() + " of unit " + unit.unit()
                        + " is there twice: allowed is once");
            }
            if (group.minimum() < 0 || group.desired() < group.minimum() || group.desired() > MOST_PARALLELISM) {
                return fault(declaration, "group " + group.group() + " of unit " + unit.unit() + " asks for "
                        + group.minimum() + " to " + group.desired() + " slots: allowed is 0 <= minimum <= desired <= "
                        + MOST_PARALLELISM);
            }
        }
        return Optional.empty();
    }

    private static Optional<String> fault(RequirementsDeclaration declaration, String what) {
        return Optional.of("requirements of job " + declaration.job() + ": " + what);
    }
}

package io.berth.core.resources;

import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.gateway.ResourceManagerGateway.RequirementsDeclaration;
import io.berth.core.api.gateway.ResourceManagerGateway.UnitRequirement;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerRegistration;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.job.LabelChange;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Limits of messages from peers. A message beyond a limit is rejected with a text that names the field. */
final class MessageLimits {

    private static final long MAX_CPU_MILLIS = 1_000_000_000L;
    private static final long MAX_BYTES = 1L << 50;
    private static final int MAX_SLOTS = 10_000;
    private static final int MAX_LABEL_KEY = 128;
    private static final int MAX_LABEL_VALUE = 1_024;
    private static final int MAX_NAME = 64;
    private static final int MAX_EXTENDED = 32;
    private static final int MAX_UNITS = 10_000;
    private static final int MAX_POOL_NAME = 64;
    private static final int MAX_GROUPS = 1_000;
    private static final int MAX_PARALLELISM = 1_000_000;
    /** A hundred years. */
    private static final long MAX_AGE_MILLIS = 100L * 366 * 24 * 3_600_000;

    private MessageLimits() {}

    /** What is wrong with a registration; empty if it is valid. */
    static Optional<String> fault(WorkerRegistration worker) {
        if (worker.total().isUnknown()) {
            return fault(worker, "total", "unknown", "an amount of cpu and memory");
        }
        long cpu = worker.total().cpuMillis();
        if (cpu < 1 || cpu > MAX_CPU_MILLIS) {
            return fault(worker, "cpu", cpu + " thousandths of a core", "1 to " + MAX_CPU_MILLIS);
        }
        long heap = worker.total().heapBytes();
        if (heap < 1 || heap > MAX_BYTES) {
            return fault(worker, "memory", heap + " bytes", "1 to " + MAX_BYTES);
        }
        if (worker.total().offHeapBytes() > MAX_BYTES) {
            return fault(worker, "off-heap memory", worker.total().offHeapBytes() + " bytes", "up to " + MAX_BYTES);
        }
        if (worker.total().managedBytes() > MAX_BYTES) {
            return fault(worker, "managed memory", worker.total().managedBytes() + " bytes", "up to " + MAX_BYTES);
        }
        if (worker.total().extended().size() > MAX_EXTENDED) {
            return fault(
                    worker, "extended resources", worker.total().extended().size() + " names", "up to " + MAX_EXTENDED);
        }
        for (var amount : worker.total().extended().entrySet()) {
            if (amount.getValue() > MAX_BYTES) {
                return fault(
                        worker, "resource " + amount.getKey(), amount.getValue().toString(), "up to " + MAX_BYTES);
            }
        }
        if (worker.defaultSlots() < 1 || worker.defaultSlots() > MAX_SLOTS) {
            return fault(worker, "slots", Integer.toString(worker.defaultSlots()), "1 to " + MAX_SLOTS);
        }
        if (worker.backend().isEmpty() || worker.backend().length() > MAX_NAME) {
            return fault(worker, "backend", worker.backend().length() + " characters", "1 to " + MAX_NAME);
        }
        if (worker.spec().length() > MAX_NAME) {
            return fault(worker, "spec", worker.spec().length() + " characters", "up to " + MAX_NAME);
        }
        double cost = worker.costPerHour();
        if (!(cost >= 0 && cost <= ResourceManagerGateway.MAX_COST_PER_HOUR)) {
            return fault(
                    worker,
                    "cost per hour",
                    Double.toString(cost),
                    String.format(Locale.ROOT, "0 to %.0f", ResourceManagerGateway.MAX_COST_PER_HOUR));
        }
        if (worker.ageMillis() < 0 || worker.ageMillis() > MAX_AGE_MILLIS) {
            return fault(worker, "age", worker.ageMillis() + " ms", "0 to " + MAX_AGE_MILLIS + " ms");
        }
        Optional<String> labels = pairs("label", worker.attributes().labels())
                .or(() -> pairs("taint", worker.attributes().taints()));
        Optional<String> reason = worker.leaving().reasons().stream()
                .filter(text -> text.isBlank() || text.length() > WorkerLeave.MAX_REASON)
                .findFirst();
        if (reason.isPresent()) {
            return fault(
                    worker,
                    "reason why it leaves",
                    reason.get().length() + " characters",
                    "1 to " + WorkerLeave.MAX_REASON);
        }
        if (labels.isPresent()) {
            return labels.map(fault -> "worker " + worker.worker() + ": " + fault);
        }
        return fault(worker.worker(), worker.slots());
    }

    /** What is wrong with a change of labels; empty if it is valid. */
    static Optional<String> fault(LabelChange change) {
        return pairs("label", change.labels()).or(() -> pairs("taint", change.taints()));
    }

    private static Optional<String> pairs(String what, SortedMap<String, String> pairs) {
        if (pairs.size() > ResourceManagerGateway.MAX_LABELS) {
            return Optional.of(
                    pairs.size() + " " + what + "s: up to " + ResourceManagerGateway.MAX_LABELS + " are allowed");
        }
        for (var pair : pairs.entrySet()) {
            if (pair.getKey().isEmpty() || pair.getKey().length() > MAX_LABEL_KEY) {
                return Optional.of(what + " key has " + pair.getKey().length() + " characters: 1 to " + MAX_LABEL_KEY
                        + " are allowed");
            }
            if (pair.getValue().length() > MAX_LABEL_VALUE) {
                return Optional.of(what + " " + pair.getKey() + " has "
                        + pair.getValue().length() + " characters: up to " + MAX_LABEL_VALUE + " are allowed");
            }
        }
        return Optional.empty();
    }

    /** What is wrong with a slot report of a registration or heartbeat; empty if it is valid. */
    static Optional<String> fault(WorkerId worker, SlotReport report) {
        if (report.slots().size() > MAX_SLOTS) {
            return fault(worker, "slot report", report.slots().size() + " slots", "up to " + MAX_SLOTS);
        }
        Room room = new Room();
        for (SlotReport.Slot slot : report.slots()) {
            if (slot.profile().isUnknown()) {
                return fault(worker, "slot " + slot.allocation(), "an unknown profile", "a profile with amounts");
            }
            if (!room.takes(slot.profile())) {
                return fault(
                        worker,
                        "the sum of its slots up to " + slot.allocation(),
                        "too large with " + slot.profile(),
                        "up to " + MAX_CPU_MILLIS + " thousandths of a core, and " + MAX_BYTES
                                + " bytes or units of anything else");
            }
        }
        return Optional.empty();
    }

    /** What the slots of one worker may have together. It keeps sums over the cluster from overflowing. */
    private static final class Room {

        private long cpu = MAX_CPU_MILLIS;
        private long heap = MAX_BYTES;
        private long offHeap = MAX_BYTES;
        private long managed = MAX_BYTES;
        private final SortedMap<String, Long> extended = new TreeMap<>();

        boolean takes(ResourceProfile slot) {
            cpu = left(cpu, slot.cpuMillis());
            heap = left(heap, slot.heapBytes());
            offHeap = left(offHeap, slot.offHeapBytes());
            managed = left(managed, slot.managedBytes());
            boolean fits = cpu >= 0 && heap >= 0 && offHeap >= 0 && managed >= 0;
            for (var amount : slot.extended().entrySet()) {
                long left = left(extended.getOrDefault(amount.getKey(), MAX_BYTES), amount.getValue());
                extended.put(amount.getKey(), left);
                fits &= left >= 0;
            }
            return fits && extended.size() <= MAX_EXTENDED;
        }

        private static long left(long room, long amount) {
            return amount > room ? -1 : room - amount;
        }
    }

    private static Optional<String> fault(WorkerRegistration worker, String field, String given, String allowed) {
        return fault(worker.worker(), field, given, allowed);
    }

    private static Optional<String> fault(WorkerId worker, String field, String given, String allowed) {
        return Optional.of("worker " + worker + ": " + field + " is " + given + ": allowed is " + allowed);
    }

    /** What is wrong with a declaration; empty if it is valid. */
    static Optional<String> fault(RequirementsDeclaration declaration) {
        if (declaration.attributes().pool().length() > MAX_POOL_NAME) {
            return fault(
                    declaration,
                    "the name of the pool has "
                            + declaration.attributes().pool().length() + " characters: allowed are up to "
                            + MAX_POOL_NAME);
        }
        if (declaration.sequence() < 0) {
            return fault(declaration, "sequence is " + declaration.sequence() + ": at least 0 is allowed");
        }
        if (declaration.lastRescaleMillis().orElse(0L) < 0) {
            return fault(
                    declaration,
                    "lastRescaleMillis is " + declaration.lastRescaleMillis().orElseThrow()
                            + ": at least 0 is allowed");
        }
        if (declaration.units().size() > MAX_UNITS) {
            return fault(declaration, declaration.units().size() + " units: allowed are up to " + MAX_UNITS);
        }
        Set<String> units = new HashSet<>();
        for (UnitRequirement unit : declaration.units()) {
            if (!units.add(unit.unit())) {
                return fault(declaration, "unit " + unit.unit() + " occurs twice: allowed is once");
            }
            Optional<String> fault = unitFault(declaration, unit);
            if (fault.isPresent()) {
                return fault;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> unitFault(RequirementsDeclaration declaration, UnitRequirement unit) {
        if (unit.groups().isEmpty() || unit.groups().size() > MAX_GROUPS) {
            return fault(
                    declaration,
                    "unit " + unit.unit() + " has " + unit.groups().size() + " groups: allowed are 1 to " + MAX_GROUPS);
        }
        Set<String> groups = new HashSet<>();
        for (GroupRequirement group : unit.groups()) {
            if (!groups.add(group.group())) {
                return fault(
                        declaration,
                        "group " + group.group() + " of unit " + unit.unit() + " occurs twice: allowed is once");
            }
            if (group.minimum() < 0 || group.desired() < group.minimum() || group.desired() > MAX_PARALLELISM) {
                return fault(
                        declaration,
                        "group " + group.group() + " of unit " + unit.unit() + " asks for "
                                + group.minimum() + " to " + group.desired()
                                + " slots: allowed is 0 <= minimum <= desired <= "
                                + MAX_PARALLELISM);
            }
        }
        return Optional.empty();
    }

    private static Optional<String> fault(RequirementsDeclaration declaration, String what) {
        return Optional.of("requirements of job " + declaration.job() + ": " + what);
    }
}

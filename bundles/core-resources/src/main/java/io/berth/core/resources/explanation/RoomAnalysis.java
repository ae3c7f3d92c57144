package io.berth.core.resources.explanation;

import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.resources.explanation.ClusterCapacity.Standing;
import io.berth.core.resources.state.FreeRoom;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Why slots of one size do not fit: what each worker lacks, blocked workers, and the limits of the pool. This is the
 * view of the host, independent of the policies. It takes one pass over the kinds of workers. For one thread.
 */
final class RoomAnalysis {

    private static final int MAX_EXCLUSIONS = 5;
    private static final String CPU = "cpu";
    private static final String MEMORY = "memory";

    private static final class Lack {
        private int workers;
        private int tooSmall;
        private ResourceProfile largest = ResourceProfile.ZERO;
    }

    private final ResourceProfile need;
    private final PlacementConstraints constraints;
    /** Why workers are excluded, and how many. */
    private final SortedMap<String, Integer> excluded = new TreeMap<>();

    private int all;
    /** Follows the word workers in texts; empty if there is only one pool. */
    private final String ofPool;

    private final boolean noWorkers;
    private final boolean noSpecs;
    private final Reason noStarts;
    private final Map<List<String>, Lack> lacks = new LinkedHashMap<>();
    private long fits;
    /** How many of them on workers that may be started. */
    private long startable;

    private int fitting;
    private int blocked;
    private long fitsBlocked;
    private int leaving;
    private int releasing;
    private int taken;
    private int limitRoom;
    /** Why specs are excluded, and the first of each. */
    private final SortedMap<String, String> specsExcluded = new TreeMap<>();

    private final List<ClusterCapacity.Spec> specsThatFit = new ArrayList<>();
    private final List<ClusterCapacity.Spec> specsTooSmall = new ArrayList<>();
    /** They would fit, but starts of them are paused. */
    private final List<ClusterCapacity.Spec> specsPaused = new ArrayList<>();

    /** How many slots fit, and why no more. */
    record Room(long fits, ReasonCode code, List<Reason> causes) {}

    private RoomAnalysis(ClusterCapacity capacity, SlotNeed slot) {
        this.need = slot.profile();
        this.constraints = slot.constraints();
        this.ofPool = capacity.pool().isEmpty() ? "" : " of pool " + capacity.pool();
        this.noWorkers = capacity.workers().isEmpty();
        this.noSpecs = capacity.specs().isEmpty();
        this.noStarts = capacity.noStarts();
        capacity.workers().forEach(this::count);
        capacity.specs().forEach(this::count);
    }

    static RoomAnalysis of(ClusterCapacity capacity, SlotNeed need) {
        return new RoomAnalysis(capacity, need);
    }

    private void count(ClusterCapacity.Workers workers) {
        all += workers.count();
        Optional<String> obstacle = constraints.obstacle(workers.labels());
        if (obstacle.isPresent()) {
            excluded.merge(obstacle.get(), workers.count(), Integer::sum);
            return;
        }
        ResourceProfile slot = need.isUnknown() ? workers.defaultSlot() : need;
        long slots = FreeRoom.quotient(workers.free(), slot);
        if (slots > 0) {
            switch (workers.standing()) {
                case OPEN -> {
                    fits += slots * workers.count();
                    fitting += workers.count();
                }
                case TAKEN -> taken += workers.count();
                case BLOCKED -> {
                    blocked += workers.count();
                    fitsBlocked += slots * workers.count();
                }
                case LEAVING -> leaving += workers.count();
                case RELEASING -> releasing += workers.count();
            }
        } else if (workers.standing() != Standing.RELEASING && workers.standing() != Standing.LEAVING) {
            Lack lack = lacks.computeIfAbsent(lacking(workers.free(), slot), key -> new Lack());
            lack.workers += workers.count();
            if (!workers.total().covers(slot)) {
                lack.tooSmall += workers.count();
                lack.largest = larger(lack.largest, workers.total());
            }
        }
    }

    private void count(ClusterCapacity.Spec spec) {
        Optional<String> obstacle = constraints.obstacle(spec.labels());
        if (obstacle.isPresent()) {
            specsExcluded.putIfAbsent(obstacle.get(), spec.name());
            return;
        }
        long slots = FreeRoom.quotient(spec.total(), need.isUnknown() ? spec.defaultSlot() : need);
        if (slots == 0) {
            specsTooSmall.add(spec);
            return;
        }
        if (!spec.paused().isEmpty()) {
            specsPaused.add(spec);
            return;
        }
        specsThatFit.add(spec);
        limitRoom += spec.left();
        fits += slots * spec.left();
        startable += slots * spec.left();
    }

    /** How many slots fit on workers that are there. */
    long free() {
        return fits - startable;
    }

    /** How many slots fit on workers that may still be started. */
    long startable() {
        return startable;
    }

    /**
     * Why the missing slots do not fit.
     *
     * @param missing at least 1
     */
    Room explain(int missing) {
        List<Reason> causes = new ArrayList<>();
        boolean enough = fits >= missing;
        if (enough) {
            causes.add(Reason.counted(
                    ReasonCode.FITS,
                    clamp(fits),
                    "room for " + fits + " on "
                            + counted(fitting, "worker", "workers")
                            + (limitRoom > 0 ? " and on " + limitRoom + " that may be started" : "")));
        }
        excluded.entrySet().stream()
                .sorted(Comparator.comparingInt((Map.Entry<String, Integer> one) -> -one.getValue()))
                .limit(MAX_EXCLUSIONS)
                .forEach(one -> causes.add(Reason.counted(
                        ReasonCode.CONSTRAINTS,
                        one.getValue(),
                        one.getValue() + " of " + counted(all, "worker", "workers") + ofPool + ": " + one.getKey())));
        List<Map.Entry<List<String>, Lack>> byWeight = new ArrayList<>(lacks.entrySet());
        byWeight.sort(Comparator.<Map.Entry<List<String>, Lack>>comparingInt(entry -> -entry.getValue().workers)
                .thenComparing(entry -> String.join(" ", entry.getKey())));
        boolean said = false;
        for (Map.Entry<List<String>, Lack> entry : byWeight) {
            causes.add(lack(entry.getKey(), entry.getValue(), said));
            said = true;
        }
        said = add(causes, ReasonCode.BLOCKED, blocked, said, "is blocked", "are blocked");
        said = add(causes, ReasonCode.LEAVING, leaving, said, "leaves", "leave");
        said = add(causes, ReasonCode.RELEASING, releasing, said, "is about to end", "are about to end");
        add(
                causes,
                ReasonCode.STARTING_WORKERS,
                taken,
                said,
                "is being started for others",
                "are being started for others");
        if (noWorkers) {
            causes.add(Reason.of(ReasonCode.NO_WORKERS, "there is no worker" + ofPool));
        }
        if (!enough) {
            specsPaused.stream()
                    .limit(MAX_EXCLUSIONS)
                    .forEach(spec -> causes.add(Reason.of(ReasonCode.START_FAILED, spec.paused())));
        }
        if (!enough && (specsPaused.isEmpty() || !specsThatFit.isEmpty())) {
            causes.add(limits());
        }
        return new Room(fits, enough ? ReasonCode.NOT_PLACED : code(missing, byWeight), causes);
    }

    /** The most important reason: the pool limit if another worker would help, else what most workers lack. */
    private ReasonCode code(int missing, List<Map.Entry<List<String>, Lack>> byWeight) {
        if (blocked > 0 && fits + fitsBlocked >= missing) {
            return ReasonCode.BLOCKED;
        }
        if (!specsPaused.isEmpty()) {
            return ReasonCode.START_FAILED;
        }
        if (!specsThatFit.isEmpty()) {
            return ReasonCode.POOL_LIMIT;
        }
        int left = all - excluded.values().stream().mapToInt(Integer::intValue).sum();
        if (!excluded.isEmpty() && left == 0) {
            return ReasonCode.CONSTRAINTS;
        }
        if (!byWeight.isEmpty()) {
            Lack lack = byWeight.get(0).getValue();
            // Waiting does not help if even empty workers are too small.
            return lack.tooSmall == lack.workers
                    ? code(lacking(lack.largest, need))
                    : code(byWeight.get(0).getKey());
        }
        if (blocked > 0) {
            return ReasonCode.BLOCKED;
        }
        if (leaving > 0 && specsThatFit.isEmpty() && releasing + taken + fitting == 0) {
            return ReasonCode.LEAVING;
        }
        if (releasing > 0 || taken > 0 || fitting > 0) {
            return ReasonCode.FULL;
        }
        if (specsTooSmall.isEmpty() && !specsExcluded.isEmpty()) {
            return ReasonCode.CONSTRAINTS;
        }
        return specsTooSmall.isEmpty()
                ? ReasonCode.NO_WORKERS
                : code(lacking(largestSpec().total(), slotOn(largestSpec())));
    }

    private Reason limits() {
        if (noSpecs) {
            return noStarts;
        }
        if (specsThatFit.isEmpty() && !specsExcluded.isEmpty()) {
            String why = specsExcluded.firstKey();
            return Reason.of(
                    ReasonCode.CONSTRAINTS,
                    "none of the workers that may be started is allowed: for " + specsExcluded.get(why) + ", " + why);
        }
        if (specsThatFit.isEmpty()) {
            ClusterCapacity.Spec largest = largestSpec();
            return Reason.of(
                    ReasonCode.TOO_LARGE,
                    "no worker that may be started can hold it: the largest, " + largest.name() + ", has "
                            + largest.total());
        }
        if (limitRoom > 0) {
            return Reason.counted(
                    ReasonCode.POOL_LIMIT,
                    limitRoom,
                    "pool limit leaves room for " + counted(limitRoom, "worker", "workers"));
        }
        int there = specsThatFit.stream().mapToInt(ClusterCapacity.Spec::there).sum();
        String names = String.join(
                ", ",
                specsThatFit.stream().limit(3).map(ClusterCapacity.Spec::name).toList());
        return Reason.counted(
                ReasonCode.POOL_LIMIT,
                there,
                "pool limit is reached with "
                        + counted(there, "worker", "workers") + " of " + names
                        + (specsThatFit.size() > 3 ? " and others" : ""));
    }

    private Reason lack(List<String> dimensions, Lack lack, boolean said) {
        List<Reason> small = lack.tooSmall == 0
                ? List.of()
                : List.of(Reason.counted(
                        ReasonCode.TOO_LARGE,
                        lack.tooSmall,
                        lack.tooSmall + " could not hold it even empty, the largest has " + lack.largest));
        return new Reason(
                code(dimensions),
                lack.workers,
                (said ? Integer.toString(lack.workers) : counted(lack.workers, "worker", "workers") + ofPool)
                        + (lack.workers == 1 ? " has " : " have ")
                        + words(dimensions),
                small);
    }

    private String words(List<String> lacking) {
        if (need.isUnknown()) {
            return "no free slot";
        }
        if (lacking.equals(List.of(CPU))) {
            return "memory but no cpu";
        }
        if (lacking.equals(List.of(MEMORY))) {
            return "cpu but no memory";
        }
        if (lacking.equals(List.of(CPU, MEMORY))) {
            return "neither cpu nor memory";
        }
        boolean basics = !lacking.contains(CPU) && !lacking.contains(MEMORY);
        return (basics ? "cpu and memory but no " : "no ") + String.join(" and no ", lacking);
    }

    private ReasonCode code(List<String> lacking) {
        if (need.isUnknown()) {
            return ReasonCode.FULL;
        }
        if (lacking.equals(List.of(CPU))) {
            return ReasonCode.NO_CPU;
        }
        if (lacking.stream().allMatch(dimension -> dimension.endsWith(MEMORY))) {
            return ReasonCode.NO_MEMORY;
        }
        return lacking.size() == 1 ? ReasonCode.NO_RESOURCE : ReasonCode.FULL;
    }

    private static boolean add(
            List<Reason> causes, ReasonCode code, int workers, boolean said, String one, String many) {
        if (workers > 0) {
            causes.add(Reason.counted(
                    code,
                    workers,
                    (said ? Integer.toString(workers) : counted(workers, "worker", "workers")) + " "
                            + (workers == 1 ? one : many)));
        }
        return said || workers > 0;
    }

    private ResourceProfile slotOn(ClusterCapacity.Spec spec) {
        return need.isUnknown() ? spec.defaultSlot() : need;
    }

    private ClusterCapacity.Spec largestSpec() {
        return specsTooSmall.stream()
                .reduce((one, other) -> larger(one.total(), other.total()).equals(one.total()) ? one : other)
                .orElseThrow();
    }

    private static ResourceProfile larger(ResourceProfile one, ResourceProfile other) {
        int compared = Long.compare(one.heapBytes(), other.heapBytes());
        return compared > 0 || compared == 0 && one.cpuMillis() >= other.cpuMillis() ? one : other;
    }

    private static List<String> lacking(ResourceProfile free, ResourceProfile slot) {
        List<String> lacking = new ArrayList<>(2);
        if (free.cpuMillis() < slot.cpuMillis()) {
            lacking.add(CPU);
        }
        if (free.heapBytes() < slot.heapBytes()) {
            lacking.add(MEMORY);
        }
        if (free.offHeapBytes() < slot.offHeapBytes()) {
            lacking.add("off-heap " + MEMORY);
        }
        if (free.managedBytes() < slot.managedBytes()) {
            lacking.add("managed " + MEMORY);
        }
        slot.extended().forEach((name, amount) -> {
            if (free.extended().getOrDefault(name, 0L) < amount) {
                lacking.add(name);
            }
        });
        return lacking;
    }

    private static int clamp(long count) {
        return (int) Math.min(Integer.MAX_VALUE, count);
    }

    private static String counted(int count, String one, String many) {
        return count + " " + (count == 1 ? one : many);
    }
}

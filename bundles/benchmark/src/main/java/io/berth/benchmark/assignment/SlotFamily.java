package io.berth.benchmark.assignment;

import io.berth.benchmark.workload.SplitMix;
import io.berth.benchmark.workload.Workload;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.matching.AssignmentView;

/**
 * A job that has as many slots as it requires, of which all can serve by the rule {@code loose}: each slot was cut for one
 * required slot, made greater at random, and all were shuffled. So a strategy that takes the next slot that is large enough
 * may leave some over. The same for each seed. Immutable.
 */
public final class SlotFamily implements AssignmentView {

    /** How slots are greater than what is required. */
    public enum Kind {
        /** In each dimension by 0 to 3 steps. */
        loose,
        /** In one dimension by 0 to 11 steps. */
        skew
    }

    private static final int LOOSE_STEPS = 4;
    private static final int SKEW_STEPS = 12;
    private static final int CPU_STEP = 100;
    private static final long MEMORY_STEP = 256L << 20;
    private static final WorkerId WORKER = new WorkerId("w");

    private final ResourceProfile[] required;
    private final int[] counts;
    private final ResourceProfile[] slots;

    private SlotFamily(ResourceProfile[] required, int[] counts, ResourceProfile[] slots) {
        this.required = required;
        this.counts = counts;
        this.slots = slots;
    }

    /**
     * A job of that many slots, which requires slots of that many profiles.
     *
     * @param slots at least 1
     * @param profiles at least 2
     */
    public static SlotFamily of(Kind kind, int slots, int profiles, long seed) {
        Workload drawn = Workload.of(1, slots, profiles, 1, seed, 0, false);
        SplitMix random = new SplitMix(seed + 1);
        ResourceProfile[] cut = new ResourceProfile[slots];
        for (int slot = 0; slot < slots; slot++) {
            ResourceProfile exact = drawn.profile(drawn.profileOf(slot));
            int cpu;
            int memory;
            if (kind == Kind.loose) {
                cpu = random.next(LOOSE_STEPS);
                memory = random.next(LOOSE_STEPS);
            } else {
                boolean ofCpu = random.next(2) == 0;
                int steps = random.next(SKEW_STEPS);
                cpu = ofCpu ? steps : 0;
                memory = ofCpu ? 0 : steps;
            }
            cut[slot] = ResourceProfile.of(
                    exact.cpuMillis() + (long) cpu * CPU_STEP, exact.heapBytes() + memory * MEMORY_STEP);
        }
        for (int last = slots - 1; last > 0; last--) {
            int other = random.next(last + 1);
            ResourceProfile moved = cut[last];
            cut[last] = cut[other];
            cut[other] = moved;
        }
        ResourceProfile[] required = new ResourceProfile[profiles];
        for (int profile = 0; profile < profiles; profile++) {
            required[profile] = drawn.profile(profile);
        }
        return new SlotFamily(required, drawn.counts()[0], cut);
    }

    @Override
    public long now() {
        return 0;
    }

    @Override
    public long wallTime() {
        return 0;
    }

    @Override
    public int slots() {
        return slots.length;
    }

    @Override
    public ResourceProfile slotProfile(int slot) {
        return slots[slot];
    }

    @Override
    public WorkerId slotWorker(int slot) {
        return WORKER;
    }

    @Override
    public int allocatedFor(int slot) {
        return -1;
    }

    @Override
    public int requirements() {
        return required.length;
    }

    @Override
    public ResourceProfile requirementProfile(int requirement) {
        return required[requirement];
    }

    @Override
    public int count(int requirement) {
        return counts[requirement];
    }

    @Override
    public int constraints(int requirement) {
        return -1;
    }

    @Override
    public int slotConstraints(int slot) {
        return -1;
    }

    @Override
    public boolean accepts(int requirement, int slot) {
        return slots[slot].covers(required[requirement]);
    }
}

package io.berth.policy.support.packing;

import io.berth.spi.matching.WorkersView;
import java.util.BitSet;

/**
 * Specs that fulfill less of what the group of a slot prefers than another one does, of which workers may be started for
 * it.
 */
final class LessPreferredSpecs {

    /** Kinds by spec. */
    private final BitSet[] kinds;

    private LessPreferredSpecs(int specs) {
        kinds = new BitSet[specs];
        for (int spec = 0; spec < specs; spec++) {
            kinds[spec] = new BitSet();
        }
    }

    /** All are as good as any other. */
    static LessPreferredSpecs none(WorkersView workers) {
        return new LessPreferredSpecs(workers.specs());
    }

    static LessPreferredSpecs of(WorkersView workers, RequestedSlots requested) {
        LessPreferredSpecs less = none(workers);
        for (int kind = 0; kind < requested.kinds(); kind++) {
            if (requested.prefers(kind)) {
                less.add(kind, workers, requested);
            }
        }
        return less;
    }

    private void add(int kind, WorkersView workers, RequestedSlots requested) {
        int most = 0;
        for (int spec = 0; spec < kinds.length; spec++) {
            if (mayStart(kind, spec, workers, requested)) {
                most = Math.max(most, requested.preferenceOnSpec(kind, spec));
            }
        }
        for (int spec = 0; spec < kinds.length; spec++) {
            kinds[spec].set(kind, requested.preferenceOnSpec(kind, spec) < most);
        }
    }

    private static boolean mayStart(int kind, int spec, WorkersView workers, RequestedSlots requested) {
        if (workers.specLeft(spec) < 1 || !requested.feasibleOnSpec(kind, spec)) {
            return false;
        }
        int[] dimensions = requested.dimensions();
        for (int at = 0; at < dimensions.length; at++) {
            if (requested.needs()[kind * dimensions.length + at] > workers.specTotal(spec, dimensions[at])) {
                return false;
            }
        }
        return true;
    }

    boolean isEmpty() {
        for (BitSet ofSpec : kinds) {
            if (!ofSpec.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Kinds of slots for which there is a better spec. */
    BitSet kinds(int spec) {
        return kinds[spec];
    }
}

package com.example.abilities;

import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.DistributionPolicy;

/** A distribution policy that keeps nothing between its calls and admits minimums only. */
interface Admitting extends DistributionPolicy {

    void admit(DemandsView demands, AdmissionBuilder result);

    @Override
    default AdmissionSession open(DemandsView demands) {
        return new AdmissionSession() {
            @Override
            public void delta(int[] changed) {
                // The view shows it.
            }

            @Override
            public void admit(AdmissionBuilder result) {
                Admitting.this.admit(demands, result);
            }

            @Override
            public void close() {
                // Holds nothing.
            }
        };
    }

    static boolean lacksItsMinimum(DemandsView demands, int unit) {
        if (!demands.candidate(unit)) {
            return false;
        }
        for (int group = 0; group < demands.groups(unit); group++) {
            if (demands.allocated(unit, group) < demands.minimum(unit, group)) {
                return true;
            }
        }
        return false;
    }
}

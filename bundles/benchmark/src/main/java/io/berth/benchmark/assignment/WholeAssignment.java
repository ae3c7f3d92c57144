package io.berth.benchmark.assignment;

import io.berth.benchmark.measure.Measuring;
import io.berth.spi.matching.AssignmentBuilder;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.AssignmentView;

/** One call of a strategy that assigns all slots of a job, without a host. */
public final class WholeAssignment implements Measuring.Subject {

    private final AssignmentSession session;
    private final AssignmentView input;
    private int assigned;

    public WholeAssignment(AssignmentSession session, AssignmentView input) {
        this.session = session;
        this.input = input;
    }

    /** How many slots serve after the last run. */
    public int assigned() {
        return assigned;
    }

    @Override
    public void restore() {
        // The input does not change.
    }

    @Override
    public void run() {
        boolean[] serves = new boolean[input.slots()];
        int[] got = new int[input.requirements()];
        int[] count = new int[1];
        session.assign(input, new AssignmentBuilder() {

            @Override
            public void assign(int slot, int requirement) {
                if (serves[slot]
                        || got[requirement]++ == input.count(requirement)
                        || !input.accepts(requirement, slot)) {
                    throw new IllegalStateException("slot " + slot + " may not serve requirement " + requirement);
                }
                serves[slot] = true;
                count[0]++;
            }

            @Override
            public void unassigned(int requirement, String reason) {
                // How many serve says it.
            }

            @Override
            public void reviewAfter(long millis) {
                // There is one call.
            }
        });
        assigned = count[0];
    }
}

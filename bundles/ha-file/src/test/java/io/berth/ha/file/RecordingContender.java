package io.berth.ha.file;

import io.berth.spi.ha.LeaderElection.Contender;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Records its callbacks, and checks that no two contenders of one role lead at once and that grants and revocations
 * alternate.
 */
final class RecordingContender implements Contender {

    /** How many contenders of one role lead. */
    static final class Leadership {
        private final AtomicInteger leaders = new AtomicInteger();
        final List<Long> epochs = new CopyOnWriteArrayList<>();
        final List<String> faults = new CopyOnWriteArrayList<>();
    }

    final List<String> events = new CopyOnWriteArrayList<>();
    private final Leadership leadership;
    private volatile long leads;

    RecordingContender(Leadership leadership) {
        this.leadership = leadership;
    }

    @Override
    public void granted(long epoch) {
        if (leads != 0) {
            leadership.faults.add("granted " + epoch + " while it leads in " + leads);
        }
        if (leadership.leaders.incrementAndGet() > 1) {
            leadership.faults.add("granted " + epoch + " while another leads");
        }
        leadership.epochs.add(epoch);
        leads = epoch;
        events.add("granted");
    }

    @Override
    public void revoked(String cause) {
        if (leads == 0) {
            leadership.faults.add("revoked while it does not lead: " + cause);
        }
        end();
        events.add("revoked: " + cause);
    }

    /** Ends the term, as a role does before it closes its contender. */
    void end() {
        if (leads != 0) {
            leads = 0;
            leadership.leaders.decrementAndGet();
        }
    }

    boolean leads() {
        return leads != 0;
    }

    long epoch() {
        return leads;
    }
}

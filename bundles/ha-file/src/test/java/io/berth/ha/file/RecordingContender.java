package io.berth.ha.file;

import io.berth.spi.ha.LeaderElection.Contender;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Remembers what it was told, and checks that no two of one role lead at once and that grants and revocations alternate. */
final class RecordingContender implements Contender {

    /** How many of one role lead. */
    static final class Seat {
        private final AtomicInteger leaders = new AtomicInteger();
        final List<Long> epochs = new CopyOnWriteArrayList<>();
        final List<String> faults = new CopyOnWriteArrayList<>();
    }

    final List<String> events = new CopyOnWriteArrayList<>();
    private final Seat seat;
    private volatile long leads;

    RecordingContender(Seat seat) {
        this.seat = seat;
    }

    @Override
    public void granted(long epoch) {
        if (leads != 0) {
            seat.faults.add("granted " + epoch + " while it leads in " + leads);
        }
        if (seat.leaders.incrementAndGet() > 1) {
            seat.faults.add("granted " + epoch + " while another leads");
        }
        seat.epochs.add(epoch);
        leads = epoch;
        events.add("granted");
    }

    @Override
    public void revoked(String cause) {
        if (leads == 0) {
            seat.faults.add("revoked while it does not lead: " + cause);
        }
        end();
        events.add("revoked: " + cause);
    }

    /** What a role does before it closes its candidacy. */
    void end() {
        if (leads != 0) {
            leads = 0;
            seat.leaders.decrementAndGet();
        }
    }

    boolean leads() {
        return leads != 0;
    }

    long epoch() {
        return leads;
    }
}

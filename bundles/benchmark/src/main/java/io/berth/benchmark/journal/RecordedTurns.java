package io.berth.benchmark.journal;

import io.berth.benchmark.decision.DecisionTimes;
import io.berth.benchmark.decision.KeptTimes;
import io.berth.benchmark.decision.Policies;
import io.berth.benchmark.decision.Turns;
import io.berth.benchmark.measure.Figures;
import io.berth.benchmark.measure.ThreadTime;
import io.berth.benchmark.report.Report;

/** Decisions with and without the journal, in turns, of which each round begins with another one than the round before. */
public final class RecordedTurns {

    private static final int UNCOUNTED = Turns.TURN / 10;

    private final DecisionTimes decisions;
    private final JournalFolder journal;
    private final KeptTimes ownerWithout = new KeptTimes();
    private final KeptTimes ownerWith = new KeptTimes();
    private final Figures plannerWithout = new Figures();
    private final Figures plannerWith = new Figures();
    private final Figures plannerAdded = new Figures();
    private final Figures written = new Figures();

    public RecordedTurns(DecisionTimes decisions, JournalFolder journal) {
        this.decisions = decisions;
        this.journal = journal;
    }

    /** Decisions that do not count. */
    public void warm(int made) {
        journal.record(true);
        decisions.warm(made);
        journal.record(false);
        decisions.warm(made);
    }

    public void take(int rounds) {
        for (int round = 0; round < rounds; round++) {
            long with;
            long without;
            if (round % 2 == 0) {
                without = without();
                with = with();
            } else {
                with = with();
                without = without();
            }
            plannerWithout.add(without, 0, 0);
            plannerWith.add(with, 0, 0);
            plannerAdded.add(with - without, 0, 0);
        }
    }

    private long without() {
        return turn(ownerWithout);
    }

    private long with() {
        journal.record(true);
        // The state of the pool is written with the first decision, which does not count.
        decisions.warm(UNCOUNTED);
        journal.awaitWritten();
        long bytes = journal.bytes();
        long nanos = ThreadTime.nanos(JournalFolder.THREAD);
        long planner = turn(ownerWith);
        journal.awaitWritten();
        long grown = journal.bytes() - bytes;
        if (grown <= 0) {
            throw new IllegalStateException("the journal wrote nothing: is there room in " + journal.folder() + "?");
        }
        written.add(ThreadTime.nanos(JournalFolder.THREAD) - nanos, 0, grown);
        journal.record(false);
        decisions.warm(UNCOUNTED);
        return planner;
    }

    /** @return processor time of the threads of the planner */
    private long turn(KeptTimes owner) {
        long nanos = ThreadTime.nanos(Policies.MAIN_THREADS);
        owner.add(decisions.take(Turns.TURN));
        return ThreadTime.nanos(Policies.MAIN_THREADS) - nanos;
    }

    /** Adds what a decision costs to a report. */
    public void write(Report report) {
        report.spread("plannerMicrosWithout", plannerWithout.cpuNanos(), 1e3 * Turns.TURN)
                .spread("plannerMicrosWith", plannerWith.cpuNanos(), 1e3 * Turns.TURN)
                .spread("plannerMicrosAdded", plannerAdded.cpuNanos(), 1e3 * Turns.TURN)
                .spread("journalMicros", written.cpuNanos(), 1e3 * Turns.TURN)
                .spread("bytesPerDecision", written.bytes(), Turns.TURN);
        ownerWithout.write(report, "without");
        ownerWith.write(report, "with");
    }
}

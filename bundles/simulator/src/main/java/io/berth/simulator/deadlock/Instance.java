package io.berth.simulator.deadlock;

import io.berth.core.api.job.JobGraph;
import io.berth.simulator.time.VirtualTime;
import io.berth.spi.ResourceProfile;
import java.util.List;
import java.util.OptionalLong;

/**
 * A small cluster and the jobs that compete for its slots. Each unit fits on it when it has the cluster for itself.
 *
 * @param inOrder whether older jobs have precedence; otherwise no job has
 * @param spreadNanos how much longer than others a message may take
 */
record Instance(
        long seed,
        Figure figure,
        List<Machine> machines,
        List<Submission> jobs,
        List<Loss> losses,
        Matching matching,
        boolean inOrder,
        long spreadNanos) {

    /** What is drawn; three of four have an example in a document. */
    enum Figure {
        /** FLIP-156, Resource Deadlock: regions {A, B} and {C, D} that E reads, and two slots. */
        FLIP_156,
        /** FLIP-119, deadlock of pipelined regions: regions (A1, B1), (A2, B2) and so on, and two slots. */
        FLIP_119,
        /** Two batch jobs on one cluster. */
        TWO_JOBS,
        /** Two batch jobs on one cluster that loses workers, and their slots with them. */
        LOST_WORKER
    }

    /** The matching strategy. */
    enum Matching {
        FIRST_FIT,
        SPREAD,
        PACK
    }

    Instance {
        machines = List.copyOf(machines);
        jobs = List.copyOf(jobs);
        losses = List.copyOf(losses);
    }

    /** A worker. */
    record Machine(ResourceProfile total, long startNanos) {}

    record Submission(JobGraph job, long atNanos) {}

    /**
     * A worker dies. Times count from its start.
     *
     * @param machine its place in the list
     * @param backInNanos when one of the same size starts; empty: never
     */
    record Loss(int machine, long inNanos, OptionalLong backInNanos) {}

    /** In one line, without what the seed tells. */
    @Override
    public String toString() {
        return figure + ", " + machines.size() + " workers, " + losses.size() + " of them lost, " + matching
                + (inOrder ? ", in order" : ", in any order") + ", messages spread over "
                + spreadNanos / VirtualTime.MILLI + " ms";
    }
}

package io.berth.simulator.recovery;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.simulator.job.JobStore;
import io.berth.simulator.job.Records;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lets the tasks of a world without faults go on: each job with blocking edges must end, unless it waits for room. What it
 * commits is checked when it does so.
 */
public final class Finishing {

    /** Several times what the longest job takes, with its own failures. */
    private static final long MAX_NANOS = 1_500 * VirtualTime.SECOND;

    private static final long STEP_NANOS = 5 * VirtualTime.SECOND;
    /** Then tasks stand still again, and units that were about to start run. */
    private static final long STILL_NANOS = 60 * VirtualTime.SECOND;

    private Finishing() {}

    /** Takes virtual time. Returns what is wrong. */
    public static List<String> problems(World world) {
        List<JobStore.Stored> jobs = world.jobs.unfinished().stream()
                .filter(job -> Records.areKept(job.graph()))
                .toList();
        Holdings holdings = new Holdings(world);
        world.finishing(true);
        long end = world.time.now() + MAX_NANOS;
        while (world.time.now() < end && jobs.stream().anyMatch(job -> !job.hasEnded())) {
            holdings.watch(STEP_NANOS);
        }
        world.finishing(false);
        List<JobStore.Stored> left =
                jobs.stream().filter(job -> !job.hasEnded()).toList();
        if (left.isEmpty()) {
            return List.of();
        }
        holdings.watch(STILL_NANOS);
        Convergence.Look look = Convergence.at(world);
        List<String> problems = new ArrayList<>(look.problems());
        for (JobStore.Stored job : left) {
            Optional<JobDetails> details = look.job(job.graph().id());
            if (!job.hasEnded()
                    && details.filter(known -> known.status() == JobStatus.WAITING_FOR_RESOURCES)
                            .isEmpty()) {
                problems.add("J: job " + job.graph().id() + " has not ended " + MAX_NANOS / VirtualTime.SECOND
                        + " s after the last fault: "
                        + details.map(known -> known.status() + " " + known.reason() + " " + known.vertices())
                                .orElse("its JobMaster does not answer"));
            }
        }
        return problems;
    }
}

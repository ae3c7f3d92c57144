package io.berth.simulator.job;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobGraph;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.Trace;
import io.berth.spi.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** The jobs of a world, and which of them have ended. It survives all processes. */
public final class JobStore {

    private static final int MAX_SLOTS = 3;

    /** Observes the ends of jobs. */
    public interface Listener {

        /** @param jobMaster that reports it */
        void ended(Stored job, JobMasterId jobMaster, JobDetails details);
    }

    /** A job. */
    public static final class Stored {
        public final long submittedMillis;
        private JobGraph graph;
        private Optional<JobDetails> end = Optional.empty();
        private boolean cancelRequested;

        Stored(JobGraph graph, long submittedMillis) {
            this.graph = graph;
            this.submittedMillis = submittedMillis;
        }

        /** With the bounds that it has now. */
        public JobGraph graph() {
            return graph;
        }

        public boolean hasEnded() {
            return end.isPresent();
        }

        public Optional<JobDetails> end() {
            return end;
        }

        /** Whether somebody asked its JobMaster to cancel it. */
        public boolean isCancelRequested() {
            return cancelRequested;
        }

        public void cancelRequested() {
            cancelRequested = true;
        }
    }

    private final Incarnation outside;
    private final Trace trace;
    private final Listener listener;
    private final Supplier<JobShapes> drawing;
    private final SortedMap<JobId, Stored> jobs = new TreeMap<>();
    private long submitted;
    private Optional<JobShapes> shapes = Optional.empty();

    /**
     * @param outside the process whose clock gives the submission time of a job
     * @param drawing draws the jobs that run; asked once, when the first ones are submitted
     */
    public JobStore(Incarnation outside, Trace trace, Listener listener, Supplier<JobShapes> drawing) {
        this.outside = outside;
        this.trace = trace;
        this.listener = listener;
        this.drawing = drawing;
    }

    /** Submits jobs until {@code count} of them run. */
    public void keep(int count) {
        JobShapes drawn = shapes.orElseGet(drawing);
        shapes = Optional.of(drawn);
        while (unfinished().size() < count) {
            JobId id = new JobId("job-" + (submitted + 1));
            submit(drawn.drawn(id, submitted + 1, MAX_SLOTS));
        }
    }

    /** Submits a given job. */
    public void submit(JobGraph graph) {
        submitted++;
        jobs.put(graph.id(), new Stored(graph, outside.wallMillis()));
        trace.log("job " + graph.id() + " is submitted");
    }

    /** A user changes the bounds of a job. The job that may need too much keeps them: the world is made for it. */
    public void changeBounds(JobId id, RandomGenerator random) {
        Stored job = Objects.requireNonNull(jobs.get(id));
        if (job.graph.submissionIndex() != UnsatisfiableDemand.JOB) {
            job.graph = job.graph.with(JobShapes.otherBounds(job.graph, random, MAX_SLOTS));
            trace.log("job " + id + " has " + job.graph.bounds());
        }
    }

    /** A JobMaster reports the end of a job, once. */
    public void ended(Stored job, JobMasterId jobMaster, JobDetails details) {
        if (!job.hasEnded()) {
            job.end = Optional.of(details);
            trace.log("job " + job.graph.id() + " has ended: " + details.status() + " " + details.reason());
            listener.ended(job, jobMaster, details);
        }
    }

    public Optional<Stored> find(JobId id) {
        return Optional.ofNullable(jobs.get(id));
    }

    public List<Stored> unfinished() {
        return jobs.values().stream().filter(job -> !job.hasEnded()).toList();
    }

    public List<Stored> all() {
        return new ArrayList<>(jobs.values());
    }
}

package io.berth.client;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/** A job of the control plane. Each method that asks the control plane may throw {@link BerthException}. Thread-safe. */
public final class Job {

    private final RestClient rest;
    private final Waits waits;
    private final String id;

    Job(RestClient rest, Waits waits, String id) {
        this.rest = rest;
        this.waits = waits;
        this.id = id;
    }

    public String id() {
        return id;
    }

    /** How the job is now. */
    public JobInfo info() {
        return JobInfo.of(rest.get(path("")));
    }

    private String path(String more) {
        return "jobs/" + RestClient.encode(id) + more;
    }

    /**
     * Waits for the end of the job, however it ends.
     *
     * @throws TimeoutException when it runs on; the message says how it is
     */
    public JobInfo awaitEnd(Duration timeout) throws InterruptedException, TimeoutException {
        return await(info -> info.status().isTerminal(), timeout);
    }

    /** Waits until the job runs, or has ended. */
    public JobInfo awaitRunning(Duration timeout) throws InterruptedException, TimeoutException {
        return await(
                info -> info.status() == JobStatus.EXECUTING || info.status().isTerminal(), timeout);
    }

    /**
     * Waits until the job is as wished. While the control plane does not answer it goes on to ask, because a job outlives
     * a restart of the control plane.
     */
    public JobInfo await(Predicate<JobInfo> wished, Duration timeout) throws InterruptedException, TimeoutException {
        long until = waits.nanos() + timeout.toNanos();
        String last = "no answer yet";
        for (int turn = 0; ; turn++) {
            try {
                JobInfo info = info();
                if (wished.test(info)) {
                    return info;
                }
                last = info.status() + (info.reason().isEmpty() ? "" : ", " + info.reason());
            } catch (BerthException failure) {
                if (failure.kind() != BerthException.Kind.UNREACHABLE) {
                    throw failure;
                }
                last = String.valueOf(failure.getMessage());
            }
            long left = until - waits.nanos();
            if (left <= 0) {
                throw new TimeoutException("job " + id + " after " + timeout.toMillis() + " ms: " + last);
            }
            waits.pause(Math.min(Duration.ofNanos(left).toMillis() + 1, pauseMillis(turn)));
        }
    }

    /** Short jobs are seen to end at once, long ones cost little. */
    private static long pauseMillis(int turn) {
        return Math.min(500, 20L << Math.min(turn, 5));
    }

    /** Cancels the job. Returns at once; {@link #awaitEnd} waits for its end. */
    public void cancel() {
        rest.post(path("/cancel"), "application/json", "");
    }

    /** What the job requires now. */
    public Requirements requirements() {
        return Requirements.of(rest.get(path("/requirements")));
    }

    /** Changes the bounds of the parallelism of one vertex while the job runs; the maximum is desired. */
    public Requirements scale(String vertex, int minimum, int maximum) {
        return change(requirements().with(vertex, minimum, maximum));
    }

    /**
     * Changes the bounds of the parallelism while the job runs. They are stored when this returns; the job follows them as
     * it can.
     *
     * @throws BerthException of the kind {@code CONFLICT} when the job has requirements of another revision by now
     */
    public Requirements change(Requirements wished) {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("revision", wished.revision());
        ArrayNode vertices = body.putArray("vertices");
        for (Requirements.Bounds bounds : wished.vertices()) {
            vertices.addObject()
                    .put("vertex", bounds.vertex())
                    .put("minimum", bounds.minimum())
                    .put("desired", bounds.desired())
                    .put("maximum", bounds.maximum());
        }
        return Requirements.of(rest.put(path("/requirements"), body.toString()));
    }

    @Override
    public String toString() {
        return id;
    }
}

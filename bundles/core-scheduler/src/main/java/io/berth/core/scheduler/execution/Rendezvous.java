package io.berth.core.scheduler.execution;

import io.berth.core.api.task.AttemptId;

/**
 * The address at which the tasks of a vertex meet: the machine of subtask 0, and a port that follows from its attempt. So
 * all of them know it when they start, without a message, and the next attempt has another port. The port is not reserved:
 * when another program has it, the task says so and fails, and its next attempt is elsewhere.
 */
final class Rendezvous {

    /** Below the ports that systems give to outgoing connections. */
    static final int FIRST_PORT = 20_000;

    static final int PORTS = 10_000;

    private Rendezvous() {}

    /** @param dataAddress of the worker that runs the attempt, HOST:PORT; empty when it is gone */
    static String of(AttemptId first, String dataAddress) {
        int colon = dataAddress.lastIndexOf(':');
        if (colon < 1) {
            return "";
        }
        int port = FIRST_PORT + Math.floorMod(first.toString().hashCode(), PORTS);
        return dataAddress.substring(0, colon) + ":" + port;
    }
}

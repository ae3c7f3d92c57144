package io.berth.itests;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * Ports for processes that must be told which one to use. A port that was merely free a moment ago could be given to
 * any other socket before the process listens at it. So these are below the range from which the operating system
 * chooses, and each is claimed until this process ends: by listening at another port, a fixed distance above.
 */
final class FreePorts {

    private static final int FIRST = 12_000;
    private static final int COUNT = 10_000;
    private static final List<ServerSocket> CLAIMS = new ArrayList<>();

    /** Processes that run at the same time begin at different places. */
    private static int next = (int) (ProcessHandle.current().pid() * 101 % COUNT);

    private FreePorts() {}

    static synchronized int next() {
        for (int tried = 0; tried < COUNT; tried++) {
            int port = FIRST + next;
            next = (next + 1) % COUNT;
            if (claimed(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port from " + FIRST + " to " + (FIRST + COUNT - 1));
    }

    private static boolean claimed(int port) {
        try (ServerSocket probe = new ServerSocket(port)) {
            CLAIMS.add(new ServerSocket(port + COUNT, 1, InetAddress.getLoopbackAddress()));
            return probe.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}

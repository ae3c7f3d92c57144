package io.berth.itests.faulty;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

/** Faults that are possible in any call. A deed that is not listed here is a fault of the result, or none. */
final class Deeds {

    private Deeds() {}

    static void act(FaultyCode faulty) {
        switch (faulty.deed) {
            case "runtime-exception" -> throw new IllegalStateException("on purpose");
            case "error" -> throw new AssertionError("on purpose");
            case "stack-overflow" -> deeper(1);
            case "out-of-memory" -> throw new OutOfMemoryError("on purpose");
            case "thread-death" -> throw new ThreadDeath();
            case "linkage" -> throw new NoClassDefFoundError("com/example/Missing");
            case "checked" -> sneaky(new Exception("on purpose"));
            case "hostile-message" -> throw new Hostile();
            case "huge-message" -> throw new IllegalStateException("x".repeat(8 << 20));
            case "interrupted" -> {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("leaves its thread interrupted");
            }
            case "sleep" -> sleep();
            case "loop" -> loop(faulty);
            case "deadlock" -> deadlock(faulty);
            case "network" -> network(faulty);
            case "activator-loop" -> loop(faulty);
            default -> Abuses.act(faulty);
        }
    }

    private static int deeper(int depth) {
        return deeper(depth + 1) + depth;
    }

    @SuppressWarnings("unchecked")
    static <T extends Throwable> void sneaky(Throwable throwable) throws T {
        throw (T) throwable;
    }

    private static void sleep() {
        try {
            TimeUnit.SECONDS.sleep(10);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException("was interrupted", interrupted);
        }
    }

    /** Neither an interrupt nor a deadline ends it. */
    static void loop(FaultyCode faulty) {
        long rounds = 0;
        while (faulty.mercy().getCount() > 0) {
            rounds++;
            if (rounds % 64 == 0) {
                java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
            }
        }
    }

    /** Stays until the end of the test and needs no processor, so that other calls of the test are not slow. */
    static void stay(FaultyCode faulty) {
        while (faulty.mercy().getCount() > 0) {
            try {
                faulty.mercy().await();
            } catch (InterruptedException ignored) {
                faulty.called("interrupted");
            }
        }
    }

    /** Two of its own threads wait for each other's lock; this one waits for the first. */
    private static void deadlock(FaultyCode faulty) {
        Object lock = new Object();
        Thread holder = new Thread(
                () -> {
                    synchronized (lock) {
                        loop(faulty);
                    }
                },
                "faulty-" + faulty.name + "-holder");
        holder.setDaemon(true);
        holder.start();
        while (!Thread.holdsLock(lock) && holder.getState() == Thread.State.NEW) {
            Thread.onSpinWait();
        }
        while (holder.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        synchronized (lock) {
            lock.notifyAll();
        }
    }

    /** Reads from a peer that never writes; ignores interrupts, as sockets do. */
    private static void network(FaultyCode faulty) {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket peer = server.accept()) {
            Thread ending = new Thread(
                    () -> {
                        loop(faulty);
                        try {
                            client.close();
                        } catch (java.io.IOException closed) {
                            throw new IllegalStateException(closed);
                        }
                    },
                    "faulty-" + faulty.name + "-closer");
            ending.setDaemon(true);
            ending.start();
            InputStream in = client.getInputStream();
            int read = in.read();
            throw new IllegalStateException("read " + read + " from " + peer);
        } catch (java.io.IOException closed) {
            throw new IllegalStateException("the connection ended", closed);
        }
    }

    /** Even asking for its message is a mistake. */
    static final class Hostile extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            return null;
        }

        @Override
        public String toString() {
            throw new IllegalStateException("no text");
        }
    }
}

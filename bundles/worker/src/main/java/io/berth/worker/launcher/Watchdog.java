package io.berth.worker.launcher;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Halts the process when an operation takes too long and nothing else can stop it. */
final class Watchdog implements AutoCloseable {

    private final CountDownLatch done = new CountDownLatch(1);

    /**
     * @param what the operation, for the message
     * @param exitCode of the halted process
     */
    Watchdog(String what, long millis, int exitCode) {
        Thread thread = new Thread(() -> watch(what, millis, exitCode), "berth-worker-watchdog");
        thread.setDaemon(true);
        thread.start();
    }

    private void watch(String what, long millis, int exitCode) {
        try {
            if (!done.await(millis, TimeUnit.MILLISECONDS)) {
                System.err.println("berth-worker: " + what + " takes longer than " + millis + " ms: halting");
                Runtime.getRuntime().halt(exitCode);
            }
        } catch (InterruptedException interrupted) {
            // Nobody interrupts this thread; otherwise the process ends by other means.
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        done.countDown();
    }
}

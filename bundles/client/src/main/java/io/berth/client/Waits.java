package io.berth.client;

import java.util.concurrent.TimeUnit;

/** Time, so that a test can advance it. */
interface Waits {

    Waits REAL = new Waits() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void pause(long millis) throws InterruptedException {
            TimeUnit.MILLISECONDS.sleep(millis);
        }
    };

    /** Monotonic. */
    long nanos();

    void pause(long millis) throws InterruptedException;
}

package io.berth.core.policies.framework;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.time.SystemTimers;
import io.berth.core.policies.guard.GuardThreads;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StoppedBundleCleanupTest {

    @Test
    void namesAndInterruptsThreadsThatWereStartedInCallsIntoABundle() throws Exception {
        try (URLClassLoader loader = new URLClassLoader(new URL[0]);
                URLClassLoader other = new URLClassLoader(new URL[0])) {
            CountDownLatch interrupted = new CountDownLatch(1);
            Thread left = waiting("left-behind", loader, interrupted);
            Thread guarded = waiting(GuardThreads.PREFIX + "villain-1", loader, new CountDownLatch(1));
            Thread foreign = waiting("of-another", other, new CountDownLatch(1));
            assertThat(StoppedBundleCleanup.clean(loader))
                    .isEqualTo("1 threads, which are interrupted now and hold its classes until they end: left-behind");
            interrupted.await();
            await().until(() -> !left.isAlive());
            assertThat(guarded.isAlive()).isTrue();
            assertThat(foreign.isAlive()).isTrue();
            assertThat(StoppedBundleCleanup.clean(loader)).isEmpty();
            guarded.interrupt();
            foreign.interrupt();
        }
    }

    @Test
    void aThreadThatBlocksInInterruptDelaysNeitherTheHostNorLaterCleanups() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        try (URLClassLoader loader = new URLClassLoader(new URL[0]);
                URLClassLoader other = new URLClassLoader(new URL[0]);
                SystemTimers timers = new SystemTimers("test-timers");
                StoppedBundleCleanup cleanup = new StoppedBundleCleanup(timers)) {
            Thread stubborn = new Stubborn(asked, mayEnd);
            stubborn.setContextClassLoader(loader);
            stubborn.setDaemon(true);
            stubborn.start();
            waiting("of-another", other, interrupted);
            cleanup.cleanUp(List.of(new StoppedBundleCleanup.Seen("villain", "1", new WeakReference<>(loader))));
            assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
            cleanup.cleanUp(List.of(new StoppedBundleCleanup.Seen("another", "1", new WeakReference<>(other))));
            assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
        } finally {
            mayEnd.countDown();
        }
    }

    private static final class Stubborn extends Thread {
        private final CountDownLatch asked;
        private final CountDownLatch mayEnd;

        private Stubborn(CountDownLatch asked, CountDownLatch mayEnd) {
            super("stubborn");
            this.asked = asked;
            this.mayEnd = mayEnd;
        }

        @Override
        public void run() {
            spin();
        }

        @Override
        public void interrupt() {
            asked.countDown();
            spin();
        }

        private void spin() {
            while (mayEnd.getCount() > 0) {
                Thread.yield();
            }
        }
    }

    private static Thread waiting(String name, ClassLoader loader, CountDownLatch interrupted) {
        Thread thread = new Thread(
                () -> {
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException ended) {
                        interrupted.countDown();
                    }
                },
                name);
        thread.setContextClassLoader(loader);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}

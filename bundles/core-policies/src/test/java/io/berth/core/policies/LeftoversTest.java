package io.berth.core.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LeftoversTest {

    @Test
    void namesAndInterruptsThreadsThatBeganInCallsIntoABundle() throws Exception {
        try (URLClassLoader loader = new URLClassLoader(new URL[0]);
                URLClassLoader other = new URLClassLoader(new URL[0])) {
            CountDownLatch interrupted = new CountDownLatch(1);
            Thread left = waiting("left-behind", loader, interrupted);
            Thread guarded = waiting(GuardThreads.PREFIX + "villain-1", loader, new CountDownLatch(1));
            Thread foreign = waiting("of-another", other, new CountDownLatch(1));
            assertThat(Leftovers.clean(loader))
                    .isEqualTo("1 threads, which are interrupted now and hold its classes until they end: left-behind");
            interrupted.await();
            await().until(() -> !left.isAlive());
            assertThat(guarded.isAlive()).isTrue();
            assertThat(foreign.isAlive()).isTrue();
            assertThat(Leftovers.clean(loader)).isEmpty();
            guarded.interrupt();
            foreign.interrupt();
        }
    }

    private static Thread waiting(String name, ClassLoader loader, CountDownLatch interrupted) {
        Thread thread = new Thread(() -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException ended) {
                interrupted.countDown();
            }
        }, name);
        thread.setContextClassLoader(loader);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}

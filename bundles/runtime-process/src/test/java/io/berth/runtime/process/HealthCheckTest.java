package io.berth.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.process.ProcessSettings.Health;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class HealthCheckTest {

    private static final long LIMIT_SECONDS = 60;

    @Test
    void theEndDoesNotWaitForAStartThatHangsAndNothingIsLeft() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch hangs = new CountDownLatch(1);
        CompletableFuture<ProcessGroup> started = new CompletableFuture<>();
        HealthCheck check = new HealthCheck(
                "task",
                new Health(List.of("sleep"), 1, 1_000_000, 1),
                () -> {
                    inside.countDown();
                    try {
                        hangs.await();
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                    }
                    ProcessGroup group = ProcessGroup.start(
                            List.of("/bin/sh", "-c", "sleep 300"), Path.of("/"), new TreeMap<>(System.getenv()));
                    started.complete(group);
                    return group;
                },
                what -> {});
        check.start();
        assertThat(inside.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();

        // The main thread of the worker must not wait for the start.
        check.close();
        hangs.countDown();

        ProcessGroup late = started.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertThat(late.waitFor(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS))).isTrue();
    }
}

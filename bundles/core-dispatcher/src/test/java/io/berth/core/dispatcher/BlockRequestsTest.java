package io.berth.core.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerBlock;
import io.berth.core.api.job.Problem;
import io.berth.core.api.operations.ClusterOperations.BlockResult;
import io.berth.spi.WorkerId;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlockRequestsTest {

    private final List<String> calls = new ArrayList<>();
    private List<WorkerBlock> answer = List.of(new WorkerBlock(new WorkerId("w1"), 600_000, "disk"));

    private CompletionStage<ResourceManagerGateway> resourceManager() {
        return CompletableFuture.completedFuture((ResourceManagerGateway) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ResourceManagerGateway.class}, (proxy, method, given) -> {
                    calls.add(method.getName() + " " + Arrays.toString(given));
                    return CompletableFuture.completedFuture(answer);
                }));
    }

    private BlockResult block(String worker, String duration, String reason) {
        return BlockRequests.block(worker, duration, reason, this::resourceManager)
                .toCompletableFuture()
                .join();
    }

    private List<Problem> refused(BlockResult result) {
        assertThat(result).isInstanceOf(BlockResult.Refused.class);
        return ((BlockResult.Refused) result).problems();
    }

    @ParameterizedTest
    @CsvSource({"1s, 1000", "10m, 600000", "2h, 7200000", "30d, 2592000000", "0010s, 10000"})
    void blocksForTheGivenTime(String duration, long millis) {
        assertThat(block(" w1 ", duration, " its disk is full ")).isEqualTo(new BlockResult.Done(answer));
        assertThat(calls).containsExactly("blockWorkers [w1, " + millis + ", its disk is full]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10", "10x", "-1s", "0s", "31d", "1h30m", "99999999999s", "1.5h", "10 m", "m"})
    void refusesOtherTimes(String duration) {
        assertThat(refused(block("w1", duration, "disk")))
                .containsExactly(new Problem(
                        "for",
                        "'" + duration + "'",
                        "allowed is a number with s, m, h or d, from 1s to 30d, for example 10m"));
        assertThat(calls).isEmpty();
    }

    @Test
    void reportsAllProblemsOfARequestAtOnce() {
        assertThat(refused(block(" ", "x", "two\nlines")))
                .extracting(Problem::field)
                .containsExactly("worker", "for", "reason");
        assertThat(refused(block("w1", "1s", "")))
                .singleElement()
                .asString()
                .isEqualTo("reason is '': allowed is one line of 1 to 200 characters");
        assertThat(refused(block("w1", "1s", "x".repeat(201))))
                .extracting(Problem::field)
                .containsExactly("reason");
        assertThat(calls).isEmpty();
    }

    @Test
    void reportsAnUnknownWorker() {
        answer = List.of();
        assertThat(refused(block("w9", "1s", "x")))
                .singleElement()
                .asString()
                .startsWith("worker is 'w9': allowed is the id or the address of a worker, HOST:PORT or HOST");
        assertThat(refused(BlockRequests.unblock("w1", this::resourceManager)
                        .toCompletableFuture()
                        .join()))
                .singleElement()
                .asString()
                .isEqualTo("worker is 'w1': allowed is the id or the address of a worker that is blocked");
    }

    @Test
    void unblocksAWorker() {
        assertThat(BlockRequests.unblock("w1", this::resourceManager)
                        .toCompletableFuture()
                        .join())
                .isEqualTo(new BlockResult.Done(answer));
        assertThat(calls).containsExactly("unblockWorkers [w1]");
    }
}

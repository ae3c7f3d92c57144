package io.berth.core.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.ClusterDetails.WorkerDetails;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.log.LogFilter;
import io.berth.core.api.log.LogList;
import io.berth.core.api.log.LogPart;
import io.berth.core.api.log.LogRequest;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The details of the cluster come from the current ResourceManager. */
class ClusterQuestionTest {

    @TempDir
    Path directory;

    /** A ResourceManager with that number of workers. */
    private ResourceManagerGateway resourceManager(int workers) {
        List<WorkerDetails> details = java.util.stream.IntStream.rangeClosed(1, workers)
                .mapToObj(number -> new WorkerDetails(
                        "w" + number, "registered", "local", "small", "", "", "", 2, 0, 0, new TreeMap<>()))
                .toList();
        return (ResourceManagerGateway) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ResourceManagerGateway.class},
                (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("clusterDetails");
                    return CompletableFuture.completedFuture(new ClusterDetails(details, List.of()));
                });
    }

    @Test
    void logsComeFromTheResourceManager() throws IOException {
        LogFilter filter = LogFilter.of(new JobId("words"));
        LogList list = new LogList(List.of(), 3, List.of(new WorkerId("w9")));
        LogRequest request = LogRequest.ofWorker(5, 10);
        LogPart part = new LogPart(true, 5, 6, 7, new byte[1]);
        TestControlPlane plane = new TestControlPlane(directory);
        plane.start();
        plane.cluster.resourceManager = Optional.of(PartialGateway.of(ResourceManagerGateway.class, new Object() {
            public CompletionStage<LogList> listLogs(LogFilter asked) {
                return CompletableFuture.completedFuture(asked.equals(filter) ? list : LogList.NONE);
            }

            public CompletionStage<LogPart> readLog(WorkerId worker, LogRequest asked) {
                return CompletableFuture.completedFuture(
                        worker.value().equals("w1") && asked.equals(request) ? part : LogPart.NONE);
            }
        }));

        assertThat(TestControlPlane.now(plane.term.cluster().taskLogs(filter))).isEqualTo(list);
        assertThat(TestControlPlane.now(plane.term.cluster().readLog(new WorkerId("w1"), request)))
                .contains(part);
        assertThat(TestControlPlane.now(plane.term.cluster().readLog(new WorkerId("w2"), request)))
                .isEmpty();
    }

    @Test
    void c41_theClusterIsUnknownUntilAnotherResourceManagerLeads() throws IOException {
        TestControlPlane plane = new TestControlPlane(directory);
        plane.start();
        plane.cluster.resourceManager = Optional.of(resourceManager(2));
        assertThat(TestControlPlane.now(plane.term.cluster().cluster()).workers())
                .hasSize(2);

        plane.cluster.resourceManager = Optional.empty();
        assertThat(plane.term.cluster().cluster().toCompletableFuture()).isCompletedExceptionally();

        plane.cluster.resourceManager = Optional.of(resourceManager(1));
        assertThat(TestControlPlane.now(plane.term.cluster().cluster()).workers())
                .hasSize(1);
    }
}

package io.berth.runtime.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.FencingToken;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.FailureKind;
import io.berth.core.api.task.TaskContext;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskDeployment.ChainedOperator;
import io.berth.core.api.task.TaskHandle;
import io.berth.core.api.task.TaskHandle.Outcome;
import io.berth.dataflow.api.PermanentException;
import io.berth.dataflow.api.service.ServiceContext;
import io.berth.dataflow.api.service.ServiceFactory;
import io.berth.dataflow.api.service.ServiceTask;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServiceRuntimeTest {

    private static final long LIMIT_SECONDS = 60;
    private static final EndpointRef REF =
            new EndpointRef(new RpcAddress("h", 1), EndpointName.DISPATCHER, new FencingToken(1, new UUID(0, 0)));

    private final ServiceRuntime runtime = new ServiceRuntime();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final CompletableFuture<ServiceContext> started = new CompletableFuture<>();
    /** What happens while the worker gets the factory. */
    private Runnable getting = () -> {};

    private final ClassLoader loader = new ClassLoader(ServiceRuntimeTest.class.getClassLoader()) {};

    @AfterEach
    void end() {
        runtime.deactivate();
    }

    /** Notes its calls; what it does in them is up to the test. */
    private class Noting implements ServiceTask {

        @Override
        public void start(ServiceContext context) throws Exception {
            calls.add("start with the class loader of the job: "
                    + (loader.equals(Thread.currentThread().getContextClassLoader())));
            started.complete(context);
        }

        @Override
        public void stop() throws Exception {
            calls.add("stop");
        }
    }

    private TaskHandle start(Object operator, String... configuration) {
        SortedMap<String, String> settings = new TreeMap<>();
        for (int at = 0; at < configuration.length; at += 2) {
            settings.put(configuration[at], configuration[at + 1]);
        }
        return runtime.start(
                new TaskDeployment(
                        new AttemptId(new JobId("job-1"), "tick", 1, 1, 2),
                        "ticks",
                        REF,
                        REF,
                        new AllocationId(1, 1),
                        "service",
                        3,
                        128,
                        List.of(),
                        List.of(new ChainedOperator("tick", "ticker", settings)),
                        List.of(),
                        List.of(),
                        "w1:20001"),
                new Context(operator));
    }

    private TaskHandle start(ServiceTask service, String... configuration) {
        return start((ServiceFactory) given -> service, configuration);
    }

    private static Outcome outcome(TaskHandle task) throws Exception {
        return task.outcome().toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    private static Outcome.Failed failure(TaskHandle task) throws Exception {
        Outcome outcome = outcome(task);
        assertThat(outcome).isInstanceOf(Outcome.Failed.class);
        return (Outcome.Failed) outcome;
    }

    private ServiceContext context() throws Exception {
        return started.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void aServiceThatSaysSoHasFinishedAndIsStopped() throws Exception {
        TaskHandle task = start(new Noting());
        ServiceContext context = context();
        context.counter("ticks").add(3);
        assertThat(context.rendezvous()).contains("w1:20001");
        assertThat(context.subtask()).isEqualTo(1);
        assertThat(context.parallelism()).isEqualTo(3);
        context.finished();

        assertThat(outcome(task)).isEqualTo(new Outcome.Finished());
        assertThat(calls).containsExactly("start with the class loader of the job: true", "stop");
        assertThat(task.metrics().counters()).containsEntry("tick.ticks", 3L);
    }

    @Test
    void aServiceThatFailsIsStoppedToo() throws Exception {
        TaskHandle task = start(new Noting());
        context().failed(new IllegalStateException("the disk is full"));
        context().finished();

        Outcome.Failed failed = failure(task);
        assertThat(failed.cause()).isEqualTo("service 'ticker': java.lang.IllegalStateException: the disk is full");
        assertThat(failed.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(failed.stack()).contains("\n\tat io.berth.runtime.service.ServiceRuntimeTest");
        assertThat(calls).last().isEqualTo("stop");
    }

    @Test
    void aCanceledServiceIsStopped() throws Exception {
        TaskHandle task = start(new Noting());
        context();
        task.cancel();
        assertThat(outcome(task)).isEqualTo(new Outcome.Canceled());
        assertThat(calls).last().isEqualTo("stop");
    }

    @Test
    void aStartThatIsCanceledIsInterrupted() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        TaskHandle task = start(new Noting() {
            @Override
            public void start(ServiceContext context) throws Exception {
                inside.countDown();
                new CountDownLatch(1).await();
            }
        });
        assertThat(inside.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        task.cancel();
        assertThat(outcome(task)).isEqualTo(new Outcome.Canceled());
        assertThat(calls).containsExactly("stop");
    }

    @Test
    void aFactoryThatHangsIsInterruptedWhenTheTaskIsCanceled() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        getting = () -> {
            inside.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException("interrupted", interrupted);
            }
        };
        TaskHandle task = start(new Noting());
        assertThat(inside.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        task.cancel();

        assertThat(outcome(task)).isEqualTo(new Outcome.Canceled());
        assertThat(calls).isEmpty();
    }

    @Test
    void aFactoryThatHangsHasADeadline() throws Exception {
        getting = () -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException("interrupted", interrupted);
            }
        };
        Outcome.Failed failed = failure(start(new Noting(), "start.timeout.ms", "50"));
        assertThat(failed.cause()).isEqualTo("service 'ticker': create has not returned within 50 ms");
        assertThat(failed.kind()).isEqualTo(FailureKind.TRANSIENT);
    }

    @Test
    void aStartThatTakesTooLongFailsEvenWhenItSwallowsAnInterrupt() throws Exception {
        TaskHandle task = start(
                new Noting() {
                    @Override
                    public void start(ServiceContext context) {
                        for (int interrupts = 0; interrupts < 2; interrupts++) {
                            try {
                                new CountDownLatch(1).await();
                            } catch (InterruptedException swallowed) {
                                calls.add("interrupted");
                            }
                        }
                    }
                },
                "start.timeout.ms",
                "50");
        Outcome.Failed failed = failure(task);
        assertThat(failed.cause()).isEqualTo("service 'ticker': start failed: start has not returned within 50 ms");
        assertThat(calls).containsExactly("interrupted", "interrupted", "stop");
    }

    @Test
    void aPermanentFailureSaysSo() throws Exception {
        TaskHandle task = start(new Noting() {
            @Override
            public void start(ServiceContext context) {
                throw new PermanentException("no such table");
            }
        });
        Outcome.Failed failed = failure(task);
        assertThat(failed.cause()).isEqualTo("service 'ticker': start failed: no such table");
        assertThat(failed.kind()).isEqualTo(FailureKind.PERMANENT);
    }

    @Test
    void aServiceThatIsNotWellTooOftenFails() throws Exception {
        TaskHandle task = start(
                new Noting() {
                    private int checks;

                    @Override
                    public Optional<String> health() {
                        checks++;
                        calls.add("check " + checks);
                        // The good one in between begins the count again.
                        if (checks == 3) {
                            throw new IllegalStateException("broken");
                        }
                        return checks == 2 ? Optional.empty() : Optional.of("slow");
                    }
                },
                "health.interval.ms",
                "10",
                "health.failures.max",
                "2");
        assertThat(failure(task).cause()).isEqualTo("service 'ticker': the health check failed 2 times in a row: slow");
        assertThat(calls)
                .containsExactly(
                        "start with the class loader of the job: true",
                        "check 1",
                        "check 2",
                        "check 3",
                        "check 4",
                        "stop");
        assertThat(task.metrics().counters()).containsEntry("tick.health.failures", 3L);
    }

    @Test
    void whatIsNoServiceIsNamed() throws Exception {
        Outcome.Failed failed = failure(start("a text"));
        assertThat(failed.cause())
                .isEqualTo("service 'ticker': it is a java.lang.String, not a ServiceFactory of this runtime's API");
        assertThat(failed.kind()).isEqualTo(FailureKind.PERMANENT);
        assertThat(failure(start(new Noting(), "stop.timeout.ms", "soon")).cause())
                .contains(
                        "configuration of operator 'ticker': stop.timeout.ms is 'soon'; allowed: a whole number from 1");
        assertThat(calls).isEmpty();
    }

    @Test
    void aStopThatThrowsDoesNotChangeTheOutcome() throws Exception {
        TaskHandle task = start(new Noting() {
            @Override
            public void stop() {
                throw new IllegalStateException("already closed");
            }
        });
        context().finished();
        assertThat(outcome(task)).isEqualTo(new Outcome.Finished());
    }

    private final class Context implements TaskContext {

        private final Object operator;

        Context(Object operator) {
            this.operator = operator;
        }

        @Override
        public Optional<Object> operator(String name) {
            getting.run();
            return Optional.of(operator);
        }

        @Override
        public ClassLoader classLoader(String name) {
            return loader;
        }

        @Override
        public Optional<String> secret(String name) {
            return Optional.empty();
        }

        @Override
        public CompletionStage<Void> reportSplits(String vertex, List<byte[]> splits) {
            return new CompletableFuture<>();
        }

        @Override
        public CompletionStage<SplitAnswer> nextSplit(String vertex) {
            return new CompletableFuture<>();
        }

        @Override
        public void readyToCommit(List<Committable> committables) {}
    }
}

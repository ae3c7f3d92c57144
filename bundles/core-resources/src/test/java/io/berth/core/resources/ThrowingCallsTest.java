package io.berth.core.resources;

import static io.berth.core.resources.TestCluster.SLOT;
import static io.berth.core.resources.TestCluster.TWO_SLOTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.FencingToken;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.time.Clock;
import io.berth.core.resources.backends.WorkerLaunch;
import io.berth.core.resources.settings.ResourceSettings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Each call out of the ResourceManager's main thread throws in turn: to the clock, to timers, to workers and to JobMasters.
 * Either the term goes on, or it reports the failure and ends, and the next one serves the job with the same workers.
 */
class ThrowingCallsTest {

    private static final int MIN_CALLS = 60;

    /** Thrown by the call of that number. */
    private static final class InjectedFault extends RuntimeException {

        private static final long serialVersionUID = 1L;

        InjectedFault(int call) {
            super("call " + call);
        }
    }

    private final class Life {

        private final int faulty;
        private int calls;
        private boolean armed = true;
        private final VirtualTime time = new VirtualTime();
        private final FakeRpc rpc = new FakeRpc();
        private final List<Throwable> failures = new ArrayList<>();
        private final FakeWorker first = new FakeWorker("w1", 1);
        private final FakeWorker second = new FakeWorker("w2", 1);
        private final FakeJobMaster job = new FakeJobMaster("count", 1, 1);

        Life(int faulty) {
            this.faulty = faulty;
            rpc.jobMasters.put(job.id.token(), throwing(JobMasterGateway.class, job));
            for (FakeWorker worker : List.of(first, second)) {
                rpc.workers.put(worker.session.token(), throwing(TaskExecutorGateway.class, worker));
            }
        }

        private void call() {
            if (armed && ++calls == faulty) {
                throw new InjectedFault(faulty);
            }
        }

        private <T> T throwing(Class<T> type, T real) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> {
                        call();
                        try {
                            return method.invoke(real, given);
                        } catch (InvocationTargetException failure) {
                            throw failure.getCause();
                        }
                    }));
        }

        private ResourceManagerTerm term(long epoch) {
            return new ResourceManagerTerm(
                    new ResourceManagerId(new FencingToken(epoch, new UUID(0, epoch))),
                    new ResourceManagerTerm.Environment(
                            throwing(Clock.class, time),
                            (delayMillis, action) -> {
                                call();
                                return time.schedule(delayMillis, action);
                            },
                            time,
                            time,
                            time,
                            rpc,
                            RealPolicies.on(time),
                            follower -> () -> {}),
                    ResourceSettings.defaults().toBuilder()
                            .previousWorkersWaitMillis(0)
                            .build(),
                    new WorkerLaunch(
                            "java",
                            Path.of("worker"),
                            List.of(),
                            64,
                            Path.of("work"),
                            new RpcAddress("127.0.0.1", 7077),
                            1_000),
                    failures::add);
        }

        private void register() {
            ResourceManagerGateway manager = rpc.resourceManager.orElseThrow();
            for (FakeWorker worker : List.of(first, second)) {
                manager.registerWorker(worker.registration(TWO_SLOTS, 2, "standalone", ""));
            }
            manager.registerJobMaster(job.registration());
            time.settle();
            manager.declareRequirements(job.requires(3, 4, SLOT));
            time.advance(15_000);
        }

        /** @return whether the faulty call was made */
        boolean pass() {
            try {
                ResourceManagerTerm term = term(1);
                term.start();
                register();
                term.close();
            } catch (InjectedFault failure) {
                // The role does not begin that term.
                failures.add(failure);
            }
            boolean made = calls >= faulty;
            armed = false;
            assertThat(failures.stream().anyMatch(InjectedFault.class::isInstance))
                    .as("call %d is reported", faulty)
                    .isEqualTo(made);
            ResourceManagerTerm next = term(2);
            next.start();
            register();
            assertThat(first.slots.size() + second.slots.size())
                    .as("slots of the job after call %d failed", faulty)
                    .isEqualTo(4);
            assertThat(first.slots.keySet())
                    .as("P1 after call %d failed", faulty)
                    .doesNotContainAnyElementsOf(second.slots.keySet());
            next.close();
            return made;
        }
    }

    @Test
    void F30_whereverACallThrowsTheFailureIsReportedAndTheNextTermServesTheJob() {
        int faulty = 1;
        while (new Life(faulty).pass()) {
            faulty++;
        }
        assertThat(faulty).as("calls that threw").isGreaterThan(MIN_CALLS);
    }
}

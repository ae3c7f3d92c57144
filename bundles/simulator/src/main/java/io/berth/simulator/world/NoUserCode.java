package io.berth.simulator.world;

import io.berth.core.api.BundleRef;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.time.VirtualTime.What;
import io.berth.spi.JobId;
import io.berth.worker.code.UserCode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;

/** The user code of jobs that have none: it is ready after some time. */
public final class NoUserCode implements UserCode {

    private final Incarnation process;
    private final RandomGenerator random;

    public NoUserCode(Incarnation process, RandomGenerator random) {
        this.process = process;
        this.random = random;
    }

    @Override
    public CompletionStage<JobCode> acquire(JobId job, EndpointRef dispatcher, List<BundleRef> bundles) {
        CompletableFuture<JobCode> there = new CompletableFuture<>();
        process.in(random.nextLong(300 * VirtualTime.MILLI), What.WORLD, () -> there.complete(new Nothing()));
        return there;
    }

    @Override
    public void release(JobId job) {}

    private static final class Nothing implements JobCode {

        @Override
        public Optional<Object> operator(String name) {
            return Optional.empty();
        }

        @Override
        public ClassLoader classLoader(String operator) {
            return NoUserCode.class.getClassLoader();
        }

        @Override
        public void close() {}
    }
}

package io.berth.core.resources;

import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.policies.PolicyHostNode;
import io.berth.core.policies.guard.GuardThreads;
import io.berth.distribution.fifo.FifoFactory;
import io.berth.matching.firstfit.FirstFitFactory;
import io.berth.spi.PolicyKind;
import java.util.TreeMap;

/** The policy host with the default policies, on the time of a test. */
final class RealPolicies {

    private RealPolicies() {}

    static PolicyHost on(ManualTime time) {
        PolicyHostNode host = new PolicyHostNode(new PolicyHostNode.Environment(
                time, time, time, bundle -> new OnTime(time), pid -> new TreeMap<>(), failure -> {
                    throw new AssertionError(failure);
                }));
        host.offer(new PolicyHostNode.Offer(
                1,
                PolicyKind.MATCHING,
                "first-fit",
                "io.berth.matching.firstfit",
                "1.0.0",
                100,
                new FirstFitFactory()));
        host.offer(new PolicyHostNode.Offer(
                2, PolicyKind.DISTRIBUTION, "fifo", "io.berth.distribution.fifo", "1.0.0", 100, new FifoFactory()));
        return host.policies();
    }

    private record OnTime(ManualTime time) implements GuardThreads {

        @Override
        public void execute(Runnable call) {
            time.execute(call);
        }

        @Override
        public void abandoned() {
            throw new IllegalStateException("no call takes any time");
        }

        @Override
        public void returned() {
            throw new IllegalStateException("no call takes any time");
        }

        @Override
        public void end() {}
    }
}

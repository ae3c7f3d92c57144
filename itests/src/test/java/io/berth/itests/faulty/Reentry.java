package io.berth.itests.faulty;

import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Calls the host from within one of its calls, and waits for the answer. */
final class Reentry {

    private Reentry() {}

    static void act(FaultyCode faulty) {
        JobOperations jobs = faulty.service(JobOperations.class, null);
        ClusterOperations cluster = faulty.service(ClusterOperations.class, null);
        PolicyOperations policies = faulty.service(PolicyOperations.class, null);
        PolicyKind kind = PolicyKind.valueOf(faulty.kind.toUpperCase(java.util.Locale.ROOT));
        await(jobs.jobs());
        await(jobs.job(new JobId("no-such-job")));
        await(jobs.cancel(new JobId("no-such-job"), "the faulty bundle"));
        await(jobs.submit("no: job"));
        await(cluster.cluster());
        policies.policies();
        policies.diagnose(Optional.of(kind), Optional.empty());
        policies.choices();
        if (kind != PolicyKind.BACKEND) {
            policies.use(kind, "");
        }
        try {
            policies.release(kind, faulty.name, "the faulty bundle");
        } catch (IllegalArgumentException refused) {
            faulty.shared.put(faulty.key("refused"), String.valueOf(refused.getMessage()));
        }
        faulty.called("reentered");
    }

    private static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(5, TimeUnit.SECONDS);
        } catch (Exception failure) {
            throw new IllegalStateException("the host did not answer", failure);
        }
    }
}

package io.berth.core.scheduler;

import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway.JobMasterRegistration;
import io.berth.core.api.gateway.ResourceManagerGateway.RequirementsDeclaration;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.rpc.RpcException;
import io.berth.spi.JobId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records the calls of JobMasters; can be unreachable or silent. */
public final class FakeResourceManager {

    public final List<JobMasterRegistration> registrations = new CopyOnWriteArrayList<>();
    public final List<RequirementsDeclaration> declarations = new CopyOnWriteArrayList<>();
    final List<JobId> disconnected = new CopyOnWriteArrayList<>();
    boolean away;
    public MatchingRule rule = MatchingRule.EXACT;
    public boolean silent;
    public boolean failsRegistrations;
    public boolean failsDeclarations;
    public String rejection = "";
    private final Deque<Runnable> held = new ArrayDeque<>();
    long heartbeatTimeoutMillis = 1_000_000_000;

    private <T> CompletionStage<T> answer(T value) {
        if (silent) {
            CompletableFuture<T> later = new CompletableFuture<>();
            held.add(() -> later.complete(value));
            return later;
        }
        return away
                ? CompletableFuture.failedFuture(new RpcException(RpcException.Kind.UNREACHABLE, "it is away"))
                : CompletableFuture.completedFuture(value);
    }

    private static <T> CompletionStage<T> failure(String what) {
        return CompletableFuture.failedFuture(new RpcException(RpcException.Kind.FAILED, what));
    }

    /** Answers the first call that it received while it was silent. */
    public void answerFirstHeld() {
        held.remove().run();
    }

    public RequirementsDeclaration lastDeclaration() {
        return declarations.get(declarations.size() - 1);
    }

    public CompletionStage<RegistrationResponse> registerJobMaster(JobMasterRegistration registration) {
        if (!away) {
            registrations.add(registration);
        }
        if (failsRegistrations) {
            return failure("no registrations now");
        }
        if (!rejection.isEmpty()) {
            return answer(new RegistrationResponse.Rejected(rejection));
        }
        return answer(new RegistrationResponse.Accepted(new InstanceId(1), 2_000, heartbeatTimeoutMillis, rule));
    }

    public CompletionStage<Acknowledge> declareRequirements(RequirementsDeclaration declaration) {
        if (!away) {
            declarations.add(declaration);
        }
        if (failsDeclarations) {
            return failure("no declarations now");
        }
        return answer(Acknowledge.ACKNOWLEDGE);
    }

    public CompletionStage<Acknowledge> disconnectJobMaster(JobId job, JobMasterId jobMaster, String cause) {
        disconnected.add(job);
        return answer(Acknowledge.ACKNOWLEDGE);
    }
}

package io.berth.core.scheduler;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.rpc.RpcException;
import io.berth.spi.JobId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records the reports of JobMasters; can be unreachable or silent. */
public final class FakeDispatcher {

    final List<JobDetails> reports = new CopyOnWriteArrayList<>();
    public boolean away;
    boolean silent;

    JobDetails lastReport() {
        return reports.get(reports.size() - 1);
    }

    public CompletionStage<Acknowledge> jobChanged(JobId job, JobMasterId jobMaster, JobDetails details) {
        if (away) {
            return CompletableFuture.failedFuture(new RpcException(RpcException.Kind.UNREACHABLE, "it is away"));
        }
        if (silent) {
            return new CompletableFuture<>();
        }
        reports.add(details);
        return CompletableFuture.completedFuture(Acknowledge.ACKNOWLEDGE);
    }
}

package io.berth.core.api.gateway;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.rpc.CalledBy;
import io.berth.core.api.rpc.PeerRole;
import io.berth.spi.JobId;
import java.util.concurrent.CompletionStage;

/** Calls from JobMasters and workers to the Dispatcher. */
public interface DispatcherGateway {

    /** A job changed its state. The JobMaster of a job that ended stops after this call. */
    @CalledBy(PeerRole.JOB_MASTER)
    CompletionStage<Acknowledge> jobChanged(JobId job, JobMasterId jobMaster, JobDetails details);

    /**
     * Reads part of a stored bundle.
     *
     * @param length at most 1 MiB
     * @return empty bytes at the end of the content
     */
    @CalledBy({PeerRole.JOB_MASTER, PeerRole.WORKER})
    CompletionStage<BundleChunk> readBundle(String sha256, long offset, int length);

    /** Part of the content of a bundle. */
    record BundleChunk(byte[] content) {}
}

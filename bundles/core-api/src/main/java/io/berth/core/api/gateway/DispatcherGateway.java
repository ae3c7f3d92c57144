package io.berth.core.api.gateway;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.job.JobDetails;
import io.berth.spi.JobId;
import java.util.concurrent.CompletionStage;

/** What JobMasters and workers ask of the Dispatcher. */
public interface DispatcherGateway {

    /** A job changed its state; the JobMaster of a job that ended is gone after this. */
    CompletionStage<Acknowledge> jobChanged(JobId job, JobMasterId jobMaster, JobDetails details);

    /**
     * Reads part of a stored bundle.
     *
     * @param length at most 1 MiB
     * @return empty bytes at the end of the content
     */
    CompletionStage<BundleChunk> readBundle(String sha256, long offset, int length);

    /** Part of the content of a bundle. */
    record BundleChunk(byte[] content) {}
}

package io.berth.worker.code;

import io.berth.core.api.BundleRef;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.spi.JobId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Loads the code of jobs into the process and unloads it. Confined to the main thread of the TaskExecutor. */
public interface UserCode {

    /**
     * Downloads, installs and starts the bundles that are missing. The stage completes on any thread; it fails with a
     * message that names the bundle and what is wrong with it.
     *
     * @param dispatcher that keeps the bundles
     */
    CompletionStage<JobCode> acquire(JobId job, EndpointRef dispatcher, List<BundleRef> bundles);

    /** The job no longer needs its code. Bundles that no job needs are uninstalled. */
    void release(JobId job);

    /** The code of one job. Any thread. */
    interface JobCode {

        /** The factory service of an operator: of the job's bundles in their order, then of the runtimes. */
        Optional<Object> operator(String name);

        /** Class loader of the bundle that has the operator. */
        ClassLoader classLoader(String operator);

        /** Releases the factories. */
        void close();
    }
}

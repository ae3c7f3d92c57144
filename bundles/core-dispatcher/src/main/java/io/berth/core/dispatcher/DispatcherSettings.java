package io.berth.core.dispatcher;

import io.berth.core.api.rpc.RpcAddress;

/**
 * What may change while the Dispatcher runs.
 *
 * @param resourceManager where the ResourceManager is served
 * @param jobMasters where JobMasters are started
 * @param jobsKept how many ended jobs are remembered, at least 0
 * @param detailsTimeoutMillis how long a query waits for JobMasters before it shows what is known
 */
record DispatcherSettings(RpcAddress resourceManager, RpcAddress jobMasters, int jobsKept, long detailsTimeoutMillis) {

    DispatcherSettings {
        if (jobsKept < 0) {
            throw new IllegalArgumentException("jobs.kept is " + jobsKept + ": at least 0 is allowed");
        }
    }
}

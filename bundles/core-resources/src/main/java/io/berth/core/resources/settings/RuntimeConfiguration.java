package io.berth.core.resources.settings;

import io.berth.core.api.task.RuntimeSettings;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Describes the keys of {@link RuntimeSettings}, for consoles. */
@ObjectClassDefinition(name = "Berth workers: runtime dataflow")
public @interface RuntimeConfiguration {

    /** Memory of the worker for the exchange. */
    @AttributeDefinition(
            description = "Memory for the exchange of records, in bytes; allocated as needed, never returned")
    long network_memory_bytes() default 134217728;

    /** Limits what a producer holds for one channel. */
    @AttributeDefinition(
            description = "Buffers of 32 KiB that each end of a channel may hold; at least 2 are granted, up to this"
                    + " number while network memory is available")
    int exchange_channel_buffers() default 8;

    /** Deadline for producers that start later than their consumers. */
    @AttributeDefinition(description = "How long a consumer waits for a producer that has not started, in milliseconds")
    int exchange_producer_wait_ms() default 30000;

    /** Deadline of a connection. */
    @AttributeDefinition(description = "Deadline for connecting to another worker, in milliseconds")
    int exchange_connect_timeout_ms() default 10000;

    /** Keep-alive. */
    @AttributeDefinition(
            description = "A silent connection is pinged after this time and closed after three times this time, in"
                    + " milliseconds")
    int exchange_keepalive_ms() default 10000;

    /** Network threads. */
    @AttributeDefinition(description = "Network threads; 0: half the processors, at least 1 and at most 4")
    int exchange_threads() default 0;

    /** Limits what results of blocking edges take. */
    @AttributeDefinition(
            description = "Maximum size of all stored results of blocking edges on the disk of a worker, in bytes")
    long exchange_results_bytes() default 10737418240L;

    /** Memory for writing results. */
    @AttributeDefinition(
            description = "Memory in which a task collects the records of each blocking edge that it writes, in bytes")
    int exchange_results_memory_bytes() default 8388608;

    /** Latency of sparse streams. */
    @AttributeDefinition(description = "Partly filled buffers are sent after this time at the latest, in milliseconds")
    int flush_interval_ms() default 100;

    /** When to report a slow cancellation. */
    @AttributeDefinition(
            description = "A task that has not ended this long after it was canceled is reported with its stack, in"
                    + " milliseconds")
    int task_cancel_timeout_ms() default 30000;

    /** Bound of the log of a task. */
    @AttributeDefinition(
            description = "Bytes of the log of one task at most; its older half is removed when it is full")
    long log_task_max_bytes() default 1048576;

    /** Bound of the logs of all tasks of a worker. */
    @AttributeDefinition(
            description = "Bytes of the logs of all tasks of a worker at most; those of the tasks that ended first are"
                    + " removed")
    long log_tasks_max_bytes() default 67108864;

    /** Bound of the own log of a worker. */
    @AttributeDefinition(
            description = "Bytes of the own log of a worker at most; its older half is removed when it is full")
    long log_worker_max_bytes() default 4194304;
}

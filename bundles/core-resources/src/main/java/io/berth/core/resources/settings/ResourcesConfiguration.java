package io.berth.core.resources.settings;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of the ResourceManager, PID {@code io.berth.core.resources}. */
@ObjectClassDefinition(
        name = "Berth ResourceManager",
        description = "Times apply at once; settings for the start of workers apply to workers that start later.")
public @interface ResourcesConfiguration {

    @AttributeDefinition(name = "Milliseconds between heartbeats to workers and JobMasters")
    long heartbeat_interval_ms() default 2_000;

    @AttributeDefinition(name = "Milliseconds without an answer after which a worker or JobMaster is given up")
    long heartbeat_timeout_ms() default 10_000;

    @AttributeDefinition(
            name = "Calls to a worker or JobMaster that fail in a row until it is given up; 0: only the timeout counts")
    int heartbeat_failures() default 2;

    @AttributeDefinition(name = "Milliseconds without a slot after which a worker that a backend started is released")
    long worker_idle_timeout_ms() default 30_000;

    @AttributeDefinition(name = "Milliseconds in which changes are collected before they are planned")
    long requirement_check_delay_ms() default 50;

    @AttributeDefinition(name = "Milliseconds that a started worker has to register")
    long worker_registration_timeout_ms() default 60_000;

    @AttributeDefinition(
            name = "Failed starts of workers in a minute, with more of which a backend is asked for none for a while")
    int worker_start_failures_per_minute() default 10;

    @AttributeDefinition(
            name = "Milliseconds for which a backend with too many failed starts is asked for no new worker")
    long worker_start_pause_ms() default 3_000;

    @AttributeDefinition(
            name =
                    "Milliseconds for which a new ResourceManager waits, at most, for the workers of the previous one before it plans. "
                            + "The limit is at least heartbeat.timeout.ms + heartbeat.interval.ms + 5000; 0: no wait")
    long previous_workers_wait_ms() default 17_000;

    @AttributeDefinition(name = "Milliseconds for which the requirements of a lost JobMaster hold")
    long requirements_retention_ms() default 0;

    @AttributeDefinition(
            name = "Cpu that workers are started and kept for although nothing needs it, thousandths of a core")
    long cluster_min_cpu_millicores() default 0;

    @AttributeDefinition(name = "Memory in MiB that workers are started and kept for although nothing needs it")
    long cluster_min_memory_mib() default 0;

    @AttributeDefinition(name = "Cpu of all workers together at most, thousandths of a core; 0: any")
    long cluster_max_cpu_millicores() default 0;

    @AttributeDefinition(name = "Memory of all workers together at most, MiB; 0: any")
    long cluster_max_memory_mib() default 0;

    @AttributeDefinition(name = "How many workers' worth of room is kept free for what is lost")
    int cluster_redundant_workers() default 0;

    @AttributeDefinition(name = "Milliseconds after the start in which jobs are not notified of missing resources")
    long startup_period_ms() default 5_000;

    @AttributeDefinition(
            name =
                    "Milliseconds that a worker takes no slots, and a job gets none, after it refused one, doubled each time")
    long worker_refusal_backoff_ms() default 200;

    @AttributeDefinition(name = "Milliseconds that a job is not asked for slots again after it was asked")
    long slot_return_pause_ms() default 30_000;

    @AttributeDefinition(name = "Milliseconds that workers have to answer when the control plane stops")
    long stop_timeout_ms() default 5_000;

    @AttributeDefinition(name = "Which slot fulfills which requirement: exact or loose")
    String matching_rule() default "exact";

    @AttributeDefinition(
            name = "HOST:PORT of each process that may serve the ResourceManager, separated by commas, for "
                    + "workers; empty: this process")
    String masters() default "";

    @AttributeDefinition(name = "Directory of the unpacked worker archive; empty: worker below the Karaf home")
    String worker_home() default "";

    @AttributeDefinition(name = "Program that runs workers; empty: the java of this process")
    String worker_java() default "";

    @AttributeDefinition(
            name =
                    "Options of the worker's JVM, separated by blanks; -XX:+HeapDumpOnOutOfMemoryError keeps a heap dump")
    String worker_java_options() default "-XX:+UseParallelGC -XX:+ExitOnOutOfMemoryError";

    @AttributeDefinition(name = "Memory in MiB that a worker's JVM gets beyond what it offers to slots")
    int worker_memory_overhead_mib() default 256;

    @AttributeDefinition(name = "Environment variables of workers: NAME=VALUE, separated by commas")
    String worker_environment() default "";

    @AttributeDefinition(
            name = "File with the secrets of workers: one NAME=VALUE a line, which only the user of this process may "
                    + "read; empty: none")
    String worker_secrets_file() default "";

    @AttributeDefinition(name = "Directory of logs and files of workers; empty: berth below the Karaf data directory")
    String worker_directory() default "";

    @AttributeDefinition(
            name =
                    "Logs of the workers of this machine together at most, MiB; those of workers that are gone are removed")
    long worker_logs_max_mib() default 1_024;

    @AttributeDefinition(name = "Hours after which the logs of a worker that is gone are removed")
    long worker_logs_max_age_hours() default 168;

    @AttributeDefinition(name = "Milliseconds after which a worker without a ResourceManager ends itself")
    long worker_resource_manager_timeout_ms() default 300_000;

    @AttributeDefinition(name = "Deprecated, until 0.4: cluster.min.cpu.millicores")
    long cluster_least_cpu_millicores() default 0;

    @AttributeDefinition(name = "Deprecated, until 0.4: cluster.min.memory.mib")
    long cluster_least_memory_mib() default 0;

    @AttributeDefinition(name = "Deprecated, until 0.4: cluster.max.cpu.millicores")
    long cluster_most_cpu_millicores() default 0;

    @AttributeDefinition(name = "Deprecated, until 0.4: cluster.max.memory.mib")
    long cluster_most_memory_mib() default 0;
}

package io.berth.core.resources;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of the ResourceManager, PID {@code io.berth.core.resources}. */
@ObjectClassDefinition(
        name = "Berth ResourceManager",
        description = "Times are taken over live; what concerns the start of workers holds for the next one.")
@interface ResourcesConfiguration {

    @AttributeDefinition(name = "Milliseconds between heartbeats to workers and JobMasters")
    long heartbeat_interval_ms() default 2_000;

    @AttributeDefinition(name = "Milliseconds without an answer after which a worker or JobMaster is given up")
    long heartbeat_timeout_ms() default 10_000;

    @AttributeDefinition(name = "Milliseconds without a slot after which a worker that a backend started is released")
    long worker_idle_timeout_ms() default 30_000;

    @AttributeDefinition(name = "Milliseconds in which changes are collected before they are planned")
    long requirement_check_delay_ms() default 50;

    @AttributeDefinition(name = "Milliseconds that a started worker has to register")
    long worker_registration_timeout_ms() default 60_000;

    @AttributeDefinition(name = "Milliseconds after the start in which jobs are not told of missing resources")
    long startup_period_ms() default 5_000;

    @AttributeDefinition(name = "Milliseconds that a worker takes no slots after it refused one, doubled each time")
    long worker_refusal_backoff_ms() default 200;

    @AttributeDefinition(name = "Milliseconds that workers have to answer when the control plane stops")
    long stop_timeout_ms() default 5_000;

    @AttributeDefinition(name = "Which slot fulfils which requirement: exact or loose")
    String matching_rule() default "exact";

    @AttributeDefinition(name = "Directory of the unpacked worker archive; empty: worker below the Karaf home")
    String worker_home() default "";

    @AttributeDefinition(name = "Program that runs workers; empty: the java of this process")
    String worker_java() default "";

    @AttributeDefinition(name = "Options of the worker's JVM, separated by blanks")
    String worker_java_options() default "-XX:+UseParallelGC -XX:+ExitOnOutOfMemoryError";

    @AttributeDefinition(name = "Memory in MiB that a worker's JVM gets beyond what it offers to slots")
    int worker_memory_overhead_mib() default 256;

    @AttributeDefinition(name = "Directory of logs and files of workers; empty: berth below the Karaf data directory")
    String worker_directory() default "";

    @AttributeDefinition(name = "Milliseconds after which a worker without a ResourceManager ends itself")
    long worker_resource_manager_timeout_ms() default 300_000;
}

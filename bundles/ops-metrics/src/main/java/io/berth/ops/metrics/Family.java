package io.berth.ops.metrics;

import java.util.List;
import java.util.Locale;

/** Every exported metric with its name, type, labels and meaning. docs/metrics.md has the same table. */
enum Family {
    POLICY_TIME(
            "berth_policy_time_seconds",
            Type.SUMMARY,
            "Time of calls into a policy, whatever their name; quantile 1.0 is the longest",
            "kind",
            "policy"),
    POLICY_CALL_TIME(
            "berth_policy_call_time_seconds",
            Type.SUMMARY,
            "Time of calls into a policy by name",
            "kind",
            "policy",
            "call"),
    POLICY_QUEUE_TIME(
            "berth_policy_queue_time_seconds",
            Type.SUMMARY,
            "Time from asking for a call to its start on a thread of the policy's bundle",
            "kind",
            "policy"),
    POLICY_FAILURES(
            "berth_policy_failures_total",
            Type.COUNTER,
            "Failures of a policy: threw, hung, violation, refused, not-tried",
            "kind",
            "policy",
            "call",
            "failure"),
    POLICY_DECISIONS("berth_policy_decisions_total", Type.COUNTER, "Decisions that a policy made", "kind", "policy"),
    POLICY_QUARANTINES(
            "berth_policy_quarantines_total",
            Type.COUNTER,
            "How often a policy was quarantined, for all or for a pool",
            "kind",
            "policy"),
    POLICY_RELEASES(
            "berth_policy_releases_total",
            Type.COUNTER,
            "How quarantines ended: operator, recovery, configuration, registration",
            "kind",
            "policy",
            "cause"),
    POLICY_CONFIGURATIONS_REFUSED(
            "berth_policy_configurations_refused_total",
            Type.COUNTER,
            "Configurations that the policy or the host refused",
            "kind",
            "policy"),
    POLICY_CALLS_IN_FLIGHT(
            "berth_policy_calls_in_flight", Type.GAUGE, "Calls that wait for a thread or run", "kind", "policy"),
    POLICY_CALLS_ABANDONED(
            "berth_policy_calls_abandoned",
            Type.GAUGE,
            "Calls past their deadline that have not returned",
            "kind",
            "policy"),
    POLICY_REGISTERED(
            "berth_policy_registered",
            Type.GAUGE,
            "Services that offer a policy now, by state",
            "kind",
            "policy",
            "state"),

    HOST_DECISION_TIME(
            "berth_host_decision_time_seconds",
            Type.SUMMARY,
            "Time from the start of a round to its decision",
            "type",
            "pool"),
    HOST_SWAPS(
            "berth_host_swaps_total",
            Type.COUNTER,
            "Changes of the deciding policy at an owner of decisions",
            "kind",
            "cause"),
    HOST_REDONE(
            "berth_host_rounds_redone_total",
            Type.COUNTER,
            "Rounds that were repeated without a policy that failed in them",
            "kind"),
    HOST_FALLBACKS("berth_host_fallbacks_total", Type.COUNTER, "Decisions by a fallback", "kind"),
    HOST_LEASES("berth_host_leases", Type.GAUGE, "Decisions in progress; each leases a policy", "kind"),
    HOST_GENERATIONS("berth_host_generations", Type.GAUGE, "Instances of policies in use"),
    HOST_ABANDONED("berth_host_threads_abandoned", Type.GAUGE, "Threads in calls that never returned"),
    HOST_CHOICE_INDEX("berth_host_choice_index", Type.GAUGE, "How often the choice of the kind was changed", "kind"),
    SHADOW_DECISIONS(
            "berth_shadow_decisions_total",
            Type.COUNTER,
            "Decisions by what a shadow would have decided: agrees, differs, failed, skipped",
            "pool",
            "kind",
            "policy",
            "result"),
    SHADOW_OUTCOMES(
            "berth_shadow_outcomes_total",
            Type.COUNTER,
            "What compared decisions come to: placed, left, opened, returned; desired, rescales",
            "pool",
            "kind",
            "policy",
            "by",
            "outcome"),
    SHADOW_COST(
            "berth_shadow_opened_cost_per_hour_total",
            Type.COUNTER,
            "What the new workers of compared decisions cost per hour",
            "pool",
            "kind",
            "policy",
            "by"),

    WORKERS("berth_workers", Type.GAUGE, "Workers by state: pending, registered, releasing", "state"),
    SLOTS("berth_slots", Type.GAUGE, "Slots that jobs have by state: pending, allocated", "state"),
    POOL_WORKERS("berth_pool_workers", Type.GAUGE, "Workers of a pool, with pending ones", "pool"),
    POOL_SLOTS("berth_pool_slots", Type.GAUGE, "Slots that jobs have on workers of a pool", "pool"),
    POOL_CPU("berth_pool_cpu_cores", Type.GAUGE, "Processors of the workers of a pool", "pool"),
    POOL_CPU_FREE(
            "berth_pool_cpu_free_cores",
            Type.GAUGE,
            "Processors of a pool that are not in slots, of workers that take slots",
            "pool"),
    POOL_MEMORY("berth_pool_memory_bytes", Type.GAUGE, "Memory of the workers of a pool", "pool"),
    POOL_MEMORY_FREE(
            "berth_pool_memory_free_bytes",
            Type.GAUGE,
            "Memory of a pool that is not in slots, of workers that take slots",
            "pool"),
    JOBS("berth_jobs", Type.GAUGE, "Known jobs by state, including ended ones", "state"),
    SOURCE_UP(
            "berth_source_up",
            Type.GAUGE,
            "Whether the role answered in time; without an answer its metrics are missing",
            "source"),

    JVM_MEMORY_USED("jvm_memory_used_bytes", Type.GAUGE, "Memory in use", "area"),
    JVM_MEMORY_COMMITTED("jvm_memory_committed_bytes", Type.GAUGE, "Memory that the JVM has reserved", "area"),
    JVM_MEMORY_MAX("jvm_memory_max_bytes", Type.GAUGE, "Largest memory of the JVM; missing without a bound", "area"),
    JVM_POOL_USED("jvm_memory_pool_used_bytes", Type.GAUGE, "Memory in use by pool", "pool"),
    JVM_BUFFER_USED("jvm_buffer_pool_used_bytes", Type.GAUGE, "Buffers outside the heap", "pool"),
    JVM_GC("jvm_gc_collection_seconds", Type.SUMMARY, "Garbage collections: number and time", "gc"),
    JVM_THREADS("jvm_threads_current", Type.GAUGE, "Threads"),
    JVM_THREADS_DAEMON("jvm_threads_daemon", Type.GAUGE, "Daemon threads"),
    JVM_THREADS_PEAK("jvm_threads_peak", Type.GAUGE, "Peak number of threads"),
    JVM_CLASSES("jvm_classes_currently_loaded", Type.GAUGE, "Classes that are loaded"),
    JVM_CLASSES_UNLOADED("jvm_classes_unloaded_total", Type.COUNTER, "Classes that were unloaded"),
    PROCESS_START("process_start_time_seconds", Type.GAUGE, "When the process started, in seconds since 1970"),
    VERSION("berth_version", Type.GAUGE, "1; the version is the label", "version");

    /** How a metric is read. */
    enum Type {
        COUNTER,
        GAUGE,
        SUMMARY;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final String metric;
    private final Type type;
    private final String help;
    private final List<String> labels;

    Family(String metric, Type type, String help, String... labels) {
        this.metric = metric;
        this.type = type;
        this.help = help;
        this.labels = List.of(labels);
    }

    String metric() {
        return metric;
    }

    Type type() {
        return type;
    }

    String help() {
        return help;
    }

    List<String> labels() {
        return labels;
    }
}

package io.berth.core.scheduler;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.policy.PolicyRecords;
import io.berth.core.api.registration.RegistrationSettings;
import io.berth.core.api.role.Candidate;
import io.berth.core.api.role.RoleCandidate;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.RoleDirectory;
import io.berth.core.api.time.FatalErrors;
import io.berth.core.api.time.Pools;
import io.berth.core.api.time.SystemClock;
import io.berth.core.api.time.SystemTimers;
import io.berth.core.scheduler.job.Restart;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import io.berth.spi.ha.LeaderElection;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The role {@code job-masters}: JobMasters run here while this process leads. */
@Component(
        service = RoleCandidate.class,
        immediate = true,
        configurationPid = "io.berth.core.scheduler",
        configurationPolicy = ConfigurationPolicy.OPTIONAL)
@Designate(ocd = JobMastersRole.Configuration.class)
public final class JobMastersRole implements RoleCandidate {

    private static final Logger LOG = LoggerFactory.getLogger(JobMastersRole.class);
    private static final long STOP_MILLIS = 5_000;

    /** Settings; a change applies to jobs that start after it. */
    @ObjectClassDefinition(name = "Berth JobMasters", description = "Scheduling of jobs. All times in milliseconds.")
    public @interface Configuration {

        @AttributeDefinition(description = "Between heartbeats to the workers of a job; how fresh its metrics are")
        long heartbeat_interval_ms() default 1_000;

        @AttributeDefinition(description = "After how long without an answer a worker is given up")
        long heartbeat_timeout_ms() default 10_000;

        @AttributeDefinition(description = "How long a job waits for its minimum before it fails; -1: for ever")
        long resource_wait_timeout_ms() default -1;

        @AttributeDefinition(description = "How long slots must not change before a job starts with fewer than desired")
        long resource_stabilization_timeout_ms() default 3_000;

        @AttributeDefinition(
                description = "How long at most a job whose minimum is there waits for slots that keep coming")
        long resource_stabilization_max_ms() default 30_000;

        @AttributeDefinition(description = "How long slots must not change before a running job may rescale")
        long rescale_stabilization_timeout_ms() default 1_000;

        @AttributeDefinition(description = "How long at most slots that keep coming delay a rescale")
        long rescale_stabilization_max_ms() default 30_000;

        @AttributeDefinition(description = "After how long a slot that is no longer required is returned")
        long slot_idle_timeout_ms() default 10_000;

        @AttributeDefinition(description = "How long tasks may take to end before their slots are given back with them")
        long cancel_timeout_ms() default 30_000;

        @AttributeDefinition(description = "How long a failure that is a consequence waits for its cause to be told")
        long root_cause_wait_ms() default 300;

        @AttributeDefinition(
                description =
                        "Whether a job restarts after a failure, and what ends that: exponential and fixed limit the "
                                + "restarts without progress, rate limits the failures in a time, none allows no failure")
        String restart_strategy() default "exponential";

        @AttributeDefinition(description = "Before the first restart")
        long restart_delay_initial_ms() default 200;

        @AttributeDefinition(description = "Longest delay before a restart")
        long restart_delay_max_ms() default 10_000;

        @AttributeDefinition(description = "Growth of the delay from one restart to the next")
        double restart_delay_multiplier() default 2;

        @AttributeDefinition(description = "By this share a growing delay is longer or shorter at random")
        double restart_delay_jitter() default 0.1;

        @AttributeDefinition(description = "An execution that lasted this long is progress: the delay is reset")
        long restart_delay_reset_ms() default 60_000;

        @AttributeDefinition(
                description = "Restarts without progress before the job fails; -1: without end. Lost "
                        + "workers are not counted")
        int restart_attempts_max() default 10;

        @AttributeDefinition(
                description = "With the strategy rate: failures in restart.rate.interval.ms before the job fails. Lost "
                        + "workers are not counted")
        int restart_rate_failures_max() default 3;

        @AttributeDefinition(description = "With the strategy rate: the time in which failures are counted")
        long restart_rate_interval_ms() default 60_000;

        @AttributeDefinition(
                description = "In how many executions in a row without progress the same task may lose its worker "
                        + "before the job fails: it may be what ends them; -1: without end")
        int task_worker_kills_max() default 10;

        @AttributeDefinition(
                description = "After how many heartbeats in a row that did not reach it a worker is given "
                        + "up; -1: only after the timeout")
        int heartbeat_failures_max() default 2;

        @AttributeDefinition(
                description = "What becomes of slots that an execution has released: reuse, or return "
                        + "those that are not just what is required")
        String slot_reuse() default "reuse";

        @AttributeDefinition(
                description = "How long a first registration at the ResourceManager waits for an answer; "
                        + "each further attempt twice as long")
        long registration_timeout_initial_ms() default 100;

        @AttributeDefinition(description = "Longest wait of a registration for its answer")
        long registration_timeout_max_ms() default 30_000;

        @AttributeDefinition(description = "Pause after a registration that failed")
        long registration_error_pause_ms() default 10_000;

        @AttributeDefinition(description = "Pause after a registration that was refused")
        long registration_refused_pause_ms() default 30_000;

        @AttributeDefinition(description = "Longest pause before a declaration that failed is sent again")
        long declaration_retry_max_ms() default 10_000;

        @AttributeDefinition(description = "Time over which rates and shares of tasks are computed")
        long measurement_window_ms() default 60_000;
    }

    private final ExecutorService pool;
    private final ExecutorService terms;
    private final FatalErrors fatal = FatalErrors.halting();
    private final SystemTimers timers;
    private final Candidate<Leading> candidate;
    private volatile SchedulerConfiguration configuration;

    /** A term, and its open records of policies. */
    private record Leading(JobMastersTerm term, AutoCloseable records) {

        void close() {
            term.close();
            try {
                records.close();
            } catch (Exception failure) {
                LOG.warn("JobMasters: the records of policies did not close", failure);
            }
        }
    }

    @Activate
    public JobMastersRole(
            @Reference RpcService rpc,
            @Reference PolicyHost policies,
            @Reference RoleDirectory directory,
            @Reference PolicyRecords records,
            @Reference LeaderElection election,
            Configuration configured) {
        configuration = read(configured);
        pool = Pools.fixed("berth-core-scheduler-main", 2);
        terms = Pools.fixed("berth-core-scheduler-terms", 1);
        timers = new SystemTimers("berth-core-scheduler-timers");
        JobMastersTerm.Environment environment = new JobMastersTerm.Environment(
                new SystemClock(), timers, pool, rpc, policies, directory, UUID::randomUUID, () -> configuration);
        candidate = new Candidate<>(
                EndpointName.JOB_MASTERS,
                UUID::randomUUID,
                token -> begin(token, environment, records),
                (leading, cause) -> leading.close(),
                terms,
                timers);
        candidate.compete(election, rpc.address());
    }

    private Leading begin(FencingToken token, JobMastersTerm.Environment environment, PolicyRecords records) {
        Leading leading = new Leading(
                new JobMastersTerm(token, environment, fatal.before(failure -> candidate.fail(token, failure))),
                records.startLeading(EndpointName.JOB_MASTERS.value(), token.epoch()));
        try {
            LOG.info("JobMasters are served as {}", leading.term().start());
        } catch (RuntimeException failure) {
            leading.close();
            throw failure;
        }
        return leading;
    }

    @Override
    public EndpointName role() {
        return EndpointName.JOB_MASTERS;
    }

    @Override
    public boolean leads() {
        return candidate.leads();
    }

    /** Settings that are not allowed leave the previous ones in force. */
    @Modified
    void modified(Configuration configured) {
        try {
            configuration = read(configured);
        } catch (IllegalArgumentException refused) {
            LOG.error("io.berth.core.scheduler: {}; the previous settings stay in force", refused.getMessage());
        }
    }

    @Deactivate
    void deactivate() {
        candidate.close(JobMastersRole::end);
        timers.close();
        terms.shutdown();
        pool.shutdown();
        try {
            if (!pool.awaitTermination(1, TimeUnit.SECONDS)) {
                pool.shutdownNow();
            }
        } catch (InterruptedException interrupted) {
            pool.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    private static void end(Leading leading) {
        try {
            leading.term()
                    .stop("the JobMasters role stops")
                    .toCompletableFuture()
                    .get(STOP_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException failure) {
            LOG.warn("not all workers know that their jobs have ended: {}", failure.toString());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            leading.close();
        }
    }

    private static SchedulerConfiguration read(Configuration configured) {
        return new SchedulerConfiguration(
                configured.heartbeat_interval_ms(),
                configured.heartbeat_timeout_ms(),
                configured.resource_wait_timeout_ms(),
                new SchedulerConfiguration.Stabilization(
                        configured.resource_stabilization_timeout_ms(), configured.resource_stabilization_max_ms()),
                new SchedulerConfiguration.Stabilization(
                        configured.rescale_stabilization_timeout_ms(), configured.rescale_stabilization_max_ms()),
                configured.slot_idle_timeout_ms(),
                configured.cancel_timeout_ms(),
                configured.root_cause_wait_ms(),
                new Restart(
                        Restart.Strategy.parse(configured.restart_strategy()),
                        new Restart.Delay(
                                configured.restart_delay_initial_ms(),
                                configured.restart_delay_max_ms(),
                                configured.restart_delay_multiplier(),
                                configured.restart_delay_jitter(),
                                configured.restart_delay_reset_ms()),
                        configured.restart_attempts_max(),
                        new Restart.Rate(configured.restart_rate_failures_max(), configured.restart_rate_interval_ms()),
                        configured.task_worker_kills_max()),
                configured.heartbeat_failures_max(),
                SchedulerConfiguration.SlotReuse.parse(configured.slot_reuse()),
                new RegistrationSettings(
                        configured.registration_timeout_initial_ms(),
                        configured.registration_timeout_max_ms(),
                        configured.registration_error_pause_ms(),
                        configured.registration_refused_pause_ms()),
                configured.declaration_retry_max_ms(),
                configured.measurement_window_ms());
    }
}

package io.berth.ops.metrics;

import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.ClusterDetails.PoolFigures;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Queries the roles for workers, slots and jobs and writes their numbers. Thread-safe; blocks for a bounded time. */
final class ClusterSheet {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterSheet.class);
    private static final List<String> WORKERS = List.of("pending", "registered", "releasing");
    private static final double MILLIS_OF_A_CORE = 1_000;
    private static final List<String> SLOTS = List.of("pending", "allocated");

    private final Optional<Supplier<CompletionStage<ClusterDetails>>> cluster;
    private final Optional<Supplier<CompletionStage<List<JobDetails>>>> jobs;
    private final Clock clock;

    ClusterSheet(
            Optional<Supplier<CompletionStage<ClusterDetails>>> cluster,
            Optional<Supplier<CompletionStage<List<JobDetails>>>> jobs,
            Clock clock) {
        this.cluster = cluster;
        this.jobs = jobs;
        this.clock = clock;
    }

    /** @param timeoutMillis for both roles together */
    void write(MetricFamilies sheet, long timeoutMillis) throws InterruptedException {
        long until = clock.millis() + timeoutMillis;
        Optional<CompletionStage<ClusterDetails>> details = cluster.map(Supplier::get);
        Optional<CompletionStage<List<JobDetails>>> list = jobs.map(Supplier::get);
        if (details.isPresent()) {
            Optional<ClusterDetails> answer = await("cluster", details.get(), until);
            sheet.gauge(Family.SOURCE_UP, answer.isPresent() ? 1 : 0, "cluster");
            answer.ifPresent(there -> {
                Map<String, Integer> workers = zero(WORKERS);
                workers.putAll(there.workerStates());
                workers.forEach((state, count) -> sheet.gauge(Family.WORKERS, count, state));
                Map<String, Integer> slots = zero(SLOTS);
                slots.putAll(there.slotStates());
                slots.forEach((state, count) -> sheet.gauge(Family.SLOTS, count, state));
                there.pools().forEach(pool -> write(sheet, pool));
            });
        }
        if (list.isPresent()) {
            Optional<List<JobDetails>> answer = await("jobs", list.get(), until);
            sheet.gauge(Family.SOURCE_UP, answer.isPresent() ? 1 : 0, "jobs");
            answer.ifPresent(there -> {
                for (JobStatus status : JobStatus.values()) {
                    long count =
                            there.stream().filter(job -> job.status() == status).count();
                    sheet.gauge(Family.JOBS, count, status.label());
                }
            });
        }
    }

    private static void write(MetricFamilies sheet, PoolFigures pool) {
        sheet.gauge(Family.POOL_WORKERS, pool.workers(), pool.pool());
        sheet.gauge(Family.POOL_SLOTS, pool.slots(), pool.pool());
        sheet.gauge(Family.POOL_CPU, pool.cpuMillis() / MILLIS_OF_A_CORE, pool.pool());
        sheet.gauge(Family.POOL_CPU_FREE, pool.freeCpuMillis() / MILLIS_OF_A_CORE, pool.pool());
        sheet.gauge(Family.POOL_MEMORY, pool.memoryBytes(), pool.pool());
        sheet.gauge(Family.POOL_MEMORY_FREE, pool.freeMemoryBytes(), pool.pool());
    }

    private static Map<String, Integer> zero(List<String> states) {
        Map<String, Integer> counts = new TreeMap<>();
        states.forEach(state -> counts.put(state, 0));
        return counts;
    }

    private <T> Optional<T> await(String source, CompletionStage<T> stage, long until) throws InterruptedException {
        try {
            long left = Math.max(0, until - clock.millis());
            return Optional.of(stage.toCompletableFuture().get(left, TimeUnit.MILLISECONDS));
        } catch (TimeoutException late) {
            LOG.debug("no answer about {} in time for a scrape", source);
        } catch (ExecutionException failed) {
            LOG.debug("no answer about {} for a scrape", source, failed.getCause());
        }
        return Optional.empty();
    }
}

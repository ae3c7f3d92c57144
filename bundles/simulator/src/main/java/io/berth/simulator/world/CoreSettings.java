package io.berth.simulator.world;

import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.registration.RegistrationSettings;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.resources.backends.WorkerLaunch;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.scheduler.job.Restart;
import io.berth.core.scheduler.job.Restart.Delay;
import io.berth.core.scheduler.job.Restart.Rate;
import io.berth.core.scheduler.job.Restart.Strategy;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import io.berth.core.scheduler.job.SchedulerConfiguration.SlotReuse;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.worker.settings.WorkerSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The timeouts of a world as settings of the core classes. */
public final class CoreSettings {

    private static final int OVERHEAD_MEBIBYTES = 64;
    /** Delays of a JobMaster between attempts to register, after errors and after rejections. */
    private static final long ERROR_PAUSE_MILLIS = 5_000;

    static final long REFUSED_PAUSE_MILLIS = 10_000;

    private CoreSettings() {}

    public static ResourceSettings resources(Tuning tuning) {
        return ResourceSettings.defaults().toBuilder()
                .heartbeats(tuning.heartbeatInterval(), tuning.heartbeatTimeout())
                .workerIdleTimeoutMillis(tuning.workerIdleTimeout())
                .workerRegistrationTimeoutMillis(tuning.registrationTimeout())
                .startupPeriodMillis(tuning.startupPeriod())
                // As short as possible: the heartbeats define the minimum.
                .previousWorkersWaitMillis(1)
                .build();
    }

    public static WorkerLaunch launch(RpcAddress master, Tuning tuning) {
        return new WorkerLaunch(
                "java",
                Path.of("/nowhere"),
                List.of(),
                OVERHEAD_MEBIBYTES,
                Path.of("/nowhere"),
                master,
                tuning.resourceManagerTimeout());
    }

    public static WorkerSettings worker(
            WorkerId id,
            ResourceProfile total,
            int defaultSlots,
            String backend,
            String spec,
            WorkerLabels labels,
            List<RpcAddress> masters,
            Tuning tuning) {
        return new WorkerSettings(
                id,
                masters,
                "127.0.0.1",
                Optional.empty(),
                total,
                defaultSlots,
                backend,
                spec,
                labels,
                0,
                Path.of("/nowhere"),
                tuning.resourceManagerTimeout(),
                tuning.slotTimeout(),
                10_000,
                30_000,
                60_000,
                new RegistrationSettings(100, tuning.callDeadline(), ERROR_PAUSE_MILLIS, REFUSED_PAUSE_MILLIS));
    }

    /** @param maxRestarts of a job; -1: without limit */
    public static SchedulerConfiguration scheduler(Tuning tuning, int maxRestarts) {
        SchedulerConfiguration defaults = SchedulerConfiguration.DEFAULTS;
        return new SchedulerConfiguration(
                tuning.heartbeatInterval(),
                tuning.heartbeatTimeout(),
                -1,
                new SchedulerConfiguration.Stabilization(
                        tuning.resourceStabilization(), 10 * tuning.resourceStabilization()),
                new SchedulerConfiguration.Stabilization(
                        tuning.rescaleStabilization(), 10 * tuning.rescaleStabilization()),
                tuning.slotIdleTimeout(),
                tuning.cancelTimeout(),
                defaults.rootCauseWaitMillis(),
                new Restart(Strategy.EXPONENTIAL, new Delay(200, 5_000, 2, 0, 60_000), maxRestarts, new Rate(0, 1), -1),
                defaults.heartbeatFailuresMax(),
                tuning.slotsGoBack() ? SlotReuse.RETURN : SlotReuse.REUSE,
                new RegistrationSettings(100, tuning.callDeadline(), ERROR_PAUSE_MILLIS, REFUSED_PAUSE_MILLIS),
                ERROR_PAUSE_MILLIS,
                defaults.measurementWindowMillis());
    }
}

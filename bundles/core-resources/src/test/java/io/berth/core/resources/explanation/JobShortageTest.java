package io.berth.core.resources.explanation;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.resources.explanation.ClusterCapacity.Standing;
import io.berth.core.resources.explanation.ClusterCapacity.Workers;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobShortageTest {

    private static final ResourceProfile CORE = ResourceProfile.of(1_000, 100);

    private static String whyItWaitsForSmall(List<Workers> workers) {
        GroupRequirement requirement = new GroupRequirement("default", CORE, 1, 1);
        JobShortage.Unit unit = new JobShortage.Unit(
                List.of(new JobShortage.Group(requirement, 0)),
                true,
                Optional.empty(),
                List.of(),
                List.of("local/small"));
        ClusterCapacity capacity =
                new ClusterCapacity("", Reason.of(ReasonCode.NO_BACKEND, "no backend"), workers, List.of());
        Reason why = new JobShortage(new JobId("job"), "default", 1, 0, 0, Optional.empty(), List.of(unit))
                .why(capacity, need -> {
                    throw new AssertionError("nothing is to be analyzed");
                });
        assertThat(why.code()).isEqualTo(ReasonCode.STARTING_WORKERS);
        return why.causes().get(0).text();
    }

    @Test
    void workersThatAJobWaitsForAreBeingStarted() {
        assertThat(whyItWaitsForSmall(
                        List.of(new Workers(Standing.TAKEN, CORE, CORE, CORE, WorkerLabels.NONE, "local/small", 2))))
                .isEqualTo("2 workers of local/small are being started");
    }

    private static JobShortage.Group group(String name) {
        return new JobShortage.Group(new GroupRequirement(name, CORE, 1, 1), 0);
    }

    /** There is room for each group, and the strategy excludes it for one of them. */
    @Test
    void aStrategyThatExcludesWorkersIsNamedOnceForAllGroupsOfAUnit() {
        Reason excluded = Reason.of(
                ReasonCode.EXCLUDED, "matching strategy filter, group b: excludes 1 worker: its kernel is too old");
        JobShortage.Unit unit = new JobShortage.Unit(
                List.of(group("a"), group("b")),
                true,
                Optional.of(Reason.of(ReasonCode.NOT_PLACED, "no room for 1 x CORE of group a", List.of(excluded))),
                List.of(),
                List.of());
        ClusterCapacity capacity = new ClusterCapacity(
                "",
                Reason.of(ReasonCode.NO_BACKEND, "no backend"),
                List.of(new Workers(Standing.OPEN, CORE, CORE, CORE, WorkerLabels.NONE, "", 2)),
                List.of());
        Reason why = new JobShortage(new JobId("job"), "default", 1, 0, 0, Optional.empty(), List.of(unit))
                .why(capacity, need -> RoomAnalysis.of(capacity, need));
        assertThat(why.code()).isEqualTo(ReasonCode.EXCLUDED);
        assertThat(why.causes()).hasSize(3).endsWith(excluded);
        assertThat(why.causes().subList(0, 2))
                .allSatisfy(group -> assertThat(group.code()).isEqualTo(ReasonCode.NOT_PLACED));
    }

    @Test
    void whenNoneIsBeingStartedTheNextPlanDecides() {
        assertThat(whyItWaitsForSmall(List.of()))
                .isEqualTo("no worker of local/small is being started now: the next plan decides");
    }
}

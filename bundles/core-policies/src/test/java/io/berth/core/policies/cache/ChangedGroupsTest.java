package io.berth.core.policies.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChangedGroupsTest {

    private static final GroupDemand A = group("a", 1);
    private static final GroupDemand B = group("b", 1);
    private static final GroupDemand MORE_B = group("b", 2);

    private static GroupDemand group(String name, int allocated) {
        return new GroupDemand(name, ResourceProfile.of(1_000, 1 << 20), 1, 2, allocated);
    }

    private static Optional<UnitDemand> unit(SchedulingAttributes attributes, GroupDemand... groups) {
        return Optional.of(new UnitDemand(new JobId("job"), "unit", 1, attributes, List.of(groups)));
    }

    private static Optional<UnitDemand> unit(GroupDemand... groups) {
        return unit(SchedulingAttributes.DEFAULT, groups);
    }

    @Test
    void groupsThatAreTheSameObjectsDidNotChange() {
        assertThat(ChangedGroups.of(unit(A, B), unit(A, MORE_B)))
                .isEqualTo(new ChangedGroups(List.of(B), List.of(MORE_B)));
        assertThat(ChangedGroups.of(unit(A, B), unit(A, B))).isEqualTo(new ChangedGroups(List.of(), List.of()));
    }

    @Test
    void groupsComeAndGo() {
        assertThat(ChangedGroups.of(unit(A, B), unit(A))).isEqualTo(new ChangedGroups(List.of(B), List.of()));
        assertThat(ChangedGroups.of(unit(A), unit(A, B))).isEqualTo(new ChangedGroups(List.of(), List.of(B)));
        assertThat(ChangedGroups.of(Optional.empty(), unit(A))).isEqualTo(new ChangedGroups(List.of(), List.of(A)));
        assertThat(ChangedGroups.of(unit(A), Optional.empty())).isEqualTo(new ChangedGroups(List.of(A), List.of()));
    }

    @Test
    void inAnotherQueueAllGroupsAreOthers() {
        SchedulingAttributes elsewhere = SchedulingAttributes.DEFAULT.withQueue("ads");
        assertThat(ChangedGroups.of(unit(A, B), unit(elsewhere, A, B)))
                .isEqualTo(new ChangedGroups(List.of(A, B), List.of(A, B)));
    }
}

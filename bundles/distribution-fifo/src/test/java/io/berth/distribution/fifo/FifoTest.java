package io.berth.distribution.fifo;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.testkit.ArrayDemandsView;
import io.berth.testkit.DistributionPolicyContract;
import io.berth.testkit.RecordedAdmission;
import io.berth.testkit.RecordedAdmission.Admitted;
import java.util.List;
import org.junit.jupiter.api.Test;

class FifoTest implements DistributionPolicyContract {

    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1_000);
    private static final ResourceProfile LARGE = ResourceProfile.of(2_000, 2_000);

    @Override
    public DistributionPolicyFactory factory() {
        return new FifoFactory();
    }

    @Test
    void admitsInTheOrderOfSubmissionMinimumBeforeTheRestOfEachUnit() {
        ArrayDemandsView demands = new ArrayDemandsView().unit("late", 2).unit("early", 1);
        demands.group(0, SLOT, 1, 2, 0).group(1, SLOT, 2, 5, 1).group(1, SLOT, 0, 3, 0);
        assertThat(admit(demands))
                .containsExactly(
                        new Admitted(1, -1, 0),
                        new Admitted(1, 1, 2),
                        new Admitted(1, 0, 1),
                        new Admitted(1, 1, 1),
                        new Admitted(1, 0, 2),
                        new Admitted(0, -1, 0),
                        new Admitted(0, 0, 1));
    }

    @Test
    void flip138_keepsItsOrderWhenRequirementsChange() {
        ArrayDemandsView demands = new ArrayDemandsView().unit("first", 1).unit("second", 2);
        demands.group(0, SLOT, 1, 1, 1).group(1, SLOT, 1, 2, 0);
        FifoSession session = new FifoSession(demands);
        demands.put(0, "first", 1).group(0, SLOT, 1, 2, 1);
        session.delta(new int[] {0});
        RecordedAdmission result = new RecordedAdmission();
        session.admit(result);
        assertThat(result.admitted()).first().isEqualTo(new Admitted(0, 0, 1));
    }

    @Test
    void sharesSlotsAboveTheMinimumEvenlyAmongTheGroupsOfAUnit() {
        ArrayDemandsView demands = new ArrayDemandsView().unit("job", 1);
        demands.group(0, SLOT, 1, 4, 0).group(0, LARGE, 1, 3, 0);
        assertThat(admit(demands))
                .containsExactly(
                        new Admitted(0, -1, 0),
                        new Admitted(0, 0, 1),
                        new Admitted(0, 1, 1),
                        new Admitted(0, 0, 1),
                        new Admitted(0, 1, 1),
                        new Admitted(0, 0, 1));
    }

    @Test
    void admitsTheSlotsOfAGroupThatLacksAloneAtOnce() {
        ArrayDemandsView demands = new ArrayDemandsView().unit("job", 1);
        demands.group(0, SLOT, 1, 100_000, 1).group(0, SLOT, 1, 1, 1);
        assertThat(admit(demands)).containsExactly(new Admitted(0, 0, 99_999));
    }

    @Test
    void wideGroupsOfEqualSlotsTakeFewTurns() {
        ArrayDemandsView demands = new ArrayDemandsView().unit("job", 1);
        demands.group(0, SLOT, 1, 1_000_000, 1).group(0, SLOT, 1, 1_000_000, 1);
        List<Admitted> admitted = admit(demands);
        assertThat(admitted).hasSizeBetween(32, 1_000);
        assertThat(admitted.stream().mapToInt(Admitted::count).sum()).isEqualTo(1_999_998);
        int[] has = {1, 1};
        for (Admitted one : admitted) {
            has[one.group()] += one.count();
            assertThat(Math.abs(has[0] - has[1])).isLessThanOrEqualTo(62_500);
        }
    }

    @Test
    void keepsTheSlotsOfEachProfileOfAWideUnitTogether() {
        ArrayDemandsView demands = new ArrayDemandsView().unit("job", 1);
        demands.group(0, SLOT, 0, 5_000, 0).group(0, LARGE, 0, 5_000, 0);
        assertThat(admit(demands)).containsExactly(new Admitted(0, 0, 5_000), new Admitted(0, 1, 5_000));
    }

    private List<Admitted> admit(ArrayDemandsView demands) {
        RecordedAdmission result = new RecordedAdmission();
        new FifoSession(demands).admit(result);
        return result.admitted();
    }
}

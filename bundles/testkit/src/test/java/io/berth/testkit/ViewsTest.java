package io.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.spi.ResourceProfile;
import io.berth.spi.backend.WorkerSpec;
import io.berth.testkit.ArrayAdmittedView.LabelRule;
import org.junit.jupiter.api.Test;

/** What the views of the kit can say, they say as the host does. */
class ViewsTest {

    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1_000);
    private static final ResourceProfile SIZE = SLOT.times(8);

    private final ArrayWorkersView workers =
            new ArrayWorkersView().worker(SIZE).worker(SIZE).worker(SIZE);
    private final ArrayAdmittedView admitted = new ArrayAdmittedView(workers).add("a", SLOT, 1);

    private void assertFeasible(boolean... expected) {
        for (int worker = 0; worker < expected.length; worker++) {
            assertThat(admitted.feasible(0, worker)).as("worker %s", worker).isEqualTo(expected[worker]);
        }
    }

    @Test
    void aWorkerComesFromABackendAndHasASpecAndACost() {
        int revision = workers.revision(1);
        workers.startedBy(1, "cloud", "large").preemptible(1).costPerHour(1, 2.5);
        assertThat(workers.backend(1)).isEqualTo("cloud");
        assertThat(workers.spec(1)).isEqualTo("large");
        assertThat(workers.costPerHour(1)).isEqualTo(2.5);
        assertThat(workers.label(1, "berth.backend")).hasValue("cloud");
        assertThat(workers.label(1, "berth.spec")).hasValue("large");
        assertThat(workers.label(1, "berth.preemptible")).hasValue("true");
        assertThat(workers.revision(1)).isNotEqualTo(revision);
        assertThat(workers.label(0, "berth.backend")).hasValue(workers.backend(0));
        assertThat(workers.label(0, "berth.spec")).isEmpty();
        ArrayWorkersView copy = workers.copy();
        assertThat(copy.backend(1)).isEqualTo("cloud");
        assertThat(copy.spec(1)).isEqualTo("large");
        assertThat(copy.costPerHour(1)).isEqualTo(2.5);
        assertThat(copy.total(1, 0)).isEqualTo(8_000);
    }

    @Test
    void aSpecIsAsItsBackendOffersIt() {
        workers.spec(SIZE, 1);
        workers.spec(
                "cloud",
                WorkerSpec.of("spot", SIZE)
                        .defaultSlots(2)
                        .preemptible(true)
                        .label("zone", "a")
                        .build(),
                3);
        assertThat(workers.specName(1)).isEqualTo("spot");
        assertThat(workers.specBackend(1)).isEqualTo("cloud");
        assertThat(workers.specLabel(1, "zone")).hasValue("a");
        assertThat(workers.specLabel(1, "berth.spec")).hasValue("spot");
        assertThat(workers.specLabel(1, "berth.preemptible")).hasValue("true");
        assertThat(workers.specLabel(0, "berth.preemptible")).isEmpty();
        admitted.add("b", ResourceProfile.UNKNOWN, 1);
        assertThat(admitted.needOnSpec(1, 0, 0)).isEqualTo(2_000);
        assertThat(admitted.needOnSpec(1, 1, 0)).isEqualTo(4_000);
        workers.defaultSlots(0, 8);
        assertThat(admitted.need(1, 0, 0)).isEqualTo(1_000);
        assertThat(admitted.need(1, 1, 0)).isEqualTo(2_000);
    }

    @Test
    void labelsAreComparedByAllRulesOfTheHost() {
        workers.label(0, "zone", "a")
                .label(1, "zone", "b")
                .label(0, "cores", "16")
                .label(1, "cores", "8.5");
        workers.label(2, "cores", "many");
        assertFeasible(true, true, true);
        admitted.requiring(LabelRule.notIn("zone", "a", "c"));
        assertFeasible(false, true, true);
        admitted.requiring(LabelRule.exists("zone"));
        assertFeasible(false, true, false);
        admitted.requiring(LabelRule.greater("cores", 8));
        assertFeasible(false, true, false);
        admitted.requiring(LabelRule.greater("cores", 9));
        assertFeasible(false, false, false);
        ArrayAdmittedView other = new ArrayAdmittedView(workers)
                .add("b", SLOT, 1)
                .preferring(LabelRule.greater("cores", 8), 10)
                .preferring(LabelRule.notIn("zone", "a"), 3);
        assertThat(other.preference(0, 0)).isEqualTo(10);
        assertThat(other.preference(0, 1)).isEqualTo(13);
        assertThat(other.preference(0, 2)).isEqualTo(3);
        workers.spec(SLOT, 1)
                .spec(
                        WorkerSpec.of("zoned", SLOT)
                                .label("zone", "a")
                                .label("cores", "9")
                                .build(),
                        1);
        assertThat(other.preferenceOnSpec(0, 0)).isEqualTo(3);
        assertThat(other.preferenceOnSpec(0, 1)).isEqualTo(10);
    }

    @Test
    void aValueOfATaintCanBeTolerated() {
        workers.taint(0, "gpu", "v100").taint(1, "gpu", "a100").taint(2, "disk", "slow");
        assertFeasible(false, false, false);
        admitted.tolerating("gpu", "v100");
        assertFeasible(true, false, false);
        admitted.tolerating("gpu").tolerating("disk", "fast");
        assertFeasible(true, true, false);
        admitted.requiring(LabelRule.in("berth.backend", "fake", "other"));
        assertFeasible(true, true, false);
    }

    @Test
    void anIndexOfASlotIsUsedAgain() {
        ArrayAllocationsView slots = admitted.allocations()
                .add("a", "left", "g", SLOT, 0, 2, 5)
                .add("a", "right", "g", SLOT, 1, 1, 7)
                .minimum("a", "right", "g", 3);
        assertThat(slots.unit(0)).isEqualTo("left");
        assertThat(slots.aboveMinimum(0)).isEqualTo(2);
        assertThat(slots.aboveMinimum(2)).isEqualTo(-2);
        slots.remove(0);
        assertThat(slots.present(0)).isFalse();
        assertThat(slots.limit()).isEqualTo(3);
        assertThat(slots.aboveMinimum(1)).isEqualTo(1);
        assertThatThrownBy(() -> slots.job(0)).isInstanceOf(IllegalArgumentException.class);
        slots.add("b", "h", SLOT, 2, 1, 9);
        assertThat(slots.job(0).value()).isEqualTo("b");
        assertThat(slots.unit(0)).isEqualTo("all");
        assertThat(slots.id(0)).isNotEqualTo(slots.id(1)).isNotEqualTo(slots.id(2));
        slots.remove(2).remove(1);
        assertThat(slots.limit()).isEqualTo(1);
    }

    @Test
    void aUnitThatIsPausedOrNotRequiredIsNotAsked() {
        ArrayAllocationsView slots = admitted.allocations()
                .add("a", "left", "g", SLOT, 0, 1, 0)
                .add("a", "right", "g", SLOT, 1, 1, 0)
                .add("a", "right", "h", SLOT, 1, 1, 0)
                .paused("a", "left")
                .notRequired("a", "right", "h");
        assertThat(slots.returnable(0)).isFalse();
        assertThat(slots.returnable(1)).isTrue();
        assertThat(slots.returnable(2)).isFalse();
        assertThat(slots.aboveMinimum(2)).isZero();
        slots.returnableAgain("a").paused("a");
        assertThat(slots.returnable(1)).isFalse();
        slots.returnableAgain("a");
        assertThat(slots.returnable(0)).isTrue();
    }

    @Test
    void allSlotsOfAJobSayWhatItsLastRescaleCost() {
        ArrayAllocationsView slots = admitted.allocations()
                .add("a", "left", "g", SLOT, 0, 1, 0)
                .add("b", "left", "g", SLOT, 0, 1, 0)
                .add("a", "right", "h", SLOT, 1, 1, 0)
                .lastRescaleMillis("a", 7_000);
        assertThat(slots.lastRescaleMillis(0)).hasValue(7_000);
        assertThat(slots.lastRescaleMillis(1)).isEmpty();
        assertThat(slots.lastRescaleMillis(2)).hasValue(7_000);
        slots.remove(0);
        assertThatThrownBy(() -> slots.lastRescaleMillis(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aUnitAtAnIndexThatIsUsedAgainIsAnotherOne() {
        ArrayDemandsView demands = new ArrayDemandsView()
                .unit("a", 1)
                .group(0, SLOT, 1, 1, 0)
                .name(0, "left")
                .arrived(0, 5)
                .waitingSince(0, 6)
                .runningSince(0, 7);
        assertThat(demands.name(0)).isEqualTo("left");
        assertThat(demands.waitingSince(0)).hasValue(6);
        demands.put(0, "b", 2).group(0, SLOT, 1, 1, 0);
        assertThat(demands.name(0)).isEqualTo("all");
        assertThat(demands.arrived(0)).isZero();
        assertThat(demands.waitingSince(0)).hasValue(0);
        demands.allocated(0, 0, 1);
        assertThat(demands.runningSince(0)).hasValue(0);
    }

    @Test
    void aUnitThatReturnsSlotsIsNotAskedForOthers() {
        ArrayDemandsView demands = new ArrayDemandsView().unit("a", 1).group(0, SLOT, 1, 5, 5);
        assertThat(demands.returning(0, 0)).isZero();
        demands.returning(0, 0, 2);
        assertThat(demands.returning(0, 0)).isEqualTo(2);
        assertThat(demands.returnable(0)).isFalse();
        demands.returnableAgain(0);
        assertThat(demands.returning(0, 0)).isZero();
        assertThat(demands.returnable(0)).isTrue();
    }

    @Test
    void aGroupThatFoundNoRoomDesiresOnlyWhatItHas() {
        ArrayDemandsView demands = new ArrayDemandsView()
                .pool(SIZE, SLOT)
                .unit("a", 1)
                .group(0, SLOT, 3, 5, 2)
                .group(0, SLOT, 3, 1, 0);
        assertThat(demands.desired(0, 1)).as("at least the minimum").isEqualTo(3);
        demands.withoutRoom(0, 0);
        assertThat(demands.desired(0, 0)).isEqualTo(2);
        demands.placed(0, 0, 1);
        assertThat(demands.desired(0, 0)).isEqualTo(3);
        demands.endDecision();
        assertThat(demands.desired(0, 0)).isEqualTo(5);
    }

    @Test
    void anAssignmentHasTheTimeThatATestSets() {
        ArrayAssignmentView view = new ArrayAssignmentView(false).now(5_000).wallTime(1_700_000_000_000L);
        assertThat(view.now()).isEqualTo(5_000);
        assertThat(view.wallTime()).isEqualTo(1_700_000_000_000L);
    }
}

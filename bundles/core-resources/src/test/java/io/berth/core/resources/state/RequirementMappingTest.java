package io.berth.core.resources.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.gateway.ResourceManagerGateway.UnitRequirement;
import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.PlacementConstraints.LabelRule;
import io.berth.core.api.job.PlacementConstraints.Operator;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.resources.state.RequirementMapping.Kind;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RequirementMappingTest {

    private static final ResourceProfile P1 = ResourceProfile.of(1_000, 100);
    private static final ResourceProfile P2 = ResourceProfile.of(2_000, 200);
    private static final GroupKey FIRST = new GroupKey("all", "first");
    private static final GroupKey SECOND = new GroupKey("all", "second");
    private static final Kind P1_FIRST = new Kind(FIRST, P1);
    private static final Kind P2_SECOND = new Kind(SECOND, P2);

    private final RequirementMapping mapping = new RequirementMapping(MatchingRule.EXACT);

    private void require(GroupRequirement... groups) {
        mapping.require(List.of(new UnitRequirement("all", List.of(groups))));
    }

    private static GroupRequirement first(ResourceProfile profile, int count) {
        return new GroupRequirement("first", profile, 0, count);
    }

    private static GroupRequirement second(ResourceProfile profile, int count) {
        return new GroupRequirement("second", profile, 0, count);
    }

    private void acquire(Kind kind, int count) {
        mapping.acquired(kind, count);
    }

    @Test
    void c09_isEmptyInTheBeginning() {
        assertThat(mapping.isEmpty()).isTrue();
        assertThat(mapping.acquired()).isEmpty();
        assertThat(mapping.missing()).isEmpty();
        assertThat(mapping.excess()).isEmpty();
    }

    @Test
    void c11_whatIsMissingFollowsWhatIsRequiredWithoutAnySlot() {
        require(first(P1, 4), second(P2, 2));
        assertThat(mapping.missing()).isEqualTo(Map.of(FIRST, 4, SECOND, 2));
        require(first(P1, 8), second(P2, 2));
        assertThat(mapping.missing()).isEqualTo(Map.of(FIRST, 8, SECOND, 2));
        require(first(P1, 4), second(P2, 2));
        assertThat(mapping.missing()).isEqualTo(Map.of(FIRST, 4, SECOND, 2));
        mapping.require(List.of());
        assertThat(mapping.missing()).isEmpty();
        assertThat(mapping.isEmpty()).isTrue();
    }

    @Test
    void c13_aSlotThatIsSmallerThanRequiredIsHadAndStillMissed() {
        require(first(P2, 1));
        mapping.acquired(P1_FIRST, 1);

        assertThat(mapping.acquired()).isEqualTo(Map.of(P1_FIRST, 1));
        assertThat(mapping.missing()).isEqualTo(Map.of(FIRST, 1));
        assertThat(mapping.excess()).isEqualTo(Map.of(P1_FIRST, 1));
    }

    @Test
    void aSlotOfOneUnitDoesNotServeAnother() {
        UnitRequirement a = new UnitRequirement("a", List.of(first(P1, 2)));
        Kind ofB = new Kind(new GroupKey("b", "first"), P1);
        mapping.require(List.of(a, new UnitRequirement("b", List.of(first(P1, 1)))));
        acquire(ofB, 3);
        assertThat(mapping.missing()).isEqualTo(Map.of(new GroupKey("a", "first"), 2));
        assertThat(mapping.excess()).isEqualTo(Map.of(ofB, 2));

        mapping.require(List.of(a));

        assertThat(mapping.missing()).isEqualTo(Map.of(new GroupKey("a", "first"), 2));
        assertThat(mapping.lacksMinimum("a")).isFalse();
        assertThat(mapping.excess()).isEqualTo(Map.of(ofB, 3));
    }

    @Test
    void c15_excessTakesThePlaceOfASlotThatIsLost() {
        require(first(P1, 1));
        acquire(P1_FIRST, 2);
        assertThat(mapping.excess()).isEqualTo(Map.of(P1_FIRST, 1));
        mapping.lost(P1_FIRST);

        assertThat(mapping.missing()).isEmpty();
        assertThat(mapping.excess()).isEmpty();
        mapping.lost(P1_FIRST);
        assertThat(mapping.missing()).isEqualTo(Map.of(FIRST, 1));
    }

    @Test
    void c01_exactTakesTheSizeThatIsRequiredAndLooseAlsoMore() {
        RequirementMapping loose = new RequirementMapping(MatchingRule.LOOSE);
        loose.require(List.of(new UnitRequirement("all", List.of(first(P1, 1)))));
        loose.acquired(new Kind(FIRST, P2), 1);
        assertThat(loose.missing()).isEmpty();

        require(first(P1, 1));
        mapping.acquired(new Kind(FIRST, P2), 1);
        assertThat(mapping.missing()).isEqualTo(Map.of(FIRST, 1));
        mapping.rule(MatchingRule.LOOSE);
        assertThat(mapping.missing()).isEmpty();
        mapping.rule(MatchingRule.EXACT);
        assertThat(mapping.missing()).isEqualTo(Map.of(FIRST, 1));
    }

    @Test
    void looseTakesTheSlotForARequirementOfItsSizeBeforeASmallerOne() {
        mapping.rule(MatchingRule.LOOSE);
        require(first(P1, 1), second(P2, 1));
        mapping.acquired(new Kind(new GroupKey("all", "before"), P2), 1);

        assertThat(mapping.missing()).isEqualTo(Map.of(FIRST, 1));
    }

    @Test
    void anUnknownRequirementIsFulfilledByWhatWasMadeForItAndByAnythingOnlyWhenLoose() {
        require(first(ResourceProfile.UNKNOWN, 2));
        mapping.acquired(P1_FIRST, 1);
        mapping.acquired(P2_SECOND, 1);
        assertThat(mapping.missing()).isEqualTo(Map.of(FIRST, 1));
        assertThat(mapping.excess()).isEqualTo(Map.of(P2_SECOND, 1));
        mapping.rule(MatchingRule.LOOSE);
        assertThat(mapping.missing()).isEmpty();
    }

    @Test
    void excessOfOneGroupFulfilsAnotherOneOfTheSameSize() {
        require(first(P1, 2));
        acquire(P1_FIRST, 2);
        require(first(P1, 1), second(P1, 1));

        assertThat(mapping.missing()).isEmpty();
        assertThat(mapping.fulfilledBy(P1_FIRST)).isEqualTo(Map.of(FIRST, 1, SECOND, 1));
        assertThat(mapping.fulfilled(SECOND)).isEqualTo(1);
        List<String> changed = new ArrayList<>();
        mapping.eachChangedUnit(changed::add);
        assertThat(changed).containsExactly("all");
        mapping.eachChangedUnit(changed::add);
        assertThat(changed).containsExactly("all");
    }

    @Test
    void aSlotThatWasLeftOverTakesThePlaceOfOneThatWasMadeForAnotherGroup() {
        require(first(P1, 1), second(P1, 1));
        mapping.acquired(P1_FIRST, 1);
        mapping.acquired(P1_FIRST, 1);
        assertThat(mapping.fulfilled(SECOND)).isEqualTo(1);
        mapping.acquired(new Kind(SECOND, P1), 1);
        require(second(P1, 1));

        assertThat(mapping.missing()).isEmpty();
        mapping.lost(P1_FIRST);
        mapping.lost(P1_FIRST);
        assertThat(mapping.fulfilledBy(new Kind(SECOND, P1))).isEqualTo(Map.of(SECOND, 1));
        assertThat(mapping.missing()).isEmpty();
    }

    @Test
    void aSlotGoesBackToItsOwnGroupWhenThatNeedsIt() {
        mapping.rule(MatchingRule.LOOSE);
        require(first(P1, 3), second(P2, 2));
        acquire(P2_SECOND, 3);
        acquire(P1_FIRST, 1);
        assertThat(mapping.fulfilledBy(P2_SECOND)).isEqualTo(Map.of(FIRST, 1, SECOND, 2));
        require(first(P1, 2), second(P2, 3));

        assertThat(mapping.fulfilledBy(P2_SECOND)).isEqualTo(Map.of(SECOND, 3));
        assertThat(mapping.missing()).isEqualTo(Map.of(FIRST, 1));
    }

    @Test
    void aSlotTakesThePlaceInItsGroupOfOneOfAnotherGroup() {
        mapping.rule(MatchingRule.LOOSE);
        require(first(P1, 2), second(P2, 1));
        acquire(P2_SECOND, 4);
        assertThat(mapping.excess()).isEqualTo(Map.of(P2_SECOND, 1));
        acquire(P1_FIRST, 1);

        assertThat(mapping.fulfilledBy(P1_FIRST)).isEqualTo(Map.of(FIRST, 1));
        assertThat(mapping.fulfilledBy(P2_SECOND)).isEqualTo(Map.of(FIRST, 1, SECOND, 1));
        assertThat(mapping.excess()).isEqualTo(Map.of(P2_SECOND, 2));
    }

    @Test
    void aSlotOfAnotherSizeIsTakenBackWhenItsGroupLosesOne() {
        mapping.rule(MatchingRule.LOOSE);
        require(first(P1, 1), second(P1, 1));
        acquire(P1_FIRST, 1);
        Kind larger = new Kind(FIRST, P2);
        acquire(larger, 1);
        assertThat(mapping.fulfilledBy(larger)).isEqualTo(Map.of(SECOND, 1));
        mapping.lost(P1_FIRST);

        assertThat(mapping.fulfilledBy(larger)).isEqualTo(Map.of(FIRST, 1));
        assertThat(mapping.missing()).isEqualTo(Map.of(SECOND, 1));
    }

    @Test
    void whatIsRequiredLessIsExcessAndTakenBackWhenItIsRequiredAgain() {
        require(first(P1, 3));
        acquire(P1_FIRST, 3);
        require(first(P1, 1));
        assertThat(mapping.fulfilled(FIRST)).isEqualTo(1);
        assertThat(mapping.excess()).isEqualTo(Map.of(P1_FIRST, 2));
        require(first(P1, 4));

        assertThat(mapping.excess()).isEmpty();
        assertThat(mapping.missing()).isEqualTo(Map.of(FIRST, 1));
        mapping.require(List.of());
        assertThat(mapping.excess()).isEqualTo(Map.of(P1_FIRST, 3));
        acquireAndLoseAll();
    }

    private void acquireAndLoseAll() {
        mapping.lost(P1_FIRST);
        mapping.lost(P1_FIRST);
        mapping.lost(P1_FIRST);
        assertThat(mapping.isEmpty()).isTrue();
        assertThatThrownBy(() -> mapping.lost(P1_FIRST)).hasMessageContaining("exists that could be removed");
    }

    private static GroupRequirement inZone(String group, int count, String zone) {
        return new GroupRequirement(
                group,
                P1,
                0,
                count,
                new PlacementConstraints(
                        List.of(new LabelRule("zone", Operator.IN, List.of(zone))), List.of(), new TreeMap<>()));
    }

    @Test
    void aSlotServesAnotherGroupOnlyWithTheSameConstraints() {
        require(inZone("first", 0, "a"), inZone("second", 1, "b"));
        acquire(P1_FIRST, 1);
        assertThat(mapping.excess()).isEqualTo(Map.of(P1_FIRST, 1));
        require(inZone("first", 0, "a"), inZone("second", 1, "a"));
        assertThat(mapping.fulfilled(SECOND)).isEqualTo(1);
        require(inZone("first", 0, "a"), second(P1, 1));
        assertThat(mapping.fulfilled(SECOND)).as("without constraints").isZero();
        require(inZone("first", 1, "c"), second(P1, 1));
        assertThat(mapping.fulfilled(FIRST)).as("its own group keeps it").isEqualTo(1);
    }
}

package io.berth.core.resources.state;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Slots that are added as one run fulfill the same requirements as slots that are added one by one. */
class RequirementMappingRunsTest {

    private static final ResourceProfile[] SIZES = {
        ResourceProfile.of(1_000, 100), ResourceProfile.of(2_000, 100), ResourceProfile.of(2_000, 200)
    };
    private static final String[] GROUPS = {"a", "b", "c", "d"};

    private static final List<PlacementConstraints> CONSTRAINTS =
            List.of(PlacementConstraints.NONE, PlacementConstraints.NONE, inZone());

    private static PlacementConstraints inZone() {
        return new PlacementConstraints(
                List.of(new LabelRule("zone", Operator.IN, List.of("a"))), List.of(), new TreeMap<>());
    }

    private static Kind kind(Random random) {
        return new Kind(
                new GroupKey(random.nextBoolean() ? "u" : "v", GROUPS[random.nextInt(GROUPS.length)]),
                SIZES[random.nextInt(SIZES.length)]);
    }

    private static List<UnitRequirement> requirements(Random random) {
        List<UnitRequirement> units = new ArrayList<>();
        for (String unit : List.of("u", "v")) {
            List<GroupRequirement> groups = new ArrayList<>();
            for (String group : GROUPS) {
                if (random.nextInt(3) > 0) {
                    ResourceProfile size =
                            random.nextInt(6) == 0 ? ResourceProfile.UNKNOWN : SIZES[random.nextInt(SIZES.length)];
                    int desired = random.nextInt(12);
                    groups.add(new GroupRequirement(
                            group, size, random.nextInt(desired + 1), desired, CONSTRAINTS.get(random.nextInt(3))));
                }
            }
            units.add(new UnitRequirement(unit, groups));
        }
        return units;
    }

    private static void assertThatCountsOfUnitsAreRight(RequirementMapping mapping, List<UnitRequirement> declared) {
        for (UnitRequirement unit : declared) {
            boolean lacks = false;
            boolean lacksMinimum = false;
            boolean hasSlots = false;
            for (GroupRequirement group : unit.groups()) {
                int have = mapping.fulfilled(new GroupKey(unit.unit(), group.group()));
                lacks |= have < group.desired();
                lacksMinimum |= have < group.minimum();
                hasSlots |= have > 0;
            }
            assertThat(mapping.lacks(unit.unit())).isEqualTo(lacks);
            assertThat(mapping.lacksMinimum(unit.unit())).isEqualTo(lacksMinimum);
            assertThat(mapping.hasSlots(unit.unit())).isEqualTo(hasSlots);
        }
    }

    /** No slot serves another group, or none, while its own group needs it or is served by slots of others. */
    private static void assertThatOwnSlotsComeFirst(
            RequirementMapping mapping, List<UnitRequirement> declared, List<Kind> there, MatchingRule rule) {
        for (UnitRequirement unit : declared) {
            for (GroupRequirement group : unit.groups()) {
                GroupKey key = new GroupKey(unit.unit(), group.group());
                List<Kind> own = there.stream()
                        .distinct()
                        .filter(kind -> kind.group().equals(key))
                        .filter(kind -> group.profile().isUnknown()
                                || (rule == MatchingRule.EXACT
                                        ? kind.profile().equals(group.profile())
                                        : kind.profile().covers(group.profile())))
                        .toList();
                long all = there.stream().filter(own::contains).count();
                int serving = own.stream()
                        .mapToInt(kind -> mapping.fulfilledBy(kind).getOrDefault(key, 0))
                        .sum();
                assertThat((long) serving).as("own slots of %s", key).isEqualTo(Math.min(all, group.desired()));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(MatchingRule.class)
    void aRunFulfilsWhatItsSlotsWouldFulfilOneByOne(MatchingRule first) {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            MatchingRule rule = first;
            RequirementMapping runs = new RequirementMapping(rule);
            RequirementMapping oneByOne = new RequirementMapping(rule);
            List<UnitRequirement> declared = List.of();
            List<Kind> there = new ArrayList<>();
            for (int step = 0; step < 60; step++) {
                int what = random.nextInt(10);
                if (random.nextInt(30) == 0) {
                    rule = rule == MatchingRule.EXACT ? MatchingRule.LOOSE : MatchingRule.EXACT;
                    runs.rule(rule);
                    oneByOne.rule(rule);
                } else if (what == 0) {
                    declared = requirements(random);
                    runs.require(declared);
                    oneByOne.require(declared);
                } else if (what < 6 || there.isEmpty()) {
                    Kind kind = kind(random);
                    int count = 1 + random.nextInt(8);
                    runs.acquired(kind, count);
                    for (int slot = 0; slot < count; slot++) {
                        oneByOne.acquired(kind, 1);
                        there.add(kind);
                    }
                } else {
                    Kind kind = there.remove(random.nextInt(there.size()));
                    runs.lost(kind);
                    oneByOne.lost(kind);
                }
                assertThatCountsOfUnitsAreRight(runs, declared);
                if (step % 4 == 3) {
                    assertThatOwnSlotsComeFirst(runs, declared, there, rule);
                }
                assertThat(runs.missing()).isEqualTo(oneByOne.missing());
                assertThat(runs.excess()).isEqualTo(oneByOne.excess());
                for (Kind kind : there) {
                    assertThat(runs.fulfilledBy(kind)).isEqualTo(oneByOne.fulfilledBy(kind));
                }
                assertThat(runs.acquired().values().stream()
                                .mapToInt(Integer::intValue)
                                .sum())
                        .isEqualTo(there.size());
            }
        }
    }
}

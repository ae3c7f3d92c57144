package io.berth.core.dispatcher.description;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.PlacementConstraints.LabelRule;
import io.berth.core.api.job.PlacementConstraints.Operator;
import io.berth.core.api.job.PlacementConstraints.Preference;
import io.berth.core.api.job.PlacementConstraints.Spread;
import io.berth.core.api.job.PolicyChoice;
import io.berth.core.api.job.Problem;
import io.berth.core.dispatcher.description.DescriptionParser.ParseOutcome;
import io.berth.spi.PolicyKind;
import io.berth.spi.ResourceProfile;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a job says about where its slots may be, and about the policy that it chooses. */
class ConstraintsParserTest {

    private static ParseOutcome parse(String constraints) {
        return DescriptionParser.parse("""
                name: j
                vertices: [{name: a, operator: file-source, slotSharingGroup: g, configuration: {path: /t}}]
                slotSharingGroups: [{name: g, constraints: {%s}}]
                """.formatted(constraints), DescriptionParserTest.CATALOG);
    }

    private static List<String> problems(String constraints) {
        return parse(constraints).problems().stream().map(Problem::toString).toList();
    }

    @Test
    void readsAllRules() {
        ParseOutcome outcome = parse("""
                require: [{label: zone, in: [a, 7]}, {label: disk, not-in: hdd}, {label: ssd, exists: true},
                          {label: memory, greater: 63.5}],
                prefer: [{label: rack, in: r1, weight: 9}, {label: fast, exists: true}],
                tolerate: [{taint: gpu}, {taint: team, value: search}]""");
        assertThat(outcome.problems()).isEmpty();
        assertThat(outcome.draft().orElseThrow().groups())
                .containsExactly(new SlotSharingGroup(
                        "g",
                        ResourceProfile.UNKNOWN,
                        new PlacementConstraints(
                                List.of(
                                        new LabelRule("zone", Operator.IN, List.of("a", "7")),
                                        new LabelRule("disk", Operator.NOT_IN, List.of("hdd")),
                                        new LabelRule("ssd", Operator.EXISTS, List.of()),
                                        new LabelRule("memory", Operator.GREATER, List.of("63.5"))),
                                List.of(
                                        new Preference(new LabelRule("rack", Operator.IN, List.of("r1")), 9),
                                        new Preference(new LabelRule("fast", Operator.EXISTS, List.of()), 1)),
                                new TreeMap<>(Map.of("gpu", "", "team", "search")))));
    }

    @Test
    void namesFieldValueAndWhatIsAllowed() {
        assertThat(problems("require: [{label: zone}]"))
                .containsExactly("slotSharingGroups[0].constraints.require[0].in is missing: one of in, not-in, exists"
                        + " and greater");
        assertThat(problems("require: [{label: zone, in: a, exists: true}]"))
                .containsExactly("slotSharingGroups[0].constraints.require[0].exists is beside in: one of in, not-in,"
                        + " exists and greater");
        assertThat(problems("require: [{in: a}]"))
                .containsExactly("slotSharingGroups[0].constraints.require[0].label is missing: 1 to 256 characters");
        assertThat(problems("require: [{label: zone, greater: big}]"))
                .containsExactly("slotSharingGroups[0].constraints.require[0].greater is 'big': a number of up to 15"
                        + " digits");
        assertThat(problems("prefer: [{label: zone, in: a, weight: 101}]"))
                .containsExactly(
                        "slotSharingGroups[0].constraints.prefer[0].weight is 101: a whole number from 1 to" + " 100");
        assertThat(problems("tolerate: [{taint: a}, {taint: a, value: b}]"))
                .containsExactly("slotSharingGroups[0].constraints.tolerate[1].taint is 'a' again: each taint once");
        assertThat(problems("requires: []"))
                .containsExactly("slotSharingGroups[0].constraints.requires is an unknown field: did you mean"
                        + " 'require'? known are require, prefer, tolerate, spread");
    }

    @Test
    void readsASpread() {
        assertThat(parse("spread: {label: zone, maxSkew: 3}")
                        .draft()
                        .orElseThrow()
                        .groups()
                        .get(0)
                        .constraints()
                        .spread())
                .contains(new Spread("zone", 3));
        assertThat(parse("spread: {label: zone}")
                        .draft()
                        .orElseThrow()
                        .groups()
                        .get(0)
                        .constraints())
                .hasToString("spread over zone (at most 1 more than the fewest)");
        assertThat(problems("spread: {maxSkew: 1}"))
                .containsExactly("slotSharingGroups[0].constraints.spread.label is missing: 1 to 256 characters");
        assertThat(problems("spread: {label: zone, maxSkew: 0}"))
                .containsExactly("slotSharingGroups[0].constraints.spread.maxSkew is 0: a whole number from 1 to 1000");
        assertThat(problems("spread: {label: zone, skew: 1}"))
                .containsExactly("slotSharingGroups[0].constraints.spread.skew is an unknown field: known are label,"
                        + " maxSkew");
        assertThat(problems("spread: zone"))
                .singleElement()
                .asString()
                .startsWith("slotSharingGroups[0].constraints.spread is");
    }

    private static ParseOutcome choosing(String scaling) {
        return DescriptionParser.parse("""
                name: j
                policies: {scaling: %s}
                vertices: [{name: a, operator: file-source, configuration: {path: /t}}]
                """.formatted(scaling), DescriptionParserTest.CATALOG);
    }

    @Test
    void readsTheParametersOfAPolicy() {
        assertThat(choosing("{name: reactive, pause: 5}").draft().orElseThrow().policies())
                .containsEntry(PolicyKind.SCALING, new PolicyChoice("reactive", new TreeMap<>(Map.of("pause", "5"))));
        assertThat(choosing("{name: reactive}").draft().orElseThrow().policies())
                .containsEntry(PolicyKind.SCALING, PolicyChoice.of("reactive"));
    }

    @Test
    void namesAWrongParameterOfAPolicy() {
        assertThat(choosing("{name: reactive, pause: 10, speed: 1}").problems())
                .containsExactly(
                        new Problem("policies.scaling.pause", "'10'", "a whole number from 1 to 9"),
                        new Problem("policies.scaling.speed", "an unknown parameter", "known are pause"));
        assertThat(choosing("{pause: 5}").problems())
                .extracting(Problem::toString)
                .containsExactly("policies.scaling.name is missing: the name of an installed scaling policy");
        assertThat(choosing("{name: \"(a=b)\", pause: 5}").problems())
                .extracting(Problem::toString)
                .containsExactly("policies.scaling.name is '(a=b)': a name: with a filter, parameters are not allowed");
        assertThat(choosing("{name: fast}").problems())
                .extracting(Problem::toString)
                .containsExactly("policies.scaling.name is 'fast': an installed one: reactive");
    }
}

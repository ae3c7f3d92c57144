package io.berth.core.policies.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.PolicyChoice;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.operations.PolicyOperations.PolicyDiagnosis;
import io.berth.core.api.operations.PolicyVerdict;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.ScalingAdvisor;
import io.berth.core.policies.Bench;
import io.berth.core.policies.registration.OfferedPolicy;
import io.berth.scaling.reactive.ReactiveFactory;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.JobId;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import io.berth.spi.scaling.ScalingPolicy;
import io.berth.spi.scaling.ScalingPolicyFactory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DiagnosisTest {

    private Bench bench;

    @BeforeEach
    void open() {
        bench = new Bench().withDefaults();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private PolicyDiagnosis diagnosis(String name) {
        List<PolicyDiagnosis> found = bench.platform.diagnose(Optional.of(PolicyKind.MATCHING), Optional.of(name));
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    private void assertDiagnosis(String name, String verdict, String... texts) {
        assertThat(diagnosis(name).verdict().label()).isEqualTo(verdict);
        assertThat(diagnosis(name).text()).contains(texts);
    }

    @Test
    void namesThePolicyThatDecidesByRanking() {
        assertDiagnosis("first-fit", "deciding", "highest ranking, 100");
        assertDiagnosis(
                "spread", "outranked", "ranking 50", "first-fit of bundle test.matching.first-fit (ranking 100");
    }

    @Test
    void namesTheChoiceThatFiltersAPolicyOut() {
        bench.platform.use(PolicyKind.MATCHING, "(io.berth.policy.name=spr*)");

        assertDiagnosis("spread", "deciding", "it is chosen", "index 1");
        assertDiagnosis("first-fit", "filtered out", "(io.berth.policy.name=spr*)", "policy use matching first-fit");
    }

    @Test
    void saysWhatIsWrongWithAConfiguration() {
        bench.configured.put("test.matching.scripted", new TreeMap<>(Map.of("limit", "50")));
        bench.add(
                PolicyKind.MATCHING,
                "scripted",
                500,
                new Bench.Scripted(
                        "scripted", List.of(ConfigurationKey.text("limit", "1", "1 to 10")), Bench.LEAVES_OUT));
        bench.awaitState("scripted", "configuration refused");

        assertDiagnosis("scripted", "configuration refused", "limit", "50", "configuration test.matching.scripted");
    }

    @Test
    void saysWhyAPolicyCannotBeUsed() {
        bench.add(PolicyKind.MATCHING, "liar", 500, Bench.placing("other", Bench.LEAVES_OUT));
        bench.awaitState("liar", "cannot be used");

        assertDiagnosis("liar", "cannot be used", "describes itself as 'other'");
    }

    @Test
    void saysSinceWhenAndWhyAPolicyIsQuarantinedUntilItIsReleased() throws Exception {
        AtomicBoolean broken = new AtomicBoolean(true);
        bench.add(PolicyKind.MATCHING, "moody", 500, Bench.placing("moody", (workers, admitted, plan) -> {
            if (broken.get()) {
                throw new IllegalStateException("bad mood");
            }
            Bench.LEAVES_OUT.place(workers, admitted, plan);
        }));
        bench.awaitState("moody", "deciding");
        try (PlacementPlanner planner = bench.planner()) {
            for (int round = 0; round < 3; round++) {
                assertThat(Bench.planned(planner, bench.twoWorkersAndAJob())
                                .matching()
                                .name())
                        .isEqualTo("first-fit");
            }
            assertDiagnosis("moody", "quarantined", "since 2", "bad mood", "policy release matching moody");

            broken.set(false);
            bench.platform.release(PolicyKind.MATCHING, "moody", "anna");

            assertDiagnosis("moody", "deciding", "highest ranking, 500");
            assertThat(Bench.planned(planner, bench.twoWorkersAndAJob())
                            .matching()
                            .name())
                    .isEqualTo("moody");
            assertThat(bench.platform.swaps(Optional.of(PolicyKind.MATCHING), 10))
                    .extracting(swap -> swap.cause().label())
                    .containsExactly("release by anna", "quarantine");
        }
    }

    @Test
    void considersTheChoicesOfJobsToo() {
        bench.add(PolicyKind.SCALING, "reactive", 100, new ReactiveFactory());
        bench.add(PolicyKind.SCALING, "calm", 1, new Renamed());
        bench.awaitState("calm", "ready");
        ScalingAdvisor own = bench.platform.openScaling(graph("a", "calm"), () -> {});
        ScalingAdvisor common = bench.platform.openScaling(graph("b", ""), () -> {});
        ScalingAdvisor wishful = bench.platform.openScaling(graph("c", "nope"), () -> {});

        assertThat(bench.state("calm")).isEqualTo("deciding");
        assertThat(scaling("calm").verdict().label()).isEqualTo("deciding");
        assertThat(scaling("calm").text())
                .startsWith("it decides for job a, which chooses 'calm'; for all others it is outranked: ");
        assertThat(scaling("reactive").text()).contains("it decides for job c, which chooses 'nope', too");
        own.close();
        wishful.close();
        assertThat(scaling("calm").verdict().label()).isEqualTo("outranked");
        assertThat(scaling("reactive").text()).doesNotContain("job c");
        common.close();
    }

    private PolicyDiagnosis scaling(String name) {
        return bench.platform
                .diagnose(Optional.of(PolicyKind.SCALING), Optional.of(name))
                .get(0);
    }

    private static JobGraph graph(String job, String scaling) {
        return new JobGraph(
                new JobId(job),
                job,
                1,
                SchedulingAttributes.DEFAULT,
                new TreeMap<>(scaling.isEmpty() ? Map.of() : Map.of(PolicyKind.SCALING, PolicyChoice.of(scaling))),
                List.of(),
                List.of(new JobVertex("source", "source", 1, 2, 3, 128, "default", new TreeMap<>())),
                List.of(),
                List.of(new SlotSharingGroup("default", Bench.SLOT)));
    }

    private static final class Renamed implements ScalingPolicyFactory {
        @Override
        public PolicyDescription describe() {
            return new PolicyDescription("calm", "as reactive");
        }

        @Override
        public ScalingPolicy create(PolicyConfiguration configuration, PolicyContext context) {
            return new ReactiveFactory().create(configuration, context);
        }
    }

    @Test
    void warnsAboutAChoiceThatNoPolicyMatchesAndNamesTheInstalledOnes() {
        assertThat(bench.platform.registry().unmetChoices()).isEmpty();
        bench.platform.settings(new HostSettings(
                new TreeMap<>(Map.of(PolicyKind.MATCHING, "nope")), new TreeMap<>(), new TreeMap<>(), 100));

        assertThat(bench.platform.registry().unmetChoices())
                .containsExactly(
                        "matching nope was chosen but is not there: first-fit decides in its place; installed are"
                                + " first-fit, spread; 'policy use matching NAME' or configuration io.berth.core.policies"
                                + " chooses another");
        bench.platform.use(PolicyKind.MATCHING, "spread");
        assertThat(bench.platform.registry().unmetChoices()).isEmpty();
    }

    @Test
    void releasesOnlyQuarantinedPolicies() {
        assertThatThrownBy(() -> bench.platform.release(PolicyKind.MATCHING, "spread", "anna"))
                .hasMessageContaining("'spread' is not quarantined: it is ready");
        assertThatThrownBy(() -> bench.platform.release(PolicyKind.MATCHING, "nobody", "anna"))
                .hasMessageContaining("installed are first-fit, spread");
    }

    @Test
    void theFirstRegisteredOfTwoVersionsDecidesAndBothSayWhatToDo() {
        for (int version = 0; version < 2; version++) {
            bench.add(PolicyKind.MATCHING, "twin", 900, Bench.placing("twin", Bench.LEAVES_OUT)).bundle = "org.twin";
        }
        bench.awaitState("twin", "deciding");
        await().until(() -> versions().size() == 2 && versions().get(1).verdict() == PolicyVerdict.OUTRANKED);
        String first = versions().get(0).version();
        String second = versions().get(1).version();
        assertThat(versions().get(0).verdict()).isEqualTo(PolicyVerdict.DECIDING);
        assertThat(versions().get(0).text())
                .contains("version " + second + " of the same bundle is installed too, and does not decide while");
        assertThat(versions().get(1).text())
                .contains("That is version " + first + " of the same bundle, which is still installed")
                .contains("Uninstall it, and this one decides ('bundle:uninstall ");
    }

    private List<PolicyDiagnosis> versions() {
        return bench.platform.diagnose(Optional.of(PolicyKind.MATCHING), Optional.of("twin"));
    }

    @Test
    void includesPoliciesThatBundlesOfferButDoNotRegister() {
        OfferedPolicy unresolved = new OfferedPolicy(
                PolicyKind.MATCHING,
                "best-fit",
                "org.best",
                "1.0.0",
                PolicyVerdict.NOT_RESOLVED,
                "no bundle provides x");
        OfferedPolicy registered = new OfferedPolicy(
                PolicyKind.MATCHING, "first-fit", "test.matching.first-fit", "1.0.1", PolicyVerdict.NOT_REGISTERED, "");

        List<PolicyDiagnosis> all = bench.platform.diagnose(
                Optional.of(PolicyKind.MATCHING), Optional.empty(), List.of(unresolved, registered));

        assertThat(all).extracting(PolicyDiagnosis::name).containsExactly("first-fit", "spread", "best-fit");
        assertThat(all.get(2).verdict().label()).isEqualTo("not resolved");
        assertThat(bench.platform.diagnose(Optional.of(PolicyKind.SCALING), Optional.empty(), List.of(unresolved)))
                .isEmpty();
    }
}

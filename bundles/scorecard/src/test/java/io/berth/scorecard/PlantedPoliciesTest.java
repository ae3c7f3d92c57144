package io.berth.scorecard;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.matching.firstfit.FirstFitFactory;
import io.berth.scorecard.check.Judge;
import io.berth.scorecard.check.Mark;
import io.berth.scorecard.check.Settings;
import io.berth.scorecard.planted.Planted;
import io.berth.scorecard.planted.WrongAssignments;
import io.berth.scorecard.planted.WrongDistributions;
import io.berth.scorecard.planted.WrongHabits;
import io.berth.scorecard.planted.WrongScalings;
import io.berth.scorecard.planted.WrongStrategies;
import io.berth.testkit.rules.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each policy that is wrong on purpose loses its points to the checks that are made for it, and to no other ones. */
class PlantedPoliciesTest {

    private static final Seeds SEEDS = new Seeds(0, 20);
    private static final long MILLIS = 60_000;
    private static final long MILLIS_OF_HANGING = 200;
    private static final List<String> COST = List.of("time", "allocations");

    static List<Planted> planted() {
        return Stream.of(
                        WrongStrategies.all(),
                        WrongHabits.all(),
                        WrongAssignments.all(),
                        WrongDistributions.all(),
                        WrongScalings.all())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Mark> marks(Object factory, List<Integer> sizes, long millis) {
        Settings settings = new Settings(SEEDS, sizes, Planted.meter(), Optional.empty());
        return new Grading(settings, new Judge(millis), line -> {})
                .card("io.example", factory)
                .marks();
    }

    private static List<Mark> lost(Object factory, List<Integer> sizes, long millis) {
        return marks(factory, sizes, millis).stream()
                .filter(mark -> !mark.full())
                .toList();
    }

    @Test
    void thereAreManyAndEachHasAName() {
        List<Planted> all = planted();
        assertThat(all).hasSizeGreaterThanOrEqualTo(40);
        assertThat(all).extracting(Planted::name).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("planted")
    void losesPointsForTheRightReason(Planted wrong) {
        boolean hangs = wrong.lost().equals(List.of("*"));
        boolean costs = wrong.lost().stream().anyMatch(COST::contains);
        List<Mark> lost =
                lost(wrong.factory(), costs ? List.of(100, 1_000) : List.of(100), hangs ? MILLIS_OF_HANGING : MILLIS);

        if (!hangs) {
            assertThat(lost).extracting(mark -> mark.check().name()).containsExactlyElementsOf(wrong.lost());
        }
        assertThat(lost).isNotEmpty();
        assertThat(lost.get(0).reason()).contains(wrong.reason());
    }

    @Test
    void whatFollowsAHangIsNotChecked() {
        List<Planted> hanging = planted().stream()
                .filter(wrong -> wrong.lost().equals(List.of("*")))
                .toList();
        assertThat(hanging).hasSize(3);
        for (Planted wrong : hanging) {
            List<Mark> lost = new ArrayList<>(lost(wrong.factory(), List.of(100, 1_000), MILLIS_OF_HANGING));
            lost.remove(0);
            assertThat(lost).isNotEmpty().allSatisfy(mark -> {
                assertThat(mark.points()).isZero();
                assertThat(mark.reason()).isEqualTo("not checked, because an earlier check did not end");
            });
        }
    }

    /** What the planted ones are made of is right. */
    @Test
    void thePoliciesWithoutAFlawLoseNothing() {
        for (Object right : List.of(new FirstFitFactory(), WrongDistributions.right(), WrongScalings.right())) {
            assertThat(lost(right, List.of(100), MILLIS)).isEmpty();
        }
    }
}

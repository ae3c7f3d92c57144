package ${package};

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.ResourceProfile;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.testkit.ArrayAdmittedView;
import io.berth.testkit.ArrayWorkersView;
import io.berth.testkit.MatchingStrategyContract;
import io.berth.testkit.RecordedPlacement;
import org.junit.jupiter.api.Test;

/** The rules that all strategies must keep, and the order that this one promises. */
class ${className}Test implements MatchingStrategyContract {

    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1_000);
    private static final ResourceProfile WORKER = ResourceProfile.of(4_000, 4_000);

    @Override
    public MatchingStrategyFactory factory() {
        return new ${className}();
    }

    @Test
    void workersWithTheLabelAreFilledFirst() {
        ArrayWorkersView workers =
                new ArrayWorkersView().worker(WORKER).worker(WORKER).label(1, "zone", "z1");
        RecordedPlacement plan = new RecordedPlacement(workers);
        new ${className}Session(workers, "zone", "").place(new ArrayAdmittedView(workers).add("a", SLOT, 5), plan);
        assertThat(plan.on(1)).isEqualTo(4);
        assertThat(plan.on(0)).isEqualTo(1);
    }
}

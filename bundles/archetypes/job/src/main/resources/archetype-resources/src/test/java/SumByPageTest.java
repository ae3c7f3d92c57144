package ${package};

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.dataflow.api.ConfigurationException;
import io.berth.testcluster.OperatorHarness;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SumByPageTest {

    private static Visit visit(String page, long millis) {
        return new Visit(Instant.EPOCH, page, millis);
    }

    @Test
    void emitsTheSumsOfEachPageAtTheEnd() throws Exception {
        try (OperatorHarness<Visit, PageSums> sums = OperatorHarness.of(new SumByPage())) {
            sums.process(visit("/home", 10), visit("/cart", 35), visit("/home", 12));
            assertThat(sums.output()).isEmpty();
            sums.endOfInput();
            assertThat(sums.output())
                    .containsExactlyInAnyOrder(new PageSums("/home", 2, 22, 12), new PageSums("/cart", 1, 35, 35));
        }
    }

    @Test
    void emitsTheSumsOfAPageEachTimeItHasSoManyVisitsMore() throws Exception {
        try (OperatorHarness<Visit, PageSums> sums = OperatorHarness.of(new SumByPage(), Map.of("emit.every", "2"))) {
            sums.process(visit("/home", 10), visit("/cart", 35), visit("/home", 12), visit("/home", 1));
            assertThat(sums.output()).containsExactly(new PageSums("/home", 2, 22, 12));
        }
    }

    @Test
    void refusesToEmitNever() {
        assertThatThrownBy(() -> OperatorHarness.of(new SumByPage(), Map.of("emit.every", "0")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("emit.every");
    }
}

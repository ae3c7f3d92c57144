package io.berth.core.api.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.job.ParallelismBounds.VertexBounds;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoundsTextTest {

    private static final List<VertexBounds> PRESENT =
            List.of(new VertexBounds("a", 1, 2, 3), new VertexBounds("b=c", 1, 1, 1), new VertexBounds("d", 4, 5, 6));

    @Test
    void oneTwoOrThreeNumbersReplaceTheBoundsOfAVertex() {
        assertThat(BoundsText.apply(PRESENT, List.of("d=2:4:8", "a=7", "b=c=2:9")))
                .containsExactly(
                        new VertexBounds("a", 7, 7, 7),
                        new VertexBounds("b=c", 2, 9, 9),
                        new VertexBounds("d", 2, 4, 8));
        assertThat(BoundsText.apply(PRESENT, List.of())).isEqualTo(PRESENT);
        assertThat(PRESENT.get(0).text()).isEqualTo("1:2:3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a=", "=1", "a=x", "a=1:", "a=1:2:3:4", "a=-1", "a=1.5", "a=1234567890", ""})
    void whatCannotBeReadIsNamed(String change) {
        assertThatThrownBy(() -> BoundsText.apply(PRESENT, List.of(change)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + change + "': allowed is VERTEX=N, VERTEX=MIN:MAX or VERTEX=MIN:DESIRED:MAX");
    }

    @Test
    void aVertexThatIsNotThereOrComesTwiceIsNamed() {
        assertThatThrownBy(() -> BoundsText.apply(PRESENT, List.of("x=1")))
                .hasMessage("vertex is 'x': allowed are a, b=c, d");
        assertThatThrownBy(() -> BoundsText.apply(PRESENT, List.of("a=1", "a=2")))
                .hasMessage("vertex 'a' is given twice: once is allowed");
    }
}

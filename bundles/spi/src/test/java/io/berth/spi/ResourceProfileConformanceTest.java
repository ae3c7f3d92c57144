package io.berth.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** There is no wildcard profile: the matching rule of a pool says what a requirement without a size accepts. */
class ResourceProfileConformanceTest {

    private static final ResourceProfile SIZE = new ResourceProfile(1_000, 100, 20, 30, extended("gpu", 2));

    private static TreeMap<String, Long> extended(String name, long amount) {
        return new TreeMap<>(Map.of(name, amount));
    }

    /** The size with one amount changed, for each amount. */
    private static List<ResourceProfile> changedBy(long change) {
        return List.of(
                new ResourceProfile(1_000 + change, 100, 20, 30, extended("gpu", 2)),
                new ResourceProfile(1_000, 100 + change, 20, 30, extended("gpu", 2)),
                new ResourceProfile(1_000, 100, 20 + change, 30, extended("gpu", 2)),
                new ResourceProfile(1_000, 100, 20, 30 + change, extended("gpu", 2)),
                new ResourceProfile(1_000, 100, 20, 30, extended("gpu", 2 + change)));
    }

    @Test
    void c01_aSizeMatchesItselfAndARequirementWithoutASizeButNoOtherSize() {
        assertThat(SIZE).isEqualTo(new ResourceProfile(1_000, 100, 20, 30, extended("gpu", 2)));
        assertThat(SIZE.covers(SIZE)).isTrue();
        assertThat(SIZE.covers(ResourceProfile.UNKNOWN)).isTrue();
        assertThat(changedBy(1)).allSatisfy(larger -> {
            assertThat(larger).isNotEqualTo(SIZE);
            assertThat(SIZE.covers(larger)).isFalse();
            assertThat(larger.covers(SIZE)).isTrue();
        });
        assertThat(changedBy(-1)).allSatisfy(smaller -> {
            assertThat(smaller).isNotEqualTo(SIZE);
            assertThat(SIZE.covers(smaller)).isTrue();
            assertThat(smaller.covers(SIZE)).isFalse();
        });
    }

    @Test
    void c03_aRequirementWithoutASizeIsLessThanAnySizeButNotThanItself() {
        assertThat(ResourceProfile.UNKNOWN.covers(ResourceProfile.UNKNOWN)).isTrue();
        assertThat(ResourceProfile.UNKNOWN.covers(SIZE)).isFalse();
        assertThat(ResourceProfile.UNKNOWN.covers(ResourceProfile.ZERO)).isFalse();
    }

    @Test
    void c05_takingMoreThanIsAvailableFails() {
        assertThat(SIZE.minus(SIZE)).isEqualTo(ResourceProfile.ZERO);
        assertThat(SIZE.minus(ResourceProfile.of(400, 30)))
                .isEqualTo(new ResourceProfile(600, 70, 20, 30, extended("gpu", 2)));
        assertThat(changedBy(1))
                .allSatisfy(larger ->
                        assertThatThrownBy(() -> SIZE.minus(larger)).hasMessageContaining("cannot take " + larger));
        assertThatThrownBy(() -> SIZE.minus(new ResourceProfile(0, 0, 0, 0, extended("fpga", 1))))
                .hasMessageContaining("cannot take");
        assertThatThrownBy(() -> SIZE.minus(ResourceProfile.UNKNOWN)).hasMessageContaining("unknown");
        assertThatThrownBy(() -> ResourceProfile.UNKNOWN.minus(SIZE)).hasMessageContaining("unknown");
    }

    @Test
    void c07_anExtendedResourceWithNothingLeftIsRemoved() {
        ResourceProfile rest = SIZE.minus(new ResourceProfile(0, 0, 0, 0, extended("gpu", 2)));

        assertThat(rest.extended()).isEmpty();
        assertThat(rest).isEqualTo(new ResourceProfile(1_000, 100, 20, 30, new TreeMap<>()));
        assertThat(new ResourceProfile(1_000, 100, 20, 30, extended("gpu", 0)))
                .isEqualTo(rest)
                .hasSameHashCodeAs(rest);
    }
}

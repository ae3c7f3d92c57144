package io.berth.dataflow.api;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class KeyGroupsTest {

    @Property
    void everyKeyGroupBelongsToExactlyTheSubtaskWhoseRangeHoldsIt(
            @ForAll @IntRange(min = 1, max = 2048) int maxParallelism, @ForAll @IntRange(min = 1, max = 2048) int any) {
        int parallelism = 1 + any % maxParallelism;
        int next = 0;
        for (int subtask = 0; subtask < parallelism; subtask++) {
            assertThat(KeyGroups.first(subtask, parallelism, maxParallelism)).isEqualTo(next);
            int end = KeyGroups.end(subtask, parallelism, maxParallelism);
            assertThat(end).isGreaterThan(next);
            for (int group = next; group < end; group++) {
                assertThat(KeyGroups.subtask(group, parallelism, maxParallelism))
                        .isEqualTo(subtask);
            }
            next = end;
        }
        assertThat(next).isEqualTo(maxParallelism);
    }

    @Property
    void keyGroupOfAnyHashIsInRange(
            @ForAll int hash, @ForAll @IntRange(min = 1, max = KeyGroups.LIMIT) int maxParallelism) {
        assertThat(KeyGroups.keyGroup(hash, maxParallelism)).isBetween(0, maxParallelism - 1);
    }

    @Property
    void keyGroupIsTheRemainderOfTheSpreadHash(
            @ForAll int hash, @ForAll @IntRange(min = 1, max = KeyGroups.LIMIT) int maxParallelism) {
        int expected = (KeyGroups.spread(hash) & Integer.MAX_VALUE) % maxParallelism;
        assertThat(KeyGroups.keyGroup(hash, maxParallelism)).isEqualTo(expected);
        int powerOfTwo = Integer.highestOneBit(maxParallelism);
        assertThat(KeyGroups.keyGroup(hash, powerOfTwo))
                .isEqualTo((KeyGroups.spread(hash) & Integer.MAX_VALUE) % powerOfTwo);
    }

    @Test
    void closeHashesSpreadOverAllKeyGroups() {
        int[] counts = new int[128];
        for (int hash = 0; hash < 128 * 100; hash++) {
            counts[KeyGroups.keyGroup(hash, 128)]++;
        }
        assertThat(java.util.Arrays.stream(counts).boxed())
                .allSatisfy(count -> assertThat(count).isBetween(50, 150));
    }
}

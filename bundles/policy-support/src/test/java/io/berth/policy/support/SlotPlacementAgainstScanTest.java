package io.berth.policy.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.policy.support.ScannedCluster.Changing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The indexes find what a scan of all workers finds, whatever happened to workers and profiles before. */
class SlotPlacementAgainstScanTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aWorkerIsFoundWhereAScanFindsOne(long seed) {
        new ScannedCluster(new Changing(700), true, seed).placesAsAScan(150, 200, 1_000);
        new ScannedCluster(new Changing(6_000), true, seed).placesAsAScan(20, 20, 1L << 20);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aWorkerOfASetIsFoundWhereAScanFindsOne(long seed) {
        new ScannedCluster(new Changing(700), false, seed).placesAsAScan(150, 200, 1_000);
    }

    @Test
    void moreProfilesThanAreKeptAreFoundToo() {
        new ScannedCluster(new Changing(100), true, 5).placesAsAScan(120, 3_000, 1_000);
    }

    @Test
    void theOnlyWorkerMayBeBeyondAMillionOthers() {
        Changing far = new Changing(1_200_000);
        far.put(1_199_999, false, new long[] {5, 5, 5, 5}, new long[] {1, 1, 1, 1});
        assertThat(new ScannedCluster(far, true, 1).place(new long[] {2, 2, 0, 0}))
                .containsExactly(1_199_999);
    }

    @Test
    void smallProfilesAreFoundAfterALargerWorkerCameForALargeOne() {
        Changing workers = new Changing(2);
        ScannedCluster cluster = new ScannedCluster(workers, true, 1);
        tell(cluster, workers, 0, 150);
        assertThat(cluster.place(new long[] {100, 0, 0, 0})).containsExactly(0);
        assertThat(cluster.place(new long[] {300_000, 0, 0, 0})).containsExactly(-1);
        tell(cluster, workers, 1, 400_000);
        assertThat(cluster.place(new long[] {300_000, 0, 0, 0})).containsExactly(1);
        tell(cluster, workers, 0, 50);
        tell(cluster, workers, 1, 2_000);
        tell(cluster, workers, 1, 2_001);
        assertThat(cluster.place(new long[] {100, 0, 0, 0})).containsExactly(1);
    }

    private static void tell(ScannedCluster cluster, Changing workers, int worker, long free) {
        workers.put(worker, false, new long[] {free, 0, 0, 0}, new long[] {0, 0, 0, 0});
        cluster.tellAll();
    }

    @Test
    void workersWithoutRoomAreNotReadAgain() {
        Changing workers = new Changing(700);
        ScannedCluster cluster = new ScannedCluster(workers, true, 1);
        for (int worker = 0; worker < workers.limit(); worker++) {
            workers.put(worker, false, new long[] {1, 1, 1, 1}, new long[] {2, 2, 2, 2});
        }
        cluster.tellAll();
        assertThat(cluster.place(ScannedCluster.UNKNOWN)).containsExactly(-1);
        int asked = workers.needsAsked;
        assertThat(cluster.place(ScannedCluster.UNKNOWN)).containsExactly(-1);
        // Only the text of the shortage reads them again.
        assertThat(workers.needsAsked - asked).isEqualTo(workers.limit() * ScannedCluster.DIMENSIONS);
        assertThat(asked).isGreaterThan(workers.limit() * ScannedCluster.DIMENSIONS);
    }
}

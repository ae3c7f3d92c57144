package io.berth.policy.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.ResourceProfile;
import io.berth.testkit.ArrayAdmittedView;
import io.berth.testkit.ArrayWorkersView;
import io.berth.testkit.RecordedPlacement;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Slots of a group are spread over the values of a label. */
class SpreadDomainsTest {

    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 100);

    private final ArrayWorkersView workers = new ArrayWorkersView();

    private void worker(String zone, int slots) {
        workers.worker(ResourceProfile.of(1_000L * slots, 100L * slots));
        workers.label(workers.limit() - 1, "zone", zone);
    }

    private RecordedPlacement place(SlotPlacement placement, ArrayAdmittedView admitted) {
        RecordedPlacement plan = new RecordedPlacement(workers);
        placement.place(admitted, plan);
        return plan;
    }

    /** The most slots that can be placed one by one, the zone with the fewest first. */
    private static int most(int[] slots, int[] room, int maxSkew, int wanted) {
        int[] now = slots.clone();
        int[] left = room.clone();
        for (int placed = 0; placed < wanted; placed++) {
            int best = -1;
            for (int zone = 0; zone < now.length; zone++) {
                if (left[zone] > 0 && (best < 0 || now[zone] < now[best])) {
                    best = zone;
                }
            }
            if (best < 0 || now[best] + 1 - Arrays.stream(now).min().getAsInt() > maxSkew && !onlyFewest(now, best)) {
                return placed;
            }
            now[best]++;
            left[best]--;
        }
        return wanted;
    }

    private static boolean onlyFewest(int[] slots, int zone) {
        return Arrays.stream(slots).min().getAsInt() == slots[zone];
    }

    @Test
    void withinAValueWorkersThatTheGroupPrefersComeFirst() {
        worker("a", 2);
        worker("a", 2);
        worker("b", 2);
        worker("b", 2);
        worker("b", 2);
        workers.label(1, "disk", "ssd").label(3, "disk", "ssd").label(4, "disk", "ssd");
        workers.label(4, "rack", "r7");
        RecordedPlacement plan = place(
                new SlotPlacement(workers, new ByIndex()),
                new ArrayAdmittedView(workers)
                        .add("job", SLOT, 6)
                        .preferring("disk", "ssd", 1)
                        .preferring("rack", "r7", 1)
                        .spreadOver("zone", 1));
        assertThat(IntStream.range(0, 5).map(plan::on)).containsExactly(1, 2, 0, 1, 2);
    }

    @Test
    void asManyArePlacedAsTheSkewAllows() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            ArrayWorkersView pool = new ArrayWorkersView();
            int zones = 1 + random.nextInt(4);
            int[] slots = new int[zones];
            int[] room = new int[zones];
            int maxSkew = 1 + random.nextInt(3);
            int wanted = 1 + random.nextInt(12);
            ArrayAdmittedView admitted =
                    new ArrayAdmittedView(pool).add("job", SLOT, wanted).spreadOver("zone", maxSkew);
            for (int zone = 0; zone < zones; zone++) {
                for (int nth = random.nextInt(2); nth >= 0; nth--) {
                    int free = random.nextInt(4);
                    pool.worker(ResourceProfile.of(9_000, 900)).label(pool.limit() - 1, "zone", "z" + zone);
                    pool.take(pool.limit() - 1, 0, 9_000 - 1_000L * free);
                    room[zone] += free;
                }
                slots[zone] = random.nextInt(3);
                admitted.havingSlotsOn(pool.limit() - 1, slots[zone]);
            }
            RecordedPlacement plan = new RecordedPlacement(pool);
            new SlotPlacement(pool, new ByIndex()).place(admitted, plan);
            assertThat(plan.placed(0)).as("seed %d", seed).isEqualTo(most(slots, room, maxSkew, wanted));
        }
    }

    @Test
    void aGangAndTheRestOfAGroupCountTogether() {
        worker("a", 9);
        worker("b", 9);
        RecordedPlacement plan = place(
                new SlotPlacement(workers, new ByIndex()),
                new ArrayAdmittedView(workers)
                        .add("job", SLOT, 3, 0)
                        .spreadOver("zone", 1)
                        .add("job", SLOT, 3)
                        .sameGroup());
        assertThat(plan.on(0)).isEqualTo(3);
        assertThat(plan.on(1)).isEqualTo(3);
    }

    @Test
    void whatIsTakenBackDoesNotCount() {
        worker("a", 2);
        worker("b", 2);
        SlotPlacement placement = new SlotPlacement(workers, new ByIndex());
        RecordedPlacement plan = place(
                placement,
                new ArrayAdmittedView(workers)
                        .add("large", SLOT, 5, 0)
                        .spreadOver("zone", 1)
                        .add("small", SLOT, 4, 1)
                        .spreadOver("zone", 1));
        assertThat(plan.placed(0)).isZero();
        assertThat(plan.reasons().get(0))
                .contains("1 slots find no worker: their group may have at most 1 slots more with one value of label"
                        + " zone than with another");
        assertThat(plan.placed(1)).isEqualTo(4);
    }

    @Test
    void newLabelsAndWorkersAreKnownInTheNextCall() {
        worker("a", 4);
        worker("a", 4);
        SlotPlacement placement = new SlotPlacement(workers, new ByIndex());
        ArrayAdmittedView four =
                new ArrayAdmittedView(workers).add("job", SLOT, 4).spreadOver("zone", 1);
        assertThat(place(placement, four).on(0)).isEqualTo(4);
        workers.label(1, "zone", "b");
        worker("c", 4);
        placement.delta(new int[] {1, 2});
        RecordedPlacement plan = place(
                placement, new ArrayAdmittedView(workers).add("job", SLOT, 6).spreadOver("zone", 1));
        assertThat(plan.on(0)).isEqualTo(2);
        assertThat(plan.on(1)).isEqualTo(2);
        assertThat(plan.on(2)).isEqualTo(2);
        workers.remove(2);
        placement.delta(new int[] {2});
        plan = place(
                placement, new ArrayAdmittedView(workers).add("job", SLOT, 6).spreadOver("zone", 1));
        assertThat(plan.on(0)).isEqualTo(3);
        assertThat(plan.on(1)).isEqualTo(3);
    }

    @Test
    void pendingWorkersComeAfterRegisteredOnes() {
        worker("a", 2);
        workers.pendingWorker(ResourceProfile.of(4_000, 400)).label(1, "zone", "b");
        RecordedPlacement plan = place(
                new SlotPlacement(workers, new ByIndex()),
                new ArrayAdmittedView(workers).add("job", SLOT, 4).spreadOver("zone", 2));
        assertThat(plan.on(0)).isEqualTo(2);
        assertThat(plan.on(1)).isEqualTo(2);
    }
}

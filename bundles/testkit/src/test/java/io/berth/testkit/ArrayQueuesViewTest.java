package io.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.ResourceProfile;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What queues use and need is what a look at all units shows, whatever changed. */
class ArrayQueuesViewTest {

    private static final int UNITS = 6;
    private static final int GROUPS = 2;
    private static final String[] QUEUES = {"root", "a", "b", "a1"};

    private final ArrayDemandsView demands = new ArrayDemandsView();

    private boolean isIn(int unit, int queue) {
        int at = demands.queues().find(demands.queue(unit));
        while (at >= 0 && at != queue) {
            at = demands.queues().parent(at);
        }
        return at == queue;
    }

    private void assertThatSumsAreRight() {
        for (int queue = 0; queue < demands.queues().size(); queue++) {
            for (int dimension = 0; dimension < demands.dimensions(); dimension++) {
                long used = 0;
                long pending = 0;
                for (int unit = 0; unit < demands.limit(); unit++) {
                    for (int group = 0;
                            demands.present(unit) && isIn(unit, queue) && group < demands.groups(unit);
                            group++) {
                        long amount = demands.amount(unit, group, dimension);
                        int allocated = demands.allocated(unit, group);
                        used += allocated * amount;
                        pending += Math.max(0, demands.desired(unit, group) - allocated) * amount;
                    }
                }
                assertThat(demands.queues().used(queue, dimension)).isEqualTo(used);
                assertThat(demands.queues().pending(queue, dimension)).isEqualTo(pending);
            }
        }
    }

    private void put(int unit, Random random) {
        demands.put(unit, "job-" + unit, unit).queue(unit, QUEUES[random.nextInt(QUEUES.length)]);
        for (int group = 0; group < GROUPS; group++) {
            ResourceProfile profile = random.nextBoolean() ? ResourceProfile.UNKNOWN : ResourceProfile.of(500, 100);
            demands.group(unit, profile, 1, 1 + random.nextInt(5), random.nextInt(3));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void sumsFollowEachChange(long seed) {
        Random random = new Random(seed);
        ResourceProfile pool = ResourceProfile.of(1_000_000, 1_000_000);
        demands.pool(pool, pool);
        for (int unit = 0; unit < UNITS; unit++) {
            put(unit, random);
        }
        for (int step = 0; step < 300; step++) {
            int unit = random.nextInt(UNITS);
            int group = random.nextInt(GROUPS);
            int what = demands.present(unit) ? random.nextInt(8) : 0;
            switch (what) {
                case 0 -> put(unit, random);
                case 1 -> demands.remove(unit);
                case 2 -> demands.queue(unit, QUEUES[random.nextInt(QUEUES.length)]);
                case 3 -> demands.allocated(unit, group, random.nextInt(6));
                case 4 -> demands.placed(unit, group, 1);
                case 5 -> demands.withoutRoom(unit, group);
                case 6 -> demands.endDecision();
                default -> demands.defaultSlot(ResourceProfile.of(random.nextInt(900), random.nextInt(900)));
            }
            if (step == 50) {
                demands.queues().queue("a", "root", 1).queue("b", "root", 2);
            } else if (step == 100) {
                demands.queues().queue("a1", "a", 1);
            }
            assertThatSumsAreRight();
        }
    }
}

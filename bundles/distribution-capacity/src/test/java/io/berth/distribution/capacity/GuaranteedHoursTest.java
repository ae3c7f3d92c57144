package io.berth.distribution.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.distribution.capacity.GuaranteedHours.Job;
import io.berth.distribution.capacity.GuaranteedHours.Kept;
import io.berth.spi.InvalidConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GuaranteedHoursTest {

    private static final int DAYS = 2;
    private static final int SEEDS = Integer.getInteger("berth.storms", 3);

    /** Each queue is busy for some hours and then idle for some; a few jobs run for a day. */
    private static List<Job> jobs(long seed) {
        Random random = new Random(seed);
        List<Job> jobs = new ArrayList<>();
        for (int queue = 0; queue < GuaranteedHours.QUEUES.size(); queue++) {
            int minute = random.nextInt(60);
            while (minute < DAYS * 24 * 60) {
                int end = minute + 60 * (2 + random.nextInt(12));
                for (; minute < end; minute += 1 + random.nextInt(60)) {
                    boolean isLong = random.nextInt(20) == 0;
                    jobs.add(
                            isLong
                                    ? new Job(minute, queue, 1 + random.nextInt(8), 12 * 60)
                                    : new Job(minute, queue, 1 + random.nextInt(80), 5 + random.nextInt(55)));
                }
                minute += 60 * random.nextInt(12);
            }
        }
        return jobs;
    }

    private static List<Kept> play(long seed, Map<String, String> configuration) throws InvalidConfigurationException {
        return new GuaranteedHours(100).play(jobs(seed), configuration);
    }

    @Test
    void aQueueThatDesiresItsGuaranteeHasItInEachHour() throws InvalidConfigurationException {
        int hours = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            for (Kept kept : play(seed, Map.of("hold.limit", "0", "reclaim.desired", "true"))) {
                assertThat(kept.below()).as("seed %s: %s", seed, kept).isZero();
                hours += kept.hours();
            }
        }
        assertThat(hours).isGreaterThan(30 * SEEDS);
    }

    @Test
    void withoutReclaimingForWhatIsDesiredItHasLess() throws InvalidConfigurationException {
        int below = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            for (Kept kept : play(seed, Map.of("hold.limit", "0"))) {
                below += kept.below();
            }
        }
        assertThat(below).isGreaterThan(SEEDS);
    }
}

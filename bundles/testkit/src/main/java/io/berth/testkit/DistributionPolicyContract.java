package io.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DistributionPolicyFactory;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * What every distribution policy must guarantee, whatever it prefers. Extend it in your test and provide the factory.
 */
public interface DistributionPolicyContract {

    /** The number of random sequences. */
    int SEQUENCES = 300;

    /** A tree of three queues, and the queue of a job that names none. */
    List<String> QUEUES = List.of("default", "a", "b", "b1");

    /** The factory to test. */
    DistributionPolicyFactory factory();

    /** The configuration to test with; override it to test others. */
    default Map<String, String> configuration() {
        return Map.of();
    }

    @Test
    default void describesItselfAlwaysTheSame() {
        assertThat(factory().describe()).isEqualTo(factory().describe());
        assertThat(factory().describe().summary()).isNotBlank();
    }

    @Test
    default void isCreatedWithTheDefaultsThatItDescribes() throws InvalidConfigurationException {
        assertThat(factory().create(FixedConfiguration.of(factory().describe(), Map.of()), FixedContext.of("check")))
                .isNotNull();
    }

    @Test
    default void admitsNothingWhenNothingIsMissing() throws InvalidConfigurationException {
        ArrayDemandsView demands = new ArrayDemandsView().unit("a", 1);
        demands.group(0, ResourceProfile.of(1, 1), 1, 2, 2);
        assertThat(admit(demands).admitted()).isEmpty();
    }

    @Test
    default void admitsWithinTheRulesAndTheSameAfterDeltas() throws InvalidConfigurationException {
        for (int seed = 0; seed < SEQUENCES; seed++) {
            Random random = new Random(seed);
            ArrayDemandsView demands = new ArrayDemandsView();
            if (random.nextInt(3) > 0) {
                addQueues(random, demands);
            }
            change(random, demands);
            try (AdmissionSession session = open(demands)) {
                for (int step = 0; step < 8; step++) {
                    session.delta(change(random, demands));
                    RecordedAdmission result = new RecordedAdmission();
                    session.admit(result);
                    check(demands, result);
                    assertThat(result.admitted())
                            .as("seed %s step %s", seed, step)
                            .isEqualTo(admit(demands).admitted());
                }
            }
        }
    }

    /** Each review is a decision: a policy that always wants the next one soon costs as much as a storm of changes. */
    @Test
    default void asksToBeCalledAgainOnlyNowAndThen() throws InvalidConfigurationException {
        for (int seed = 0; seed < SEQUENCES / 10; seed++) {
            ArrayDemandsView demands = new ArrayDemandsView();
            change(new Random(seed), demands);
            try (AdmissionSession session = open(demands)) {
                RecordedReview.checkPace("admission of seed " + seed, now -> {
                    demands.now(now).wallTime(now);
                    RecordedAdmission result = new RecordedAdmission();
                    session.admit(result);
                    return result.reviewMillis();
                });
            }
        }
    }

    /** The rules are checked by the validator of the host itself. */
    private static void check(ArrayDemandsView demands, RecordedAdmission result) {
        assertThat(result.violation(demands))
                .as("the rule of admission that it breaks with %s", result.admitted())
                .isEmpty();
    }

    private static void addQueues(Random random, ArrayDemandsView demands) {
        ResourceProfile guarantee = ResourceProfile.of(1_000L * random.nextInt(4), 1);
        demands.queues()
                .queue("a", "root", 1 + random.nextInt(3), guarantee, ResourceProfile.UNKNOWN)
                .queue("b", "root", 1 + random.nextInt(3), ResourceProfile.ZERO, guarantee.times(4))
                .queue("b1", "b", 1);
    }

    private static int[] change(Random random, ArrayDemandsView demands) {
        TreeSet<Integer> changed = new TreeSet<>();
        int cores = random.nextInt(4) == 0 ? 0 : 10;
        ResourceProfile free = ResourceProfile.of(1_000L * random.nextInt(cores + 1), random.nextInt(cores + 1));
        demands.pool(ResourceProfile.of(1_000L * cores, cores), free);
        demands.startable(ResourceProfile.of(1_000L * random.nextInt(3), random.nextInt(3)));
        for (int unit = 0; unit < demands.limit(); unit++) {
            if (demands.present(unit) && !demands.candidate(unit)) {
                changed.add(unit);
            }
        }
        demands.endDecision();
        for (int step = random.nextInt(5); step > 0; step--) {
            int unit = random.nextInt(demands.limit() + 1);
            changed.add(unit);
            if (demands.present(unit) && random.nextInt(3) == 0) {
                demands.remove(unit);
                continue;
            }
            demands.put(unit, "job-" + unit, random.nextInt(5));
            demands.priority(unit, random.nextInt(3) - 1);
            demands.queue(unit, QUEUES.get(random.nextInt(QUEUES.size())));
            if (random.nextBoolean()) {
                demands.submitter(unit, "submitter-" + random.nextInt(3));
            }
            if (random.nextBoolean()) {
                demands.expectedRuntime(unit, 1_000L * (1 + random.nextInt(600)));
            }
            for (int group = random.nextInt(3); group >= 0; group--) {
                int minimum = random.nextInt(4);
                int desired = minimum + random.nextInt(4);
                demands.group(unit, ResourceProfile.of(1_000, 1), minimum, desired, random.nextInt(desired + 2));
            }
        }
        int blocked = random.nextInt(demands.limit() + 1);
        if (demands.present(blocked) && demands.waitingSince(blocked).isPresent()) {
            demands.withoutRoom(blocked);
            changed.add(blocked);
        }
        return changed.stream().mapToInt(Integer::intValue).toArray();
    }

    private AdmissionSession open(ArrayDemandsView demands) throws InvalidConfigurationException {
        return factory()
                .create(FixedConfiguration.of(factory().describe(), configuration()), FixedContext.of("pool default"))
                .open(demands);
    }

    private RecordedAdmission admit(ArrayDemandsView demands) throws InvalidConfigurationException {
        try (AdmissionSession session = open(demands)) {
            RecordedAdmission result = new RecordedAdmission();
            session.admit(result);
            return result;
        }
    }
}

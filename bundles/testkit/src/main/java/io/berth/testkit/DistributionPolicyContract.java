package io.berth.testkit;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.testkit.rules.Expect;
import io.berth.testkit.rules.ReviewPace;
import io.berth.testkit.rules.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * What every distribution policy must guarantee, whatever it prefers. Extend it in your test and provide the factory.
 */
public interface DistributionPolicyContract {

    /** The number of random sequences. */
    int SEQUENCES = 300;

    /** In fewer decisions than these a policy may reclaim slots of a pool in which nothing else happens. */
    int MAX_RECLAIMING_DECISIONS = 100;

    /** A tree of three queues, and the queue of a job that names none. */
    List<String> QUEUES = List.of("default", "a", "b", "b1");

    /** The factory to test. */
    DistributionPolicyFactory factory();

    /** The configuration to test with; override it to test others. */
    default Map<String, String> configuration() {
        return Map.of();
    }

    /** The seeds of random inputs; override it to test others. */
    default Seeds seeds() {
        return new Seeds(0, SEQUENCES);
    }

    @Test
    default void describesItselfAlwaysTheSame() {
        Expect.same("the second description", factory().describe(), factory().describe());
        Expect.that(!factory().describe().summary().isBlank(), "the summary of the description is blank");
    }

    @Test
    default void isCreatedWithTheDefaultsThatItDescribes() throws InvalidConfigurationException {
        Expect.that(
                Optional.ofNullable(factory()
                                .create(
                                        FixedConfiguration.of(factory().describe(), Map.of()),
                                        FixedContext.of("check")))
                        .isPresent(),
                "creates nothing with the defaults that it describes");
    }

    @Test
    default void admitsNothingWhenNothingIsMissing() throws InvalidConfigurationException {
        ArrayDemandsView demands = new ArrayDemandsView().unit("a", 1);
        demands.group(0, ResourceProfile.of(1, 1), 1, 2, 2);
        Expect.same("what is admitted when nothing is missing", admit(demands).admitted(), List.of());
    }

    @Test
    default void admitsWithinTheRulesAndTheSameAfterDeltas() throws InvalidConfigurationException {
        seeds().each(seed -> {
            Random random = Seeds.random(seed);
            ArrayDemandsView demands = new ArrayDemandsView();
            if (random.nextInt(3) > 0) {
                addQueues(random, demands);
            }
            change(random, demands);
            List<RecordedAdmission> earlier = new ArrayList<>();
            try (AdmissionSession session = open(demands)) {
                for (int step = 0; step < 8; step++) {
                    session.delta(change(random, demands));
                    RecordedAdmission result = new RecordedAdmission();
                    session.admit(result);
                    result.end();
                    earlier.add(result);
                    AdmissionRules.check(demands, result);
                    String followed = "what a session that followed the changes ";
                    String when = " in step " + step + ", where a new session decides";
                    RecordedAdmission fresh = admit(demands);
                    Expect.same(followed + "admits" + when, result.admitted(), fresh.admitted());
                    Expect.same("the ranks of " + followed + "admits" + when, result.ranks(), fresh.ranks());
                    Expect.same(followed + "reclaims" + when, result.reclaimed(), fresh.reclaimed());
                    Expect.same(followed + "defers" + when, result.deferred(), fresh.deferred());
                }
            }
            // What a session does with a result after its call.
            earlier.forEach(AdmissionRules::checkUse);
        });
    }

    /** Jobs return what the policy reclaims and want it again: it must be content at some time. */
    @Test
    default void reclaimsOnlyForALimitedTime() throws InvalidConfigurationException {
        seeds().each(seed -> {
            PoolRounds.Reclaims pool = new PoolRounds.Reclaims(Seeds.random(seed));
            try (AdmissionSession session = open(pool.demands())) {
                // Each slot may move on its own, and perhaps once more.
                int most = Math.max(MAX_RECLAIMING_DECISIONS, 2 * pool.size());
                int decisions = pool.busyDecisions(session, most);
                Expect.that(
                        decisions < most,
                        "decisions in which it reclaims slots: %s in a pool in which nothing else happens",
                        decisions);
            }
        });
    }

    /**
     * Nothing of a rank has precedence over the rest of it, so that any part of it may be placed before the others find no
     * room. Jobs of a tree of queues come and go meanwhile.
     */
    @Test
    default void admitsWithinTheRulesWhateverIsPlacedOfARank() throws InvalidConfigurationException {
        seeds().each(seed -> {
            PoolRounds.Reclaims pool = new PoolRounds.Reclaims(Seeds.random(seed));
            try (AdmissionSession session = open(pool.demands())) {
                for (int decision = 0; decision < 20; decision++) {
                    pool.decide(session);
                    pool.replaceOne();
                }
            }
        });
    }

    /** As {@link #asksToBeCalledAgainOnlyNowAndThen}, while units of a tree of queues wait for slots that others have. */
    @Test
    default void asksToBeCalledAgainOnlyNowAndThenForQueues() throws InvalidConfigurationException {
        seeds().oneIn(10).each(seed -> reviews(new PoolRounds.Reclaims(Seeds.random(seed)).demands()));
    }

    /** Each review is a decision: a policy that always wants the next one soon costs as much as a storm of changes. */
    @Test
    default void asksToBeCalledAgainOnlyNowAndThen() throws InvalidConfigurationException {
        seeds().oneIn(10).each(seed -> {
            ArrayDemandsView demands = new ArrayDemandsView();
            change(Seeds.random(seed), demands);
            reviews(demands);
        });
    }

    private void reviews(ArrayDemandsView demands) throws InvalidConfigurationException {
        try (AdmissionSession session = open(demands)) {
            ReviewPace.check(now -> {
                demands.now(now).wallTime(now);
                RecordedAdmission result = new RecordedAdmission();
                session.admit(result);
                AdmissionRules.checkUse(result);
                return result.reviewMillis();
            });
        }
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
        int asked = random.nextInt(demands.limit() + 1);
        if (demands.present(asked)) {
            if (demands.returnable(asked)) {
                int above = Math.max(0, demands.allocated(asked, 0) - demands.minimum(asked, 0));
                demands.returning(asked, 0, (above + 1) / 2);
            } else {
                demands.returnableAgain(asked);
            }
            changed.add(asked);
        }
        return changed.stream().mapToInt(Integer::intValue).toArray();
    }

    private AdmissionSession open(ArrayDemandsView demands) throws InvalidConfigurationException {
        return factory()
                .create(FixedConfiguration.of(factory().describe(), configuration()), FixedContext.of("pool default"))
                .open(demands);
    }

    private RecordedAdmission admit(ArrayDemandsView demands) throws InvalidConfigurationException {
        RecordedAdmission result = new RecordedAdmission();
        try (AdmissionSession session = open(demands)) {
            session.admit(result);
            result.end();
        }
        AdmissionRules.checkUse(result);
        return result;
    }
}

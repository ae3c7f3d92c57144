package io.berth.core.policies.swap;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.api.operations.PolicyOperations.SwapDetails;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.time.SystemClock;
import io.berth.core.policies.meters.Meters;
import io.berth.core.policies.registration.GivenConfiguration;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.registration.Registration;
import io.berth.spi.PolicyKind;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SwapCausesTest {

    private static final long BUNDLE = 42;

    private SwapLog log;
    private PolicyCandidate best;
    private PolicyCandidate fallback;

    private record Installed(long id, long bundleId) implements Registration {

        @Override
        public PolicyKind kind() {
            return PolicyKind.MATCHING;
        }

        @Override
        public String name() {
            return "best";
        }

        @Override
        public String bundle() {
            return "test.best";
        }

        @Override
        public String version() {
            return "1";
        }

        @Override
        public int ranking() {
            return 0;
        }

        @Override
        public SortedMap<String, Object> properties() {
            return new TreeMap<>();
        }

        @Override
        public ClassLoader loader() {
            return SwapCausesTest.class.getClassLoader();
        }

        @Override
        public Object fetch() {
            return this;
        }

        @Override
        public void release() {}
    }

    private static PolicyCandidate candidate(Registration registration) {
        return new PolicyCandidate(
                registration.id(),
                PolicyKind.MATCHING,
                "best",
                0,
                GivenConfiguration.none(),
                registration,
                registration);
    }

    @BeforeEach
    void open() {
        log = new SwapLog(new SystemClock(), new Meters());
        best = candidate(new Installed(1, BUNDLE));
        fallback = candidate(new Installed(9, 99));
    }

    private Swap swap(PolicyCandidate before, PolicyCandidate after, Optional<Swap> undecided) {
        return log.swapped(
                PolicyKind.MATCHING,
                "pool default",
                Optional.of(before),
                Optional.of(before.identity(3)),
                Optional.of(after),
                undecided,
                true,
                LedgerState.NONE,
                0);
    }

    private void happened(PolicyCandidate candidate, PolicyEvent cause) {
        log.happened(
                candidate.registration(),
                "matching best of " + candidate.registration().bundleId(),
                cause,
                "",
                0);
    }

    private SwapDetails only() {
        assertThat(log.find(Optional.empty(), 10)).hasSize(1);
        return log.find(Optional.empty(), 10).get(0);
    }

    @Test
    void theCauseOfARemovalIsStopUntilTheFrameworkReportsMore() {
        happened(best, PolicyEvent.UNINSTALL);
        swap(best, fallback, Optional.empty());
        assertThat(only().cause().label()).isEqualTo("stop");
        log.unresolved(BUNDLE, "test.best");
        log.changed(BUNDLE, PolicyEvent.UNINSTALL);
        assertThat(only().cause().label()).isEqualTo("uninstall");
        assertThat(only().refreshed().count()).isEqualTo(1);
        assertThat(only().refreshed().names()).containsExactly("test.best");
    }

    @Test
    void makesOneRecordOfAnUpdateAndCountsItsBundleOnce() {
        happened(best, PolicyEvent.UNINSTALL);
        Swap gone = swap(best, fallback, Optional.empty());
        log.unresolved(BUNDLE, "test.best");
        log.changed(BUNDLE, PolicyEvent.UPDATE);
        PolicyCandidate again = candidate(new Installed(2, BUNDLE));
        happened(again, PolicyEvent.UPDATE);
        log.unresolved(BUNDLE, "test.best");
        assertThat(swap(fallback, again, Optional.of(gone))).isSameAs(gone);
        assertThat(only().cause().label()).isEqualTo("update");
        assertThat(only().from().generation()).isEqualTo(3);
        assertThat(only().refreshed().count()).isEqualTo(1);
    }

    @Test
    void theCauseOfAnUpdateIsUpdateEvenWhenAnotherPolicyDecidedMeanwhile() {
        happened(best, PolicyEvent.UNINSTALL);
        Swap gone = swap(best, fallback, Optional.empty());
        log.changed(BUNDLE, PolicyEvent.UPDATE);
        log.update(gone, swap -> swap.decided(fallback.identity(4), 7));
        PolicyCandidate again = candidate(new Installed(2, BUNDLE));
        happened(again, PolicyEvent.UPDATE);
        swap(fallback, again, Optional.empty());
        assertThat(log.find(Optional.empty(), 10))
                .extracting(swap -> swap.cause().label())
                .containsExactly("update", "update");
    }

    @Test
    void distinguishesAStartAndARefreshFromAnUpdate() {
        happened(best, PolicyEvent.UNINSTALL);
        PolicyCandidate started = candidate(new Installed(2, BUNDLE));
        happened(started, PolicyEvent.UPDATE);
        swap(best, started, Optional.empty());
        assertThat(only().cause().label()).isEqualTo("start");
        happened(started, PolicyEvent.UNINSTALL);
        log.unresolved(BUNDLE, "test.best");
        PolicyCandidate refreshed = candidate(new Installed(3, BUNDLE));
        happened(refreshed, PolicyEvent.UPDATE);
        swap(started, refreshed, Optional.empty());
        assertThat(log.find(Optional.empty(), 1).get(0).cause().label()).isEqualTo("refresh");
    }

    @Test
    void doesNotTakeAnotherBundleOfTheSameNameForAnUpdate() {
        happened(best, PolicyEvent.UNINSTALL);
        Swap gone = swap(best, fallback, Optional.empty());
        log.changed(BUNDLE, PolicyEvent.UNINSTALL);
        PolicyCandidate other = candidate(new Installed(2, BUNDLE + 1));
        happened(other, PolicyEvent.UPDATE);
        Swap came = swap(fallback, other, Optional.of(gone));
        assertThat(came).isNotSameAs(gone);
        assertThat(came.get().cause().label()).isEqualTo("install");
    }

    @Test
    void countsOtherBundlesThatLostTheirWiringWithTheRemovedOne() {
        happened(best, PolicyEvent.UNINSTALL);
        swap(best, fallback, Optional.empty());
        log.unresolved(BUNDLE, "test.best");
        log.unresolved(77, "test.dependent");
        log.changed(BUNDLE, PolicyEvent.UNINSTALL);
        assertThat(only().refreshed().names()).containsExactly("test.best", "test.dependent");
    }

    @Test
    void countsBundlesThatLostTheirWiringJustBeforeAPolicyWasAdded() {
        log.unresolved(77, "test.refreshed.for.it");
        happened(best, PolicyEvent.INSTALL);
        swap(fallback, best, Optional.empty());
        assertThat(only().refreshed().names()).containsExactly("test.refreshed.for.it");
        happened(fallback, PolicyEvent.RANKING);
        swap(best, fallback, Optional.empty());
        assertThat(log.find(Optional.empty(), 1).get(0).refreshed().count()).isZero();
    }
}

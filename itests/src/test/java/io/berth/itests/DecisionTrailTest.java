package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.PolicyOperations.DecisionDetails;
import io.berth.core.api.operations.PolicyOperations.LedgerStamp;
import io.berth.core.api.operations.PolicyOperations.PolicyStamp;
import io.berth.core.api.operations.PolicyOperations.RefreshedBundles;
import io.berth.core.api.operations.PolicyOperations.SwapCause;
import io.berth.core.api.operations.PolicyOperations.SwapDetails;
import io.berth.core.api.operations.PolicyOperations.SwapLedger;
import io.berth.core.api.operations.SwapVerdict;
import io.berth.spi.PolicyKind;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.Before;
import org.junit.Test;

/** What {@link DecisionTrail} finds: each kind of error once, in records and decisions that are wrong. */
public class DecisionTrailTest {

    private static final Duration LIMIT = Duration.ofMillis(200);
    private static final PolicyStamp FIFO = stamp(PolicyKind.DISTRIBUTION, "fifo", 1);
    private static final PolicyStamp OLD = stamp(PolicyKind.MATCHING, "first-fit", 2);
    private static final PolicyStamp NEW = stamp(PolicyKind.MATCHING, "spread", 3);

    private final SortedMap<Long, DecisionDetails> decisions = new TreeMap<>();
    private final List<SwapDetails> records = new ArrayList<>();
    private DecisionTrail trail;

    @Before
    public void begin() throws Exception {
        PolicyOperations policies = (PolicyOperations) Proxy.newProxyInstance(
                DecisionTrailTest.class.getClassLoader(),
                new Class<?>[] {PolicyOperations.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "decision" -> Optional.ofNullable(decisions.get((Long) arguments[0]));
                    case "swaps" -> List.copyOf(records);
                    default -> List.of();
                });
        trail = new DecisionTrail(policies);
        decide(1, OLD);
        trail.begin(LIMIT);
    }

    private static PolicyStamp stamp(PolicyKind kind, String name, long generation) {
        return new PolicyStamp(kind, name, "io.berth." + name, "0.1.0", generation, 1);
    }

    private void decide(long number, PolicyStamp matching) {
        decisions.put(
                number,
                new DecisionDetails(
                        number,
                        0,
                        "pool default",
                        List.of(FIFO, matching),
                        number,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        0,
                        List.of(),
                        List.of()));
    }

    private static SwapDetails record(
            PolicyStamp from, PolicyStamp to, long first, int refreshed, SwapVerdict verdict) {
        return new SwapDetails(
                1,
                0,
                PolicyKind.MATCHING,
                "pool default",
                new SwapCause(PolicyEvent.USE, "anna"),
                from,
                to,
                0,
                first,
                0,
                1,
                0,
                0,
                new RefreshedBundles(refreshed, List.of()),
                new SwapLedger(LedgerStamp.NONE, LedgerStamp.NONE, LedgerStamp.NONE, LedgerStamp.NONE, 0, verdict),
                0,
                0);
    }

    private void swap(PolicyStamp from, PolicyStamp to, long first, int refreshed, SwapVerdict verdict) {
        records.add(0, record(from, to, first, refreshed, verdict));
    }

    private List<SwapDetails> await() throws Exception {
        return trail.await(PolicyKind.MATCHING, "spread", "0.1.0", LIMIT);
    }

    private void assertFound(String part) {
        AssertionError found = assertThrows(AssertionError.class, this::await);
        assertTrue(found.getMessage(), found.getMessage().contains(part));
    }

    @Test
    public void acceptsConsistentRecords() throws Exception {
        decide(2, OLD);
        decide(3, NEW);
        swap(OLD, NEW, 3, 0, SwapVerdict.Plain.NOTHING_CHANGED);

        assertEquals(1, await().size());
        assertEquals(NEW, trail.deciding(PolicyKind.MATCHING));
        assertEquals(2, trail.count());
        decide(4, NEW);
        trail.checkUnchanged();
    }

    @Test
    public void findsADecisionByTheOldGeneration() {
        decide(2, NEW);
        decide(3, OLD);
        swap(OLD, NEW, 2, 0, SwapVerdict.Plain.NOTHING_CHANGED);
        assertFound("decision 3");
    }

    @Test
    public void findsADecisionByTheNewGenerationBeforeItsTime() {
        decide(2, NEW);
        decide(3, NEW);
        swap(OLD, NEW, 3, 0, SwapVerdict.Plain.NOTHING_CHANGED);
        assertFound("decision 2");
    }

    @Test
    public void findsADecisionByAnotherGenerationOfTheOtherKind() {
        decide(2, NEW);
        decisions.put(
                3L,
                new DecisionDetails(
                        3,
                        0,
                        "pool default",
                        List.of(stamp(PolicyKind.DISTRIBUTION, "fifo", 9), NEW),
                        3,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        0,
                        List.of(),
                        List.of()));
        swap(OLD, NEW, 2, 0, SwapVerdict.Plain.NOTHING_CHANGED);
        assertFound("decision 3");
    }

    @Test
    public void findsARecordThatContinuesElsewhere() {
        decide(2, NEW);
        swap(stamp(PolicyKind.MATCHING, "first-fit", 7), NEW, 2, 0, SwapVerdict.Plain.NOTHING_CHANGED);
        assertFound("each record continues where the last one ended");
    }

    @Test
    public void findsADecisionWithoutARecord() {
        decide(2, NEW);
        AssertionError found = assertThrows(AssertionError.class, () -> {
            trail.checkUnchanged();
        });
        assertTrue(found.getMessage(), found.getMessage().contains("decision 2"));
    }

    @Test
    public void findsASecondBundleThatWasRefreshed() {
        decide(2, NEW);
        swap(OLD, NEW, 2, 2, SwapVerdict.Plain.NOTHING_CHANGED);
        assertFound("at most one bundle");
    }

    @Test
    public void findsALedgerThatChangedByItself() {
        decide(2, NEW);
        swap(OLD, NEW, 2, 0, new SwapVerdict.Violated(SwapVerdict.Rule.CHANGE_NOT_COUNTED, 0));
        assertFound("the ledger before and after");
    }
}

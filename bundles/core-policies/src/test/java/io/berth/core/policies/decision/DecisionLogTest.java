package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.operations.PolicyOperations.DecisionDetails;
import io.berth.core.api.operations.PolicyOperations.DecisionFilter;
import io.berth.core.api.operations.PolicyOperations.PolicyStamp;
import io.berth.core.api.policy.CommittedSlot;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlacementPlanner.Commit;
import io.berth.core.policies.Bench;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.WorkerId;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DecisionLogTest {

    private static final DecisionFilter ALL =
            new DecisionFilter(Optional.empty(), Optional.empty(), Optional.empty(), 10_000);

    private static StoredDecision decision(long number, int lines) {
        return decision(number, DecisionOwner.plans("default"), "a", 1, Lines.of(Collections.nCopies(lines, "line")));
    }

    private static StoredDecision decision(long number, DecisionOwner owner, String job, long generation, Lines text) {
        return new StoredDecision(
                number,
                0,
                owner,
                List.of(
                        new PolicyStamp(PolicyKind.DISTRIBUTION, "fifo", "b", "1", 1, 0),
                        new PolicyStamp(PolicyKind.MATCHING, "spread", "c", "1", generation, 0)),
                0,
                List.of(job),
                text,
                text,
                text,
                1,
                List.of(),
                new Lines(),
                Optional.empty());
    }

    private static Commit commit(int slots) {
        CommittedSlot slot = new CommittedSlot(
                new JobId("a"), "all", "default", new WorkerId("w0"), new AllocationId(1, 1), Bench.SLOT);
        int kept = Math.min(slots, PlacementPlanner.MAX_LISTED_SLOTS);
        return new Commit(Collections.nCopies(kept, slot), slots - kept, 0, "", LedgerState.NONE, LedgerState.NONE, 1);
    }

    @Test
    void keepsTheNewestDecisionsUpToTheLimit() {
        DecisionLog log = new DecisionLog(3);
        for (int count = 0; count < 5; count++) {
            log.record(decision(log.next(), 1));
        }
        assertThat(log.find(ALL)).extracting(DecisionDetails::number).containsExactly(5L, 4L, 3L);
    }

    @Test
    void keepsFewerDecisionsWhenTheyHaveManyLines() {
        DecisionLog log = new DecisionLog(10_000);
        for (int count = 0; count < 2_000; count++) {
            long number = log.next();
            log.record(decision(number, 200));
            log.committed(number, commit(1));
        }
        long lines = log.find(ALL).stream()
                .mapToLong(each -> each.inputs().size()
                        + each.results().size()
                        + each.reasons().size())
                .sum();
        assertThat(lines).isBetween(DecisionLog.MAX_LINES_KEPT / 2L, (long) DecisionLog.MAX_LINES_KEPT);
        assertThat(log.decision(2_000)).isPresent();
    }

    @Test
    void createsLinesOnlyWhenTheyAreRead() {
        AtomicInteger made = new AtomicInteger();
        Lines text = new Lines();
        for (int count = 0; count < 500; count++) {
            text.add(() -> "line " + made.incrementAndGet());
        }
        DecisionLog log = new DecisionLog(10);
        log.record(decision(log.next(), DecisionOwner.plans("default"), "a", 1, text));
        assertThat(made).hasValue(0);
        assertThat(log.decision(1).orElseThrow().inputs()).hasSize(201).last().isEqualTo("and 300 more");
    }

    @Test
    void findsByPolicyAndGenerationAndByJobPoolAndNumber() {
        DecisionLog log = new DecisionLog(10);
        log.record(decision(log.next(), DecisionOwner.plans("default"), "a", 5, new Lines()));
        log.record(decision(log.next(), DecisionOwner.assignments("default"), "b", 6, new Lines()));
        log.record(decision(log.next(), DecisionOwner.scaling(new JobId("b")), "b", 6, new Lines()));

        assertThat(numbers(log, filter("spread", 6, "", "", 0))).containsExactly(3L, 2L);
        assertThat(numbers(log, filter("fifo", 6, "", "", 0))).isEmpty();
        assertThat(numbers(log, filter("", 5, "", "", 0))).containsExactly(1L);
        assertThat(numbers(log, filter("", 0, "b", "default", 0))).containsExactly(2L);
        assertThat(numbers(log, filter("", 0, "", "default", 0))).containsExactly(2L, 1L);
        assertThat(numbers(log, filter("", 0, "", "", 2))).containsExactly(3L);
    }

    private static List<Long> numbers(DecisionLog log, DecisionFilter filter) {
        return log.find(filter).stream().map(DecisionDetails::number).toList();
    }

    private static DecisionFilter filter(String policy, long generation, String job, String pool, long after) {
        return new DecisionFilter(
                Optional.empty(),
                Optional.of(policy).filter(text -> !text.isEmpty()),
                generation == 0 ? OptionalLong.empty() : OptionalLong.of(generation),
                Optional.of(job).filter(text -> !text.isEmpty()),
                Optional.of(pool).filter(text -> !text.isEmpty()),
                after,
                10);
    }

    @Test
    void countsTheAllocationsOfALargePlanByWorker() {
        DecisionLog log = new DecisionLog(10);
        long number = log.next();
        log.record(decision(number, 0));
        log.committed(number, commit(150));
        assertThat(log.decision(number).orElseThrow().results())
                .containsExactly("committed on w0 for job a group default: allocations x 150");
    }
}

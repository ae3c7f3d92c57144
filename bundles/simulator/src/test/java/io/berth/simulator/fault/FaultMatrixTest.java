package io.berth.simulator.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.simulator.fault.MessageFaults.Target;
import io.berth.simulator.fault.ProcessFaults.Fault;
import io.berth.simulator.network.Coverage;
import io.berth.simulator.network.MessageKinds;
import io.berth.simulator.network.Operator;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The table of messages and operators, and the cells that seeds test. */
class FaultMatrixTest {

    private final MessageKinds kinds = new MessageKinds();
    private final FaultMatrix cells = new FaultMatrix(kinds);

    @Test
    void aFewHundredSeedsTestEachMeaningfulCell() {
        Set<Target> sides = new LinkedHashSet<>();
        Set<Target> mains = new LinkedHashSet<>();
        int all = (kinds.count() - 2 * MessageKinds.MEANINGLESS.size()) * Operator.values().length;
        for (long seed = 1; seed <= all; seed++) {
            mains.add(cells.mainTarget(seed));
            if (seed <= all / FaultMatrix.SIDES + 1) {
                sides.addAll(cells.sideTargets(seed));
            }
        }

        assertThat(mains).hasSize(all);
        assertThat(sides).hasSize(all);
        assertThat(sides).noneMatch(target -> kinds.meaningless(target.kind()).isPresent());
    }

    @Test
    void meaninglessCellsNameAnExistingMessageAndTheReason() {
        for (MessageKinds.Meaningless cell : MessageKinds.MEANINGLESS) {
            assertThat(kinds.meaningless(kinds.named(cell.message()))).contains(cell.reason());
            assertThat(kinds.meaningless(kinds.named(cell.message() + " answer")))
                    .contains(cell.reason());
        }
    }

    @Test
    void rareMessagesAreProvoked() {
        List<Target> targets = List.of(new Target(kinds.named("JobMaster/Cancel answer"), Operator.LOSE));

        assertThat(cells.provoking(targets, List.of(Fault.values()))).containsExactly(Fault.JOB_CANCELED);
        assertThat(cells.provoking(targets, List.of(Fault.LOSS))).isEmpty();
    }

    @Test
    void aCellWithoutAnOperatorIsEmptyUnlessItIsMeaningless() {
        Coverage coverage = new Coverage(kinds);
        List<Integer> all = new ArrayList<>();
        for (int kind = 0; kind < kinds.count(); kind++) {
            all.add(kind);
        }
        int cancel = kinds.named("JobMaster/Cancel");
        all.stream().filter(kind -> kind != cancel).forEach(kind -> {
            for (Operator operator : Operator.values()) {
                coverage.applied(kind, operator);
            }
        });

        assertThat(coverage.empty()).hasSize(Operator.values().length).contains("JobMaster/Cancel OLD_EPOCH");
        assertThat(coverage.table()).contains("7 cells are empty: JobMaster/Cancel LOSE, ");
        coverage.applied(cancel, Operator.LOSE);
        assertThat(coverage.empty()).doesNotContain("JobMaster/Cancel LOSE");
        assertThat(new Coverage(kinds).empty()).noneMatch(cell -> cell.startsWith("Dispatcher/ReadBundle"));
    }
}

package io.berth.core.api.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReasonTest {

    private static final Reason CPU = Reason.counted(ReasonCode.NO_CPU, 3, "3 workers have memory but no cpu");
    private static final Reason WORDS = Reason.of(ReasonCode.POLICY, "matching strategy x: nothing fits");

    @Test
    void isOneLineWithItsCausesInTheirOrder() {
        assertThat(Reason.of(
                                ReasonCode.POOL_LIMIT,
                                "needs 3",
                                List.of(
                                        CPU,
                                        WORDS,
                                        Reason.of(
                                                ReasonCode.POOL_LIMIT,
                                                "limit",
                                                List.of(Reason.of(ReasonCode.FITS, "1 fits")))))
                        .line())
                .as("the words of a policy are told only where nothing else is")
                .isEqualTo("needs 3: 3 workers have memory but no cpu, limit (1 fits)");
        assertThat(Reason.of(ReasonCode.DEFERRED, "deferred", List.of(WORDS)).line())
                .isEqualTo("deferred: matching strategy x: nothing fits");
        assertThat(Reason.of(ReasonCode.DEFERRED, "", List.of(CPU)).line()).isEqualTo(CPU.text());
    }

    @Test
    void isPrintedAsATreeWithCodesAndCounts() {
        assertThat(Reason.of(ReasonCode.NO_CPU, "needs 3", List.of(CPU)).lines())
                .containsExactly("NO_CPU: needs 3", "  NO_CPU 3: 3 workers have memory but no cpu");
    }

    @Test
    void isCutInBreadthDepthSizeAndText() {
        Reason broad = Reason.of(ReasonCode.OTHER, "many", Collections.nCopies(100, CPU));
        assertThat(broad.causes()).hasSize(Reason.MAX_CAUSES);
        assertThat(broad.causes().get(Reason.MAX_CAUSES - 1))
                .isEqualTo(Reason.counted(ReasonCode.MORE, 89, "and 89 more"));
        Reason deep = CPU;
        for (int level = 0; level < 50; level++) {
            deep = Reason.of(ReasonCode.OTHER, "level " + level, List.of(deep));
        }
        assertThat(deep.lines()).hasSize(Reason.MAX_LEVELS);
        assertThat(deep.text()).isEqualTo("level 49");
        Reason large = Reason.of(ReasonCode.OTHER, "large", Collections.nCopies(12, broad));
        assertThat(Reason.of(ReasonCode.OTHER, "larger", Collections.nCopies(12, large))
                        .lines())
                .hasSizeLessThanOrEqualTo(Reason.MAX_REASONS + Reason.MAX_CAUSES);
        assertThat(Reason.of(ReasonCode.OTHER, "x".repeat(1_000)).text())
                .hasSize(Reason.MAX_TEXT)
                .endsWith("...");
    }

    @Test
    void cuttingAgainChangesNothing() {
        Reason broad = Reason.of(ReasonCode.OTHER, "many", Collections.nCopies(100, CPU));
        Reason cut = Reason.of(ReasonCode.OTHER, "x".repeat(1_000), Collections.nCopies(30, broad));
        assertThat(new Reason(cut.code(), cut.count(), cut.text(), cut.causes()))
                .isEqualTo(cut);
    }

    @Test
    void theSituationIsTheCodesWithoutTheCounts() {
        Reason three = Reason.of(ReasonCode.NO_CPU, "needs 3", List.of(CPU));
        Reason four =
                Reason.of(ReasonCode.NO_CPU, "needs 4", List.of(Reason.counted(ReasonCode.NO_CPU, 4, "4 workers")));
        assertThat(three.sameSituation(four)).isTrue();
        assertThat(three.sameSituation(four.withCode(ReasonCode.FULL))).isFalse();
        assertThat(three.sameSituation(Reason.of(ReasonCode.NO_CPU, "needs 3"))).isFalse();
    }

    @Test
    void anUnknownCodeFromANewerPeerIsReadAsOther() {
        assertThat(ReasonCode.of("NO_MEMORY")).isEqualTo(ReasonCode.NO_MEMORY);
        assertThat(ReasonCode.of("NO_QUANTUM")).isEqualTo(ReasonCode.OTHER);
    }

    @Test
    void theFirstKnownCauseOfAWaitIsKept() {
        Reason unknown = Reason.of(ReasonCode.NOT_ATTEMPTED, "not attempted yet");
        List<Reason> later = new ArrayList<>(List.of(
                CPU, Reason.counted(ReasonCode.NO_CPU, 5, "5"), unknown, Reason.of(ReasonCode.POOL_LIMIT, "limit")));
        Waiting waiting = Waiting.NOT.next(10, unknown);
        assertThat(waiting).isEqualTo(new Waiting(unknown, 10, unknown, 10));
        for (int at = 0; at < later.size(); at++) {
            waiting = waiting.next(20 + at, later.get(at));
            assertThat(waiting.first()).isEqualTo(CPU);
            assertThat(waiting.firstMillis()).isEqualTo(20);
            assertThat(waiting.current()).isEqualTo(later.get(at));
            assertThat(waiting.currentMillis())
                    .as("since when it is of that code")
                    .isEqualTo(at == 1 ? 20 : 20 + at);
        }
    }
}

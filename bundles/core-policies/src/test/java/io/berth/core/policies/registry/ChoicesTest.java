package io.berth.core.policies.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.operations.PolicyOperations.UseResult;
import io.berth.core.api.time.SystemClock;
import io.berth.core.policies.Bench;
import io.berth.core.policies.MemoryStore;
import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ChoicesTest {

    private final MemoryStore store = new MemoryStore();

    private static Choices choices(Map<PolicyKind, String> configured) {
        return new Choices(new SystemClock(), configured, (kind, choice) -> {}, (kind, choice) -> {});
    }

    private static UseResult use(Choices choices, String name, long expected) {
        return choices.use(PolicyKind.MATCHING, name, OptionalLong.of(expected), "test");
    }

    @Test
    void letsOneOfTwoOperatorsWinAndTheOtherReceivesAConflict() throws Exception {
        try (Bench bench = new Bench().withDefaults()) {
            CyclicBarrier together = new CyclicBarrier(2);
            ExecutorService operators = Executors.newFixedThreadPool(2);
            try {
                List<Callable<UseResult>> swaps = List.of(
                        () -> {
                            together.await(10, TimeUnit.SECONDS);
                            return bench.platform.use(PolicyKind.MATCHING, "spread", OptionalLong.of(0), "anna");
                        },
                        () -> {
                            together.await(10, TimeUnit.SECONDS);
                            return bench.platform.use(PolicyKind.MATCHING, "first-fit", OptionalLong.of(0), "bert");
                        });
                List<Future<UseResult>> ended = operators.invokeAll(swaps);
                boolean annaWon = ended.get(0).get() instanceof UseResult.Changed;

                assertThat(ended.get(annaWon ? 0 : 1).get()).isEqualTo(new UseResult.Changed(1));
                UseResult.Conflict conflict =
                        (UseResult.Conflict) ended.get(annaWon ? 1 : 0).get();
                assertThat(conflict.current().index()).isEqualTo(1);
                assertThat(conflict.current().name()).isEqualTo(annaWon ? "spread" : "first-fit");
                assertThat(conflict.current().by()).isEqualTo(annaWon ? "anna" : "bert");
                assertThat(conflict.current().wallMillis()).isPositive();
                assertThat(bench.platform.choice(PolicyKind.MATCHING))
                        .contains(conflict.current().name());
            } finally {
                operators.shutdownNow();
            }
        }
    }

    private static String revert(Choices choices) {
        choices.revert(PolicyKind.MATCHING, OptionalLong.empty(), "test", wanted -> {});
        return choices.name(PolicyKind.MATCHING);
    }

    @Test
    void revertsOneMoreStepEachTimeAlsoAfterARestart() throws Exception {
        Choices before = choices(Map.of(PolicyKind.MATCHING, "zero"));
        before.attach(store);
        use(before, "one", 0);
        use(before, "two", 1);
        use(before, "three", 2);

        assertThat(revert(before)).isEqualTo("two");
        Choices after = choices(Map.of(PolicyKind.MATCHING, "zero"));
        after.attach(store);
        assertThat(revert(after)).isEqualTo("one");
        use(after, "other", 5);
        assertThat(revert(after))
                .as("a choice that was made after a revert is reverted first")
                .isEqualTo("one");
        assertThat(revert(after)).isEqualTo("zero");
        assertThat(after.index(PolicyKind.MATCHING)).isEqualTo(8);
        assertThatThrownBy(() -> revert(after))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nothing to go back to: matching is 'zero' at index 8");
        assertThatThrownBy(() -> after.revert(PolicyKind.SCALING, OptionalLong.empty(), "test", wanted -> {}))
                .hasMessageContaining("scaling was never changed");
    }

    @Test
    void keepsABoundedNumberOfEarlierChoicesWithIndexAndUser() {
        Choices choices = choices(Map.of());
        for (int change = 0; change < 80; change++) {
            choices.use(PolicyKind.MATCHING, "p" + change, OptionalLong.empty(), "anna");
        }
        ChoiceRecord record = ChoiceRecord.first("x");
        for (int change = 0; change < 80; change++) {
            record = record.changed("p" + change, "anna " + change, 1_000 + change, "x");
        }
        assertThat(ChoiceRecord.read(record.bytes())).isEqualTo(record);
        assertThat(record.earlier()).hasSize(ChoiceRecord.MAX_EARLIER);
        assertThat(record.earlier().get(0)).isEqualTo(new ChoiceRecord.Earlier("p78", 79, "anna 78", 1_078));
        for (int step = 0; step < ChoiceRecord.MAX_EARLIER; step++) {
            revert(choices);
        }
        assertThatThrownBy(() -> revert(choices)).hasMessageContaining("no choice before it is kept (at most 50 are)");
    }

    @Test
    void readsThePreviousFormat() throws Exception {
        java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
        java.io.DataOutputStream out = new java.io.DataOutputStream(bytes);
        out.writeByte(1);
        out.writeUTF("spread");
        out.writeLong(4);
        out.writeUTF("anna");
        out.writeLong(77);
        out.writeUTF("first-fit");
        out.writeUTF("");

        ChoiceRecord read = ChoiceRecord.read(bytes.toByteArray());

        assertThat(read.name()).isEqualTo("spread");
        assertThat(read.reverted("bert", 99, "").name()).isEqualTo("first-fit");
        assertThat(read.reverted("bert", 99, "").index()).isEqualTo(5);
    }

    @Test
    void countsEveryChange() {
        Choices choices = choices(Map.of());

        assertThat(choices.use(PolicyKind.MATCHING, "a", OptionalLong.empty(), "x"))
                .isEqualTo(new UseResult.Changed(1));
        assertThat(use(choices, "b", 1)).isEqualTo(new UseResult.Changed(2));
        assertThat(use(choices, "c", 1)).isInstanceOf(UseResult.Conflict.class);
        choices.configured(Map.of(PolicyKind.MATCHING, "d"));
        assertThat(choices.details().get(0).index()).isEqualTo(3);
        assertThat(choices.details().get(0).by()).startsWith("configuration");
        assertThat(choices.details().get(1).index()).isZero();
    }

    @Test
    void keepsChoicesAfterARestart() {
        Choices before = choices(Map.of());
        before.attach(store);
        use(before, "spread", 0);

        Choices after = choices(Map.of());
        assertThat(after.name(PolicyKind.MATCHING)).isEmpty();
        after.attach(store);

        assertThat(after.details()).isEqualTo(before.details());
        assertThat(use(after, "first-fit", 1)).isEqualTo(new UseResult.Changed(2));
    }

    @Test
    void keepsAChoiceFromBeforeTheStoreWasAttached() {
        Choices before = choices(Map.of());
        use(before, "spread", 0);
        before.attach(store);

        Choices after = choices(Map.of());
        after.attach(store);
        assertThat(after.name(PolicyKind.MATCHING)).isEqualTo("spread");
    }

    @Test
    void followsAConfigurationThatWasEditedWhileTheProcessWasDown() {
        Choices before = choices(Map.of(PolicyKind.MATCHING, "first-fit"));
        before.attach(store);
        use(before, "spread", 0);

        Choices unedited = choices(Map.of(PolicyKind.MATCHING, "first-fit"));
        unedited.attach(store);
        assertThat(unedited.name(PolicyKind.MATCHING)).isEqualTo("spread");

        Choices edited = choices(Map.of(PolicyKind.MATCHING, "last-fit"));
        edited.attach(store);
        assertThat(edited.name(PolicyKind.MATCHING)).isEqualTo("last-fit");
        assertThat(edited.details().get(0).index()).isEqualTo(2);
    }

    @Test
    void keepsAChoiceWhenTheConfigurationIsReadAfterTheStore() {
        Choices before = choices(Map.of(PolicyKind.MATCHING, "first-fit"));
        before.attach(store);
        use(before, "spread", 0);

        Choices after = choices(Map.of());
        after.attach(store);
        after.configured(Map.of(PolicyKind.MATCHING, "first-fit"));

        assertThat(after.details().get(0)).isEqualTo(before.details().get(0));
        after.configured(Map.of());
        assertThat(after.name(PolicyKind.MATCHING)).isEmpty();
    }

    @Test
    void changesNothingWhenTheChoiceCannotBeStored() {
        Choices choices = choices(Map.of());
        choices.attach(store);
        use(choices, "spread", 0);
        store.full = true;

        assertThatThrownBy(() -> use(choices, "first-fit", 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no space left")
                .hasMessageContaining("nothing was changed");
        assertThat(choices.name(PolicyKind.MATCHING)).isEqualTo("spread");

        store.full = false;
        assertThat(use(choices, "first-fit", 1)).isEqualTo(new UseResult.Changed(2));
    }

    @Test
    void receivesAConflictFromAnotherControlPlaneWithTheSameStore() {
        Choices one = choices(Map.of());
        Choices other = choices(Map.of());
        one.attach(store);
        other.attach(store);
        use(one, "spread", 0);

        UseResult.Conflict conflict = (UseResult.Conflict) use(other, "first-fit", 0);

        assertThat(conflict.current().name()).isEqualTo("spread");
        assertThat(other.name(PolicyKind.MATCHING)).isEqualTo("spread");
        assertThat(use(other, "first-fit", 1)).isEqualTo(new UseResult.Changed(2));
    }
}

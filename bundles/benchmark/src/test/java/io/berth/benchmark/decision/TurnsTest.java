package io.berth.benchmark.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TurnsTest {

    private final List<String> held = new ArrayList<>();

    private Turns.Condition condition(String name) {
        return () -> {
            held.add("begin " + name);
            return () -> held.add("end " + name);
        };
    }

    @Test
    void eachRoundBeginsWithAnotherConditionAndEndsEach() {
        Clock clock = new SystemClock();
        try (Policies policies = new Policies("first-fit", clock);
                Pool pool = new Pool(policies, "first-fit")) {
            DecisionTimes decisions = new DecisionTimes(pool, clock, 10);
            decisions.begin();
            Turns turns = new Turns(decisions);
            KeptTimes one = turns.under("one", condition("one"));
            turns.under("two", condition("two"));

            turns.take(2);

            assertThat(one.size()).isEqualTo(2 * Turns.TURN);
            assertThat(held)
                    .containsExactly(
                            "begin one",
                            "end one",
                            "begin two",
                            "end two",
                            "begin two",
                            "end two",
                            "begin one",
                            "end one");

            turns.under("three", () -> {
                throw new IllegalStateException("cannot begin");
            });
            assertThatThrownBy(() -> turns.take(1)).hasMessage("cannot begin");
        }
    }
}

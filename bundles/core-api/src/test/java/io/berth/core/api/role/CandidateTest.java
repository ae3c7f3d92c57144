package io.berth.core.api.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.FencingToken;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.spi.ha.LeaderElection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class CandidateTest {

    private final List<String> events = new ArrayList<>();
    private final Election election = new Election();
    private final SortedMap<Long, Runnable> timers = new TreeMap<>();
    private boolean broken;
    private boolean endFails;
    private final Candidate<String> candidate = new Candidate<>(
            EndpointName.DISPATCHER,
            () -> new UUID(0, 7),
            token -> {
                if (broken) {
                    throw new IllegalStateException("no room for a term");
                }
                events.add("begin " + token.epoch() + " " + token.id());
                return "term " + token.epoch();
            },
            (term, cause) -> {
                if (endFails) {
                    throw new AssertionError("a test");
                }
                events.add("lost " + term + ": " + cause);
            },
            Runnable::run,
            (delayMillis, action) -> {
                timers.put(delayMillis, action);
                return () -> {};
            });

    private void compete() {
        candidate.compete(election, new RpcAddress("127.0.0.1", 7077));
    }

    @Test
    void runsATermWhileItLeadsAndNothingAsAStandby() {
        compete();
        assertThat(election.events).containsExactly("dispatcher at 127.0.0.1:7077");
        candidate.withTerm(term -> events.add("with " + term));
        assertThat(events).isEmpty();
        assertThat(candidate.leads()).isFalse();
        election.contender.granted(3);
        assertThat(candidate.leads()).isTrue();
        candidate.withTerm(term -> events.add("with " + term));
        election.contender.revoked("a test");
        assertThat(candidate.leads()).isFalse();
        candidate.withTerm(term -> events.add("with " + term));
        election.contender.granted(4);
        assertThat(events)
                .containsExactly(
                        "begin 3 00000000-0000-0000-0000-000000000007",
                        "with term 3",
                        "lost term 3: a test",
                        "begin 4 00000000-0000-0000-0000-000000000007");
    }

    @Test
    void endsItsTermBeforeItGivesTheRoleUp() {
        compete();
        election.contender.granted(3);
        election.events.clear();
        candidate.close(term -> election.events.add("last of " + term));
        assertThat(election.events).containsExactly("last of term 3", "closed");
        election.contender.granted(4);
        election.contender.revoked("too late");
        assertThat(events).hasSize(1);
    }

    @Test
    void givesTheRoleUpWhenItsTermDoesNotEndCleanly() {
        compete();
        election.contender.granted(3);
        candidate.close(term -> {
            throw new IllegalStateException("a test");
        });
        assertThat(election.events).contains("closed");
    }

    @Test
    void hasNoTermWhenItCannotBegin() {
        compete();
        broken = true;
        assertThatThrownBy(() -> election.contender.granted(3)).hasMessage("no room for a term");
        candidate.withTerm(term -> events.add("with " + term));
        broken = false;
        election.contender.granted(4);
        assertThat(events).hasSize(1);
    }

    private static FencingToken token(long epoch) {
        return new FencingToken(epoch, new UUID(0, 7));
    }

    @Test
    void aTermThatFailsEndsAndTheRoleIsGivenUpUntilAPauseIsOver() {
        compete();
        election.contender.granted(3);
        election.events.clear();
        events.clear();
        candidate.fail(token(3), new IllegalStateException("half done"));
        assertThat(events).containsExactly("lost term 3: its term failed: java.lang.IllegalStateException: half done");
        assertThat(candidate.leads()).isFalse();
        assertThat(election.events).containsExactly("closed");
        timers.get(1_000L).run();
        assertThat(election.events).containsExactly("closed", "dispatcher at 127.0.0.1:7077");
        election.contender.granted(4);
        assertThat(candidate.leads()).isTrue();
        candidate.fail(token(3), new IllegalStateException("heard late"));
        assertThat(candidate.leads()).as("that term is over").isTrue();
    }

    @Test
    void pausesGrowWhenTermsFailEarly() {
        compete();
        election.contender.granted(1);
        candidate.fail(token(1), new IllegalStateException("once"));
        timers.remove(1_000L).run();
        election.contender.granted(2);
        Runnable steady = timers.remove(60_000L);
        candidate.fail(token(2), new IllegalStateException("twice"));
        timers.remove(2_000L).run();
        election.contender.granted(3);
        steady.run();
        timers.remove(60_000L).run();
        candidate.fail(token(3), new IllegalStateException("after a good while"));
        assertThat(timers).containsOnlyKeys(1_000L);
    }

    @Test
    void aProcessThatCannotCompeteAgainTriesUntilItCan() {
        compete();
        election.contender.granted(1);
        election.broken = true;
        candidate.fail(token(1), new IllegalStateException("half done"));
        timers.remove(60_000L);
        timers.remove(1_000L).run();
        timers.remove(2_000L).run();
        election.broken = false;
        timers.remove(4_000L).run();
        election.contender.granted(2);
        assertThat(candidate.leads()).isTrue();
    }

    @Test
    void theRoleIsGivenUpAlthoughItsTermEndsWithAnError() {
        compete();
        election.contender.granted(1);
        endFails = true;
        candidate.fail(token(1), new IllegalStateException("half done"));
        assertThat(election.events).contains("closed");
        assertThat(timers).containsKey(1_000L);
    }

    @Test
    void aClosedRoleDoesNotCompeteAgainAfterAFailedTerm() {
        compete();
        election.contender.granted(1);
        candidate.fail(token(1), new IllegalStateException("half done"));
        candidate.close(term -> events.add("last of " + term));
        election.events.clear();
        timers.get(1_000L).run();
        assertThat(election.events).isEmpty();
    }

    private static final class Election implements LeaderElection {

        private final List<String> events = new ArrayList<>();
        private Contender contender;
        private boolean broken;

        @Override
        public AutoCloseable compete(String role, String address, Contender competes) {
            if (broken) {
                throw new IllegalStateException("no election");
            }
            events.add(role + " at " + address);
            contender = competes;
            return () -> events.add("closed");
        }

        @Override
        public AutoCloseable follow(String role, Consumer<Optional<Leader>> listener) {
            throw new UnsupportedOperationException();
        }
    }
}

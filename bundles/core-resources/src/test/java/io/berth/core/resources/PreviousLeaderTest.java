package io.berth.core.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.ha.LeaderElection.Leader;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PreviousLeaderTest {

    private static final Optional<Leader> OTHER = Optional.of(new Leader("resource-manager", 7, "127.0.0.1:7077"));

    private final PreviousLeader predecessor = new PreviousLeader();

    @Test
    void thereIsNoneWhereNobodyLedOrTheLastOneEndedInOrder() {
        predecessor.notified(Optional.empty());
        predecessor.await();

        assertThat(predecessor.take()).isFalse();
        assertThat(predecessor.take())
                .as("this process itself is the one of its next term")
                .isTrue();
    }

    @Test
    void everyLeaderSinceThenIsAPreviousLeader() {
        predecessor.notified(OTHER);
        predecessor.await();
        predecessor.notified(Optional.empty());

        assertThat(predecessor.take()).isTrue();
    }

    @Test
    void inDoubtThereIsOne() {
        Thread.currentThread().interrupt();
        predecessor.await();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(predecessor.take()).isTrue();
    }
}

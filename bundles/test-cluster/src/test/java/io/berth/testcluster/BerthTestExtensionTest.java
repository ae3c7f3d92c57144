package io.berth.testcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.client.JobDescription;
import io.berth.client.JobStatus;
import io.berth.client.Partitioning;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class BerthTestExtensionTest {

    private static final Queue<Long> RECEIVED = new ConcurrentLinkedQueue<>();

    @RegisterExtension
    static final BerthTestExtension berth = BerthTestExtension.of(BerthTestCluster.builder()
            .operator("numbers", Numbers.source(1))
            .operator("list", Numbers.list(RECEIVED))
            .workers(1));

    private static final Set<BerthTestCluster> SHARED = ConcurrentHashMap.newKeySet();
    private static final Set<BerthTestCluster> OWN = ConcurrentHashMap.newKeySet();

    @BeforeAll
    static void remember() {
        SHARED.add(berth.cluster());
    }

    @AfterAll
    static void allSawOneCluster() {
        assertThat(SHARED).containsExactly(berth.cluster());
    }

    @Test
    void aStaticFieldHasACluster() throws Exception {
        JobDescription job = JobDescription.named("numbers")
                .vertex("read", "numbers")
                .vertex("list", "list")
                .edge("read", "list", Partitioning.FORWARD)
                .build();
        assertThat(berth.cluster().run(job, Duration.ofSeconds(60)).status()).isEqualTo(JobStatus.FINISHED);
        assertThat(RECEIVED).hasSize(100);
    }

    @Nested
    class Inner {

        @RegisterExtension
        final BerthTestExtension own =
                BerthTestExtension.of(BerthTestCluster.builder().workers(0));

        @RepeatedTest(2)
        void aNestedClassHasTheSameOneAndEachTestItsOwn() {
            SHARED.add(berth.cluster());
            assertThat(OWN.add(own.cluster())).isTrue();
            assertThat(own.cluster()).isNotSameAs(berth.cluster());
        }
    }

    @Test
    void outsideOfATestThereIsNone() {
        BerthTestExtension unused = BerthTestExtension.of(BerthTestCluster.builder());
        assertThatThrownBy(unused::cluster).isInstanceOf(IllegalStateException.class);
    }
}

package io.berth.runtime.dataflow.exchange.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.runtime.dataflow.measure.WaitTimes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BufferPoolTest {

    private static final int DESIRED = 8;

    private final BufferPool pool = new BufferPool(128L << 20);

    private BufferLease lease(int number) {
        return pool.lease("channel " + number, BufferPool.MIN_BUFFERS, DESIRED);
    }

    @Test
    void channelsThatBorrowAllTheyWantLeaveTheMinimumForAllThatFitIntoTheMemory() {
        // A hash edge of parallelism 40 on 5 workers: 8 producers with 40 parts, 8 consumers with 32 remote channels.
        List<BufferLease> leases = new ArrayList<>();
        for (int channel = 0; channel < 8 * 40 + 8 * 32; channel++) {
            BufferLease lease = lease(channel);
            while (lease.grow()) {
                assertThat(lease.size()).isLessThanOrEqualTo(DESIRED);
            }
            leases.add(lease);
        }
        assertThat(leases).allSatisfy(lease -> {
            assertThat(lease.size()).isGreaterThanOrEqualTo(BufferPool.MIN_BUFFERS);
            assertThat(lease.poll()).isNotNull();
            assertThat(lease.poll()).isNotNull();
        });
        assertThat(leases.stream().mapToInt(BufferLease::size).sum()).isLessThanOrEqualTo(pool.total());
    }

    @Test
    void fewChannelsGetAllTheyWant() throws InterruptedException {
        BufferLease lease = lease(0);
        for (int taken = 0; taken < DESIRED; taken++) {
            assertThat(lease.take(WaitTimes.unread().idle())).isNotNull();
        }
        assertThat(lease.grow()).isFalse();
        assertThat(lease.poll()).isNull();
    }

    @Test
    void busyChannelsShareTheUnreservedBuffersInAnyOrderOfArrival() throws InterruptedException {
        List<BufferLease> leases = new ArrayList<>();
        List<ArrayDeque<NetworkBuffer>> inUse = new ArrayList<>();
        for (int channel = 0; channel < 400; channel++) {
            leases.add(lease(channel));
            inUse.add(new ArrayDeque<>());
        }
        for (int round = 0; round < 1_000; round++) {
            for (int channel = 0; channel < leases.size(); channel++) {
                ArrayDeque<NetworkBuffer> own = inUse.get(channel);
                // Like a producer whose consumer keeps up: takes all it can, and gets some of it back.
                while (own.size() < leases.get(channel).size()
                        || leases.get(channel).grow()) {
                    own.addLast(leases.get(channel).take(WaitTimes.unread().idle()));
                }
                own.pollFirst().recycle();
            }
        }
        assertThat(leases)
                .extracting(BufferLease::size)
                .allSatisfy(size -> assertThat(size).isBetween(3, 6));
    }

    @Test
    void thePoolHasRoomForAsManyLeasesAsItSays() {
        List<BufferLease> leases = new ArrayList<>();
        for (int channel = 0; channel < pool.maxLeases(); channel++) {
            BufferLease lease = lease(channel);
            while (lease.grow()) {
                assertThat(lease.size()).isLessThanOrEqualTo(DESIRED);
            }
            leases.add(lease);
        }
        assertThat(leases).hasSize(1408);
        assertThatThrownBy(() -> lease(leases.size())).isInstanceOf(NetworkMemoryException.class);
    }

    @Test
    void rejectionSaysWhatIsLeftAndWhatToDo() {
        BufferPool small = new BufferPool(0);
        for (int channel = 0; channel < 4; channel++) {
            small.lease("channel " + channel, 2, DESIRED);
        }
        assertThatThrownBy(() -> small.lease("channel 4", 2, DESIRED))
                .isInstanceOf(NetworkMemoryException.class)
                .hasMessageContaining("channel 4 needs 2 buffers of 32 KiB, but 0 of the 8 that channels can reserve")
                .hasMessageContaining("lower the parallelism")
                .hasMessageContaining("network.memory.bytes");
    }

    @Test
    void storedResultsAndChannelsOfTasksDoNotTakeTheMinimumOfEachOther() {
        List<BufferLease> results = new ArrayList<>();
        Optional<BufferLease> next = pool.leaseForResult(BufferPool.MIN_BUFFERS, DESIRED);
        while (next.isPresent()) {
            results.add(next.get());
            next = pool.leaseForResult(BufferPool.MIN_BUFFERS, DESIRED);
        }
        assertThat(results).hasSize(128).hasSize(pool.maxResultLeases());
        List<BufferLease> channels = new ArrayList<>();
        for (int channel = 0; channel < pool.maxLeases(); channel++) {
            channels.add(lease(channel));
        }

        results.get(0).close();
        assertThatThrownBy(() -> lease(0)).isInstanceOf(NetworkMemoryException.class);
        assertThat(pool.leaseForResult(BufferPool.MIN_BUFFERS, DESIRED)).isPresent();
        channels.get(0).close();
        assertThat(pool.leaseForResult(BufferPool.MIN_BUFFERS, DESIRED)).isEmpty();
        assertThat(lease(0)).isNotNull();
    }

    @Test
    void allBuffersReturnHoweverALeaseEnds() throws InterruptedException {
        BufferLease lease = lease(0);
        List<NetworkBuffer> buffers = new ArrayList<>();
        for (int taken = 0; taken < DESIRED; taken++) {
            buffers.add(lease.take(WaitTimes.unread().idle()));
        }
        buffers.remove(0).recycle();
        lease.close();
        assertThat(pool.isWhole()).isFalse();
        buffers.forEach(NetworkBuffer::recycle);
        assertThat(pool.isWhole()).isTrue();
    }
}

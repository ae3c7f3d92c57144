package io.berth.core.resources.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FormerWorkersTest {

    private static final GroupKey GROUP = new GroupKey("unit", "group");

    private final FormerWorkers former = new FormerWorkers();
    private final List<WorkerId> ids = IntStream.range(0, 2 * FormerWorkers.MAX_OF_GROUP)
            .mapToObj(index -> new WorkerId("worker-" + index))
            .toList();

    @Test
    void theLatestAreKept() {
        ids.forEach(id -> former.add(GROUP, id));
        assertThat(former.of(GROUP)).isEqualTo(last(FormerWorkers.MAX_OF_GROUP));
    }

    @Test
    void aWorkerThatIsAddedAgainIsTheLatest() {
        List<WorkerId> first = ids.subList(0, FormerWorkers.MAX_OF_GROUP);
        first.forEach(id -> former.add(GROUP, id));
        former.add(GROUP, ids.get(0));
        assertThat(former.of(GROUP)).containsExactlyInAnyOrderElementsOf(first);
        former.add(GROUP, ids.get(FormerWorkers.MAX_OF_GROUP));
        assertThat(former.of(GROUP)).contains(ids.get(0)).doesNotContain(ids.get(1));
        ids.subList(FormerWorkers.MAX_OF_GROUP + 1, ids.size()).forEach(id -> former.add(GROUP, id));
        assertThat(former.of(GROUP)).isEqualTo(last(FormerWorkers.MAX_OF_GROUP));
    }

    @Test
    void groupsAreApartAndAWorkerThatRegisteredAnewIsOne() {
        GroupKey other = new GroupKey("unit", "other");
        former.add(GROUP, new WorkerId("w"));
        former.add(GROUP, new WorkerId("w"));
        assertThat(former.of(GROUP)).containsExactly(new WorkerId("w"));
        assertThat(former.of(other)).isEmpty();
    }

    private Set<WorkerId> last(int count) {
        return ids.stream().skip(ids.size() - count).collect(Collectors.toUnmodifiableSet());
    }
}

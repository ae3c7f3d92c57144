package io.berth.core.resources.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.fake.ManualTime;
import io.berth.core.resources.state.Changes.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChangesTest {

    private final ManualTime mainThread = new ManualTime();
    private final List<Set<Change>> flushed = new ArrayList<>();
    private final Changes changes = new Changes(mainThread, flushed::add);

    @Test
    void allChangesUpToTheFlushAreActedOnTogether() {
        mainThread.execute(() -> changes.mark(Change.CLUSTER));
        mainThread.execute(() -> changes.mark(Change.CLUSTER));
        mainThread.execute(() -> changes.mark(Change.DEMAND));
        mainThread.settle();
        assertThat(flushed).containsExactly(Set.of(Change.CLUSTER, Change.DEMAND));
    }

    @Test
    void aChangeDuringAFlushIsActedOnInTheNext() {
        List<Set<Change>> seen = new ArrayList<>();
        Changes[] nested = new Changes[1];
        nested[0] = new Changes(mainThread, now -> {
            seen.add(now);
            if (now.contains(Change.DEMAND)) {
                nested[0].mark(Change.CLUSTER);
            }
        });
        nested[0].mark(Change.DEMAND);
        mainThread.settle();
        assertThat(seen).containsExactly(Set.of(Change.DEMAND), Set.of(Change.CLUSTER));
    }
}

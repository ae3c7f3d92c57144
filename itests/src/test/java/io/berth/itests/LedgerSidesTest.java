package io.berth.itests;

import static org.junit.Assert.assertEquals;

import java.util.List;
import org.junit.Test;

public class LedgerSidesTest {

    private static final List<String> COUNTED = List.of("w-1 a-1 job-1 slots", "w-2 a-2 job-1 slots");
    private static final List<String> TABLE = List.of("w-1 a-1 job-1 slots active", "w-2 a-2 job-1 slots active");
    private static final List<String> HELD = List.of("w-1 a-1 job-1", "w-2 a-2 job-1");

    @Test
    public void findsNothingWhenAllSidesAgree() {
        assertEquals(List.of(), new LedgerSides(COUNTED, TABLE, HELD).differences());
    }

    @Test
    public void findsASlotThatTheResourceManagerLost() {
        assertEquals(
                List.of("only a worker has w-2 a-2 job-1 slots"),
                new LedgerSides(COUNTED.subList(0, 1), TABLE, HELD).differences());
    }

    @Test
    public void findsASlotThatAWorkerLost() {
        assertEquals(
                List.of("only the ResourceManager has w-2 a-2 job-1 slots", "only a job has w-2 a-2 job-1"),
                new LedgerSides(COUNTED, TABLE.subList(0, 1), HELD).differences());
    }

    @Test
    public void findsASlotThatAJobLost() {
        assertEquals(
                List.of("no job has w-1 a-1 job-1"), new LedgerSides(COUNTED, TABLE, HELD.subList(1, 2)).differences());
    }

    @Test
    public void findsASlotOnTwoWorkers() {
        List<String> doubled = List.of("w-1 a-1 job-1 slots active", "w-2 a-1 job-1 slots active");
        assertEquals(
                List.of("twice on workers: w-2 a-1 job-1 slots active"),
                new LedgerSides(
                                List.of("w-1 a-1 job-1 slots", "w-2 a-1 job-1 slots"),
                                doubled,
                                List.of("w-1 a-1 job-1", "w-2 a-1 job-1"))
                        .differences());
    }

    @Test
    public void findsASlotThatItsJobDidNotAccept() {
        assertEquals(
                List.of("not taken by its job: w-1 a-1 job-1 slots waiting", "no job has w-1 a-1 job-1"),
                new LedgerSides(COUNTED.subList(0, 1), List.of("w-1 a-1 job-1 slots waiting"), List.of())
                        .differences());
    }
}

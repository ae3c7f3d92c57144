package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.berth.itests.SwapScript.Action;
import io.berth.itests.SwapScript.Swap;
import io.berth.spi.PolicyKind;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.Test;

public class SwapScriptTest {

    @Test
    public void changesTheDeciderEachTimeAndInEveryWay() {
        SwapScript script = new SwapScript(7, "0.1.0");
        Map<PolicyKind, String> deciding = new EnumMap<>(PolicyKind.class);
        Set<String> ways = new HashSet<>();
        for (int number = 1; number <= 5_000; number++) {
            Swap swap = script.next();
            String decider = swap.decider() + " " + swap.version();
            String before = deciding.put(swap.kind(), decider);
            ways.add(swap.kind() + " " + swap.action());
            assertTrue(number + ": " + swap, swap.action() == Action.CONFIGURATION || !decider.equals(before));
        }
        assertEquals(2 * Action.values().length, ways.size());
    }

    @Test
    public void generatesTheSameFromTheSameSeed() {
        SwapScript one = new SwapScript(3, "0.1.0");
        SwapScript other = new SwapScript(3, "0.1.0");
        for (int number = 0; number < 200; number++) {
            assertEquals(one.next(), other.next());
        }
    }
}

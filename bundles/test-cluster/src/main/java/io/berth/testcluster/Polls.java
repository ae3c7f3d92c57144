package io.berth.testcluster;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Waits for a state that nothing announces. */
final class Polls {

    private static final long LOOK_MILLIS = 5;

    private Polls() {}

    /**
     * Looks until what it sees is as wished.
     *
     * @param late says what was seen last, for the message
     */
    static <T> T until(
            Supplier<T> look, Predicate<? super T> wished, Duration timeout, Function<? super T, String> late)
            throws InterruptedException, TimeoutException {
        long until = System.nanoTime() + timeout.toNanos();
        T seen = look.get();
        while (!wished.test(seen)) {
            if (System.nanoTime() - until > 0) {
                throw new TimeoutException(late.apply(seen));
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            seen = look.get();
        }
        return seen;
    }
}

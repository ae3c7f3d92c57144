package io.berth.core.policies.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.time.SystemClock;
import io.berth.core.policies.text.LogLimit;
import java.util.Locale;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProcessWatchTest {

    private static final Locale CHANGED = Locale.forLanguageTag("tr-TR");

    private final Locale locale = Locale.getDefault();
    private final TimeZone zone = TimeZone.getDefault();
    private final ProcessWatch watch = new ProcessWatch(new LogLimit(new SystemClock()));
    private final ClassLoader faulty = new ClassLoader(null) {};
    private final ClassLoader innocent = new ClassLoader(null) {};

    @AfterEach
    void restore() {
        Locale.setDefault(locale);
        TimeZone.setDefault(zone);
    }

    @Test
    void aCallThatBeginsAfterAChangeOfAnotherDoesNotTakeItForTheOriginalState() {
        ProcessWatch.Visit bad = watch.enter("villain", faulty);
        Locale.setDefault(CHANGED);
        TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Apia"));
        ProcessWatch.Visit good = watch.enter("innocent", innocent);
        watch.leave(bad);
        assertThat(watch.leave(good)).as("the change of the other call").isEmpty();
        assertThat(Locale.getDefault()).isEqualTo(locale);
        assertThat(TimeZone.getDefault()).isEqualTo(zone);
    }

    @Test
    void aChangeDuringCallsIntoTwoBundlesIsRestoredButBlamedOnNeither() {
        ProcessWatch.Visit good = watch.enter("innocent", innocent);
        ProcessWatch.Visit bad = watch.enter("villain", faulty);
        Locale.setDefault(CHANGED);
        assertThat(watch.leave(good)).isEmpty();
        assertThat(Locale.getDefault()).isEqualTo(locale);
        assertThat(watch.leave(bad)).isEmpty();
    }

    @Test
    void aBundleIsBlamedWhenAllRunningCallsAreItsOwn() {
        ProcessWatch.Visit one = watch.enter("villain", faulty);
        ProcessWatch.Visit other = watch.enter("villain", faulty);
        Locale.setDefault(CHANGED);
        assertThat(watch.leave(one)).isEqualTo("the default locale");
        assertThat(watch.leave(one)).as("the second time").isEmpty();
        assertThat(watch.leave(other)).isEmpty();
        assertThat(Locale.getDefault()).isEqualTo(locale);
    }

    @Test
    void anAbandonedCallNeitherHidesOtherChangesNorKeepsItsOwn() {
        ProcessWatch.Visit hanging = watch.enter("hanging", innocent);
        Locale.setDefault(CHANGED);
        watch.givenUp(hanging);
        ProcessWatch.Visit next = watch.enter("next", faulty);
        assertThat(Locale.getDefault()).isEqualTo(locale);
        assertThat(watch.leave(next)).as("the change of the previous call").isEmpty();
        ProcessWatch.Visit bad = watch.enter("villain", faulty);
        Locale.setDefault(CHANGED);
        assertThat(watch.leave(bad)).isEqualTo("the default locale");
        watch.leave(hanging);
        Locale.setDefault(CHANGED);
        ProcessWatch.Visit later = watch.enter("villain", faulty);
        assertThat(watch.leave(later))
                .as("no call is running: the choice of the operator stays")
                .isEmpty();
        assertThat(Locale.getDefault()).isEqualTo(CHANGED);
    }
}

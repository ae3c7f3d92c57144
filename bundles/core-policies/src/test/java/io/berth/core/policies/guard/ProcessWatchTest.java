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
    private final ClassLoader villain = new ClassLoader(null) {};
    private final ClassLoader innocent = new ClassLoader(null) {};

    @AfterEach
    void putBack() {
        Locale.setDefault(locale);
        TimeZone.setDefault(zone);
    }

    @Test
    void aCallThatBeginsAfterTheChangeOfAnotherDoesNotTakeItForWhatWasThere() {
        ProcessWatch.Visit bad = watch.enter("villain", villain);
        Locale.setDefault(CHANGED);
        TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Apia"));
        ProcessWatch.Visit good = watch.enter("innocent", innocent);
        watch.leave(bad);
        assertThat(watch.leave(good)).as("what the other call is to blame for").isEmpty();
        assertThat(Locale.getDefault()).isEqualTo(locale);
        assertThat(TimeZone.getDefault()).isEqualTo(zone);
    }

    @Test
    void aChangeIsHeldAgainstNobodyWhenBundlesWereCalledAtOnceAndPutBackAllTheSame() {
        ProcessWatch.Visit good = watch.enter("innocent", innocent);
        ProcessWatch.Visit bad = watch.enter("villain", villain);
        Locale.setDefault(CHANGED);
        assertThat(watch.leave(good)).isEmpty();
        assertThat(Locale.getDefault()).isEqualTo(locale);
        assertThat(watch.leave(bad)).isEmpty();
    }

    @Test
    void aBundleThatIsCalledAloneIsBlamedAlsoInSeveralCalls() {
        ProcessWatch.Visit one = watch.enter("villain", villain);
        ProcessWatch.Visit other = watch.enter("villain", villain);
        Locale.setDefault(CHANGED);
        assertThat(watch.leave(one)).isEqualTo("the default locale");
        assertThat(watch.leave(one)).as("once more").isEmpty();
        assertThat(watch.leave(other)).isEmpty();
        assertThat(Locale.getDefault()).isEqualTo(locale);
    }

    @Test
    void aCallThatWasGivenUpOnNeitherCoversOthersNorLeavesItsChangeBehind() {
        ProcessWatch.Visit hanging = watch.enter("hanging", innocent);
        Locale.setDefault(CHANGED);
        watch.givenUp(hanging);
        ProcessWatch.Visit next = watch.enter("next", villain);
        assertThat(Locale.getDefault()).isEqualTo(locale);
        assertThat(watch.leave(next)).as("what the one before it did").isEmpty();
        ProcessWatch.Visit bad = watch.enter("villain", villain);
        Locale.setDefault(CHANGED);
        assertThat(watch.leave(bad)).isEqualTo("the default locale");
        watch.leave(hanging);
        Locale.setDefault(CHANGED);
        ProcessWatch.Visit later = watch.enter("villain", villain);
        assertThat(watch.leave(later))
                .as("nothing is under way: what the operator chose holds")
                .isEmpty();
        assertThat(Locale.getDefault()).isEqualTo(CHANGED);
    }
}

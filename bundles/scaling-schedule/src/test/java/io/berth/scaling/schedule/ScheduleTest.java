package io.berth.scaling.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.scaling.ScalingSession;
import io.berth.testkit.ArrayJobView;
import io.berth.testkit.FixedConfiguration;
import io.berth.testkit.FixedContext;
import io.berth.testkit.RecordedParallelism;
import io.berth.testkit.RecordedParallelism.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final String WEEK = "mon-fri 08:00=8, mon-fri 20:00=3, sat 00:00=15%";

    private final ArrayJobView job = new ArrayJobView(1).vertex(0, 1, 2, 10).vertex(0, 4, 5, 6);

    private static ScalingSession session(ArrayJobView job, Map<String, String> configuration, ZoneId controlPlane)
            throws InvalidConfigurationException {
        ScheduleFactory factory = new ScheduleFactory();
        return factory.create(
                        FixedConfiguration.of(factory.describe(), configuration),
                        FixedContext.of("job job").in(controlPlane))
                .open(job);
    }

    private RecordedParallelism desire(Map<String, String> configuration, Instant at)
            throws InvalidConfigurationException {
        job.wallTime(at.toEpochMilli());
        RecordedParallelism result = new RecordedParallelism(job);
        session(job, configuration, BERLIN).desire(result);
        return result;
    }

    private static Instant berlin(String local) {
        return LocalDateTime.parse(local).atZone(BERLIN).toInstant();
    }

    private int first(String times, Instant at) throws InvalidConfigurationException {
        return desire(Map.of("times", times), at).values()[0];
    }

    @Test
    void theLastEntryAppliesUntilTheNextOne() throws InvalidConfigurationException {
        // 2026-06-01 is a Monday.
        assertThat(first(WEEK, berlin("2026-06-01T07:59:59"))).isEqualTo(2);
        assertThat(first(WEEK, berlin("2026-06-01T08:00:00"))).isEqualTo(8);
        assertThat(first(WEEK, berlin("2026-06-01T19:59:59"))).isEqualTo(8);
        assertThat(first(WEEK, berlin("2026-06-01T20:00:00"))).isEqualTo(3);
        assertThat(first(WEEK, berlin("2026-06-05T23:59:59"))).isEqualTo(3);
        assertThat(first(WEEK, berlin("2026-06-06T12:00:00"))).isEqualTo(2);
        assertThat(first("sat 00:00=2, mon 08:00=8", berlin("2026-06-08T07:59:00")))
                .isEqualTo(2);
    }

    @Test
    void aShareIsOfTheMaximumAndRoundedUp() throws InvalidConfigurationException {
        assertThat(desire(Map.of("times", "00:00=25%"), Instant.EPOCH).values()).containsExactly(3, 4);
        assertThat(desire(Map.of("times", "00:00 = 100 %"), Instant.EPOCH).values())
                .containsExactly(10, 6);
    }

    @Test
    void aNumberOfTasksIsCutToTheBoundsOfTheVertex() throws InvalidConfigurationException {
        assertThat(desire(Map.of("times", "00:00=2"), Instant.EPOCH).values()).containsExactly(2, 4);
        assertThat(desire(Map.of("times", "00:00=9"), Instant.EPOCH).values()).containsExactly(9, 6);
    }

    @Test
    void aVertexMayHaveEntriesOfItsOwn() throws InvalidConfigurationException {
        Map<String, String> times = Map.of("times", WEEK, "vertex.vertex-1.times", "12:00=6, 13:00=5");
        RecordedParallelism noon = desire(times, berlin("2026-06-01T12:15:00"));
        assertThat(noon.values()).containsExactly(8, 6);
        assertThat(noon.reviewMillis()).hasValue(Duration.ofMinutes(45).toMillis());
    }

    @Test
    void aVertexWithoutEntriesHasWhatTheJobRequests() throws InvalidConfigurationException {
        RecordedParallelism result = desire(Map.of("vertex.vertex-0.times", "00:00=7"), Instant.EPOCH);
        assertThat(result.values()).containsExactly(7, 5);
        assertThat(desire(Map.of(), Instant.EPOCH).values()).containsExactly(2, 5);
        assertThat(desire(Map.of(), Instant.EPOCH).reviewMillis()).isEmpty();
    }

    @Test
    void asksToBeCalledAtTheNextEntryAndAfterADayAtTheLatest() throws InvalidConfigurationException {
        assertThat(desire(Map.of("times", WEEK), berlin("2026-06-01T07:00:00")).reviewMillis())
                .hasValue(Duration.ofHours(1).toMillis());
        assertThat(desire(Map.of("times", WEEK), berlin("2026-06-06T00:00:00")).reviewMillis())
                .hasValue(Duration.ofDays(1).toMillis());
        assertThat(desire(Map.of("times", "mon 08:00=8"), berlin("2026-06-01T08:00:00"))
                        .reviewMillis())
                .hasValue(Duration.ofDays(1).toMillis());
    }

    @Test
    void saysWhichEntryAppliesAndWhichIsNext() throws InvalidConfigurationException {
        assertThat(desire(Map.of("times", WEEK), berlin("2026-06-01T09:00:00")).reason())
                .isEqualTo("since Mon 08:00 the entry 'mon-fri 08:00=8' applies; next on Mon 20:00, Europe/Berlin:"
                        + " 'mon-fri 20:00=3'");
    }

    @Test
    void timesThatADaySkipsApplyInTheirOrderWhenClocksGoForward() throws InvalidConfigurationException {
        // In Berlin, 2026-03-29 has no time from 02:00 to 03:00.
        String times = "01:30=1, 02:00=2, 02:30=3, 03:00=4, 03:30=5";
        Instant change = Instant.parse("2026-03-29T01:00:00Z");
        assertThat(first(times, change.minusMillis(1))).isEqualTo(1);
        assertThat(first(times, change)).isEqualTo(4);
        assertThat(first(times, change.plus(Duration.ofMinutes(30)))).isEqualTo(5);
        // Without an entry at 03:00, the last one that was skipped applies.
        assertThat(first("01:30=1, 02:00=2, 02:30=3, 05:00=5", change)).isEqualTo(3);
        assertThat(desire(Map.of("times", "01:30=1, 02:30=3"), change.minus(Duration.ofMinutes(30)))
                        .reviewMillis())
                .hasValue(Duration.ofMinutes(30).toMillis());
    }

    @Test
    void timesThatADayHasTwiceApplyOnceWhenClocksGoBack() throws InvalidConfigurationException {
        // In Berlin, 2026-10-25 has the time from 02:00 to 03:00 twice.
        String times = "01:00=1, 02:15=2, 02:45=3, 03:00=4";
        Instant two = Instant.parse("2026-10-25T00:00:00Z");
        assertThat(first(times, two.plus(Duration.ofMinutes(14)))).isEqualTo(1);
        assertThat(first(times, two.plus(Duration.ofMinutes(15)))).isEqualTo(2);
        assertThat(first(times, two.plus(Duration.ofMinutes(45)))).isEqualTo(3);
        assertThat(first(times, two.plus(Duration.ofMinutes(75)))).isEqualTo(3);
        assertThat(first(times, two.plus(Duration.ofMinutes(119)))).isEqualTo(3);
        assertThat(first(times, two.plus(Duration.ofMinutes(120)))).isEqualTo(4);
        assertThat(desire(Map.of("times", times), two.plus(Duration.ofMinutes(50)))
                        .reviewMillis())
                .hasValue(Duration.ofMinutes(70).toMillis());
    }

    @Test
    void theHourOfADayIsTheSameBeforeAndAfterBothChanges() throws InvalidConfigurationException {
        for (String day :
                new String[] {"2026-03-28", "2026-03-29", "2026-03-30", "2026-10-24", "2026-10-25", "2026-10-26"}) {
            assertThat(first("08:00=8, 20:00=3", berlin(day + "T07:59:59")))
                    .as(day)
                    .isEqualTo(3);
            assertThat(first("08:00=8, 20:00=3", berlin(day + "T08:00:00")))
                    .as(day)
                    .isEqualTo(8);
        }
    }

    @Test
    void aZoneWithoutDaylightSavingHasTheSameHoursAllYear() throws InvalidConfigurationException {
        Map<String, String> tokyo = Map.of("times", "08:00=8, 20:00=3", "zone", "Asia/Tokyo");
        for (int day = 0; day < 365; day++) {
            Instant eight = Instant.parse("2026-01-01T23:00:00Z").plus(Duration.ofDays(day));
            assertThat(desire(tokyo, eight).values()[0]).isEqualTo(8);
            assertThat(desire(tokyo, eight.minusMillis(1)).values()[0]).isEqualTo(3);
            assertThat(desire(tokyo, eight).reviewMillis())
                    .hasValue(Duration.ofHours(12).toMillis());
        }
    }

    @Test
    void theZoneOfTheControlPlaneCountsUnlessOneIsConfigured() throws InvalidConfigurationException {
        job.wallTime(Instant.parse("2026-06-01T06:30:00Z").toEpochMilli());
        Map<String, String> times = new TreeMap<>(Map.of("times", "08:00=8, 20:00=3"));
        RecordedParallelism berlin = new RecordedParallelism(job);
        session(job, times, BERLIN).desire(berlin);
        assertThat(berlin.values()[0]).isEqualTo(8);
        times.put("zone", "UTC");
        RecordedParallelism utc = new RecordedParallelism(job);
        session(job, times, BERLIN).desire(utc);
        assertThat(utc.values()[0]).isEqualTo(3);
    }

    /** Each review a millisecond before, at and after its time: none is missed, and none is asked for in the past. */
    @Test
    void followsEachEntryOfAYearByItsReviewsAlone() throws InvalidConfigurationException {
        Map<String, String> times = Map.of("times", "02:30=3, mon-fri 08:00=8, sun 02:00=1, 23:59=2");
        Instant end = Instant.parse("2027-01-01T00:00:00Z");
        int reviews = 0;
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        while (now.isBefore(end)) {
            RecordedParallelism before = desire(times, now);
            Instant next = now.plusMillis(before.reviewMillis().orElseThrow());
            assertThat(desire(times, next.minusMillis(1)).values()).isEqualTo(before.values());
            now = next;
            reviews++;
        }
        // 365 days with two entries, 261 working days and 52 Sundays; on one of them two entries apply at once.
        assertThat(reviews).isBetween(2 * 365 + 261 + 50, 2 * 365 + 261 + 53);
    }

    @Test
    void acceptsAChangeForWhichThereAreSlots() throws InvalidConfigurationException {
        job.current(0, 3).current(1, 4).wallTime(berlin("2026-06-01T08:00:00").toEpochMilli());
        ScalingSession session = session(job, Map.of("times", WEEK), BERLIN);
        session.desire(new RecordedParallelism(job));
        Judgement whole = new Judgement();
        session.judge(Judgement.change(8, 6), whole);
        assertThat(whole.accepted()).isTrue();
        Judgement part = new Judgement();
        session.judge(Judgement.change(4, 4), part);
        assertThat(part.accepted()).isFalse();
        assertThat(part.reviewMillis()).hasValue(Duration.ofMinutes(5).toMillis());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "8",
                "08:00",
                "24:00=1",
                "08:60=1",
                "08:00=0",
                "08:00=101%",
                "08:00=40000",
                "mo 08:00=1",
                "mon-xyz 08:00=1",
                "daily-fri 08:00=1",
                "monday 08:00=1",
                "08:00=-1",
                "08:00=1.5"
            })
    void anInvalidEntryIsRefusedByItsText(String item) {
        assertThatThrownBy(() -> session(job, Map.of("times", "06:00=1, " + item), BERLIN))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageStartingWith("times: '" + item + "' is not an entry: allowed are ");
    }

    @Test
    void twoEntriesOfOneTimeAreRefused() {
        assertThatThrownBy(() -> session(job, Map.of("vertex.count.times", "fri-mon 08:00=4, sat-sun 08:00=2"), BERLIN))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage("vertex.count.times: 'sat-sun 08:00=2' is at the same time as 'fri-mon 08:00=4': one entry"
                        + " for each time is allowed");
    }

    @Test
    void anUnknownZoneIsRefused() {
        assertThatThrownBy(() -> session(job, Map.of("zone", "Europe/Bärlin"), BERLIN))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("zone is 'Europe/Bärlin'");
    }
}

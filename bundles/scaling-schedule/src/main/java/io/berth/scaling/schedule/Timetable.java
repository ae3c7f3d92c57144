package io.berth.scaling.schedule;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Entries that repeat each week, in a time zone. Each applies from its time until the next one. A time that a day skips,
 * because clocks go forward, is the moment when they do; of a time that a day has twice, because they go back, the first
 * counts. So entries apply in their order on every day. Immutable.
 */
final class Timetable {

    /** Dates to look at until each entry has had its day, also where a zone skips a date. */
    private static final int DAYS = 9;

    private static final Pattern ITEM = Pattern.compile(
            "(?:([a-z]{3,5})(?:-([a-z]{3}))?\\s+)?([0-9]{1,2}):([0-9]{2})\\s*=\\s*([0-9]{1,5})\\s*(%?)");
    private static final List<String> NAMES = List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");

    /** Either a number of tasks, or a share of the maximum. */
    record Value(int amount, boolean percent) {

        /** The number of tasks, for a vertex with this maximum; a share is rounded up. */
        long of(int maximum) {
            return percent ? ((long) maximum * amount + 99) / 100 : amount;
        }
    }

    /** @param text as it was written */
    record Entry(Set<DayOfWeek> days, LocalTime time, Value value, String text) {}

    /** An entry that applies, from a moment on. */
    record Occurrence(Instant from, Entry entry) {}

    private final ZoneId zone;
    /** By time of day, the earliest first. */
    private final List<Entry> entries;

    private Timetable(ZoneId zone, List<Entry> entries) {
        this.zone = zone;
        this.entries = entries;
    }

    /** @throws IllegalArgumentException which names the item and what is allowed */
    static Timetable of(List<String> items, ZoneId zone) {
        List<Entry> entries = new ArrayList<>();
        for (String item : items) {
            Entry entry = entry(item);
            for (Entry other : entries) {
                if (other.time().equals(entry.time()) && other.days().stream().anyMatch(entry.days()::contains)) {
                    throw new IllegalArgumentException("'" + item + "' is at the same time as '" + other.text()
                            + "': one entry for each time is allowed");
                }
            }
            entries.add(entry);
        }
        entries.sort(Comparator.comparing(Entry::time));
        return new Timetable(zone, List.copyOf(entries));
    }

    private static Entry entry(String item) {
        Matcher matcher = ITEM.matcher(item.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw invalid(item);
        }
        int hour = Integer.parseInt(matcher.group(3));
        int minute = Integer.parseInt(matcher.group(4));
        int amount = Integer.parseInt(matcher.group(5));
        boolean percent = !matcher.group(6).isEmpty();
        if (hour > 23 || minute > 59 || amount < 1 || amount > (percent ? 100 : 32_768)) {
            throw invalid(item);
        }
        return new Entry(
                days(item, Optional.ofNullable(matcher.group(1)), Optional.ofNullable(matcher.group(2))),
                LocalTime.of(hour, minute),
                new Value(amount, percent),
                item);
    }

    private static Set<DayOfWeek> days(String item, Optional<String> first, Optional<String> last) {
        if (last.isEmpty() && (first.isEmpty() || first.get().equals("daily"))) {
            return EnumSet.allOf(DayOfWeek.class);
        }
        int from = NAMES.indexOf(first.orElseThrow());
        int to = NAMES.indexOf(last.orElse(first.orElseThrow()));
        if (from < 0 || to < 0) {
            throw invalid(item);
        }
        Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
        for (int day = from; day != to; day = (day + 1) % NAMES.size()) {
            days.add(DayOfWeek.of(day + 1));
        }
        days.add(DayOfWeek.of(to + 1));
        return days;
    }

    private static IllegalArgumentException invalid(String item) {
        return new IllegalArgumentException(
                "'" + item + "' is not an entry: allowed are days, a time and tasks, such as"
                        + " 'mon-fri 08:00=8', 'sat 00:00=2', 'daily 22:30=25%' or '06:00=4', with 1 to 32768 tasks, or 1 % to"
                        + " 100 % of the maximum");
    }

    ZoneId zone() {
        return zone;
    }

    /** The entry that applies at this moment; empty without entries. */
    Optional<Occurrence> at(Instant now) {
        LocalDate date = now.atZone(zone).toLocalDate();
        for (int back = 0; back < DAYS; back++) {
            LocalDate day = date.minusDays(back);
            for (int index = entries.size() - 1; index >= 0; index--) {
                Entry entry = entries.get(index);
                if (entry.days().contains(day.getDayOfWeek())) {
                    Instant from = moment(day, entry.time());
                    if (!from.isAfter(now)) {
                        return Optional.of(new Occurrence(from, entry));
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** The next moment at which an entry begins to apply; empty without entries. */
    Optional<Occurrence> after(Instant now) {
        LocalDate date = now.atZone(zone).toLocalDate();
        for (int ahead = 0; ahead < DAYS; ahead++) {
            LocalDate day = date.plusDays(ahead);
            for (Entry entry : entries) {
                if (entry.days().contains(day.getDayOfWeek())) {
                    Instant from = moment(day, entry.time());
                    if (from.isAfter(now)) {
                        return Optional.of(new Occurrence(from, entry));
                    }
                }
            }
        }
        return Optional.empty();
    }

    private Instant moment(LocalDate day, LocalTime time) {
        ZoneOffsetTransition transition = zone.getRules().getTransition(day.atTime(time));
        return transition != null && transition.isGap()
                ? transition.getInstant()
                : ZonedDateTime.of(day, time, zone).toInstant();
    }
}

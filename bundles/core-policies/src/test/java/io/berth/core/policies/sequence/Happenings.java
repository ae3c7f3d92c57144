package io.berth.core.policies.sequence;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the played policies of one sequence did. */
final class Happenings {

    /** How a call ended: an {@link Play.Act}, or {@code HUNG}. */
    record Event(
            long id,
            String what,
            String owner,
            String outcome,
            long instance,
            SortedMap<String, String> configuration,
            Answer answer) {

        boolean bad() {
            return !outcome.equals("GOOD");
        }
    }

    private final List<Event> events = new ArrayList<>();
    private final List<Actor.Instance> instances = new ArrayList<>();
    /** The configuration of the last create call. */
    SortedMap<String, String> configuration = new TreeMap<>();

    void add(Event event) {
        events.add(event);
    }

    /** Records that the host abandoned a call. */
    void expired(World.Frame frame) {
        instance(frame.instance).ifPresent(instance -> instance.hung = true);
        events.add(new Event(frame.id, frame.what, frame.owner, "HUNG", frame.instance, new TreeMap<>(), frame.answer));
    }

    List<Event> events() {
        return events;
    }

    long created(Actor.Instance instance) {
        instances.add(instance);
        return instances.size();
    }

    Optional<Actor.Instance> instance(long number) {
        return number == 0 ? Optional.empty() : Optional.of(instances.get((int) number - 1));
    }

    List<Actor.Instance> instances() {
        return instances;
    }
}

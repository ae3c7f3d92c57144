package io.berth.simulator.network;

import io.berth.core.rpc.InProcessRpc;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All kinds of messages: request and answer of each method of each gateway, in the order of the gateways. Requests
 * have even numbers, answers odd ones.
 */
public final class MessageKinds {

    /** The lookup of a name; the only message that is not for a certain holder of it. */
    static final String RESOLVE = "Directory/Resolve";

    /**
     * A message and its answer whose cells have no meaning.
     *
     * @param message service and method
     */
    public record Meaningless(String message, String reason) {}

    /** Messages to which no operator can be applied. */
    public static final List<Meaningless> MEANINGLESS = List.of(new Meaningless(
            "Dispatcher/ReadBundle",
            "simulated jobs have no bundles, so it is never sent; a read changes nothing, however often it comes"));

    private static final SortedMap<String, String> FAULTS = faults();

    private final List<String> names = new ArrayList<>();
    private final SortedMap<String, Integer> requests = new TreeMap<>();
    private final List<Boolean> heartbeats = new ArrayList<>();

    public MessageKinds() {
        for (String method : InProcessRpc.methods()) {
            requests.put(method, names.size());
            names.add(method);
            names.add(method + " answer");
            heartbeats.add(method.contains("Heartbeat"));
            heartbeats.add(method.contains("Heartbeat"));
        }
    }

    private static SortedMap<String, String> faults() {
        SortedMap<String, String> faults = new TreeMap<>();
        faults.put("ResourceManager/RegisterJobMaster", "F01");
        faults.put("ResourceManager/DeclareRequirements", "F02");
        faults.put("ResourceManager/DisconnectJobMaster", "F03");
        faults.put("ResourceManager/RegisterWorker", "F04");
        faults.put("TaskExecutor/RequestSlots", "F05");
        faults.put("TaskExecutor/RequestSlots answer", "F06");
        faults.put("JobMaster/OfferSlots", "F07");
        faults.put("JobMaster/OfferSlots answer", "F08");
        faults.put("TaskExecutor/FreeSlots", "F09");
        faults.put("JobMaster/NotEnoughResources", "F10");
        for (String notice : List.of(
                "TaskExecutor/DisconnectJobMaster",
                "TaskExecutor/DisconnectResourceManager",
                "JobMaster/DisconnectResourceManager",
                "JobMaster/DisconnectWorker",
                "ResourceManager/DisconnectWorker")) {
            faults.put(notice, "F12");
        }
        return Collections.unmodifiableSortedMap(faults);
    }

    public int count() {
        return names.size();
    }

    String name(int kind) {
        return names.get(kind);
    }

    /** Service and method of a request or its answer. */
    public String message(int kind) {
        return names.get(kind - kind % 2);
    }

    /** The protocol fault that the operators cause with this kind, such as F05; empty when it has no number. */
    Optional<String> fault(int kind) {
        if (isHeartbeat(kind)) {
            return Optional.of("F11");
        }
        return Optional.ofNullable(FAULTS.get(names.get(kind)));
    }

    /** Why no operator has a meaning for this kind; empty when operators have. */
    public Optional<String> meaningless(int kind) {
        String message = message(kind);
        return MEANINGLESS.stream()
                .filter(cell -> cell.message().equals(message))
                .map(Meaningless::reason)
                .findFirst();
    }

    /** Most messages are heartbeats. What applies to all other messages says so. */
    boolean isHeartbeat(int kind) {
        return heartbeats.get(kind);
    }

    /** The kind of a request. The kind of its answer is the next one. */
    int request(String method) {
        return Objects.requireNonNull(requests.get(method));
    }

    /** The kind with this name, for example {@code TaskExecutor/RequestSlots answer}. */
    public int named(String name) {
        int kind = names.indexOf(name);
        if (kind < 0) {
            throw new IllegalArgumentException("message kind '" + name + "': allowed are " + names);
        }
        return kind;
    }
}

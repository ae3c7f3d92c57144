package io.berth.simulator;

import io.berth.core.rpc.CarriedRpc;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All kinds of messages there are: of each method of each gateway the request and the answer. In the order of the
 * gateways, requests even, answers odd.
 */
final class MessageKinds {

    /** The question who serves a name; the only one that is for no certain holder of it. */
    static final String RESOLVE = "Directory/Resolve";

    private final List<String> names = new ArrayList<>();
    private final SortedMap<String, Integer> requests = new TreeMap<>();
    private final List<Boolean> heartbeats = new ArrayList<>();

    MessageKinds() {
        for (String method : CarriedRpc.methods()) {
            requests.put(method, names.size());
            names.add(method);
            names.add(method + " answer");
            heartbeats.add(method.contains("Heartbeat"));
            heartbeats.add(method.contains("Heartbeat"));
        }
    }

    int count() {
        return names.size();
    }

    String name(int kind) {
        return names.get(kind);
    }

    /** Most messages are heartbeats; what concerns all others says so. */
    boolean isHeartbeat(int kind) {
        return heartbeats.get(kind);
    }

    int request(String method) {
        return requests.get(method);
    }

    int answer(String method) {
        return requests.get(method) + 1;
    }

    /** The kind of that name, for example {@code TaskExecutor/RequestSlots answer}. */
    int named(String name) {
        int kind = names.indexOf(name);
        if (kind < 0) {
            throw new IllegalArgumentException("message kind '" + name + "': allowed are " + names);
        }
        return kind;
    }
}

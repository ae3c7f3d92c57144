package io.berth.simulator.world;

import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.RoleDirectory;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.simulator.time.Incarnation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What one process knows about leaders. It learns changes late, but never goes back to an older epoch. */
final class Directory implements RoleDirectory {

    private record Known(long epoch, RpcAddress address) {}

    private record Follower(EndpointName role, Runnable changed) {}

    private final Incarnation process;
    private final SortedMap<EndpointName, Known> known = new TreeMap<>();
    private final List<Follower> followers = new ArrayList<>();

    Directory(Incarnation process) {
        this.process = process;
    }

    Incarnation process() {
        return process;
    }

    void changed(EndpointName role, long epoch, RpcAddress address) {
        Known before = known.get(role);
        if (before == null || before.epoch() < epoch) {
            known.put(role, new Known(epoch, address));
            for (Follower follower : List.copyOf(followers)) {
                if (follower.role().equals(role)) {
                    follower.changed().run();
                }
            }
        }
    }

    @Override
    public Optional<RpcAddress> find(EndpointName role) {
        return Optional.ofNullable(known.get(role)).map(Known::address);
    }

    @Override
    public AutoCloseable follow(EndpointName role, Runnable changed) {
        Follower follower = new Follower(role, changed);
        followers.add(follower);
        return () -> followers.removeIf(other -> other == follower);
    }
}

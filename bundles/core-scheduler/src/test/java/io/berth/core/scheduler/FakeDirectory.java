package io.berth.core.scheduler;

import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.RoleDirectory;
import io.berth.core.api.rpc.RpcAddress;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Finds all roles at one address; the test decides whether there is a leader and when it changes. */
public final class FakeDirectory implements RoleDirectory {

    private final RpcAddress address;
    private final Set<Runnable> followers = ConcurrentHashMap.newKeySet();
    public volatile boolean empty;

    FakeDirectory(RpcAddress address) {
        this.address = address;
    }

    @Override
    public Optional<RpcAddress> find(EndpointName role) {
        return empty ? Optional.empty() : Optional.of(address);
    }

    @Override
    public AutoCloseable follow(EndpointName role, Runnable changed) {
        Runnable follower = changed::run;
        followers.add(follower);
        return () -> followers.remove(follower);
    }

    public int followers() {
        return followers.size();
    }

    /** Notifies all followers of a change of the leader. */
    public void change() {
        followers.forEach(Runnable::run);
    }
}

package io.berth.core.rpc.component;

import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.RoleDirectory;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.spi.ha.LeaderElection;
import io.berth.spi.ha.LeaderElection.Leader;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the addresses of the roles: the configured ones, or else those of the elected leaders. It is part of the
 * transport because every process of the control plane has the transport, and every role needs the addresses of the
 * others.
 */
@Component(service = RoleDirectory.class, immediate = true, configurationPid = "io.berth.core.rpc")
public final class RoleDirectoryComponent implements RoleDirectory {

    private static final Logger LOG = LoggerFactory.getLogger(RoleDirectoryComponent.class);
    static final List<EndpointName> ROLES =
            List.of(EndpointName.DISPATCHER, EndpointName.RESOURCE_MANAGER, EndpointName.JOB_MASTERS);

    private record Follower(EndpointName role, Runnable changed) {}

    private final SortedMap<EndpointName, RpcAddress> fixed = new TreeMap<>();
    private final SortedMap<EndpointName, RpcAddress> elected = new TreeMap<>();
    private final List<Follower> followers = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> following = new ArrayList<>();

    @Activate
    public RoleDirectoryComponent(RpcComponent.Settings settings, @Reference LeaderElection election) {
        fixed.putAll(fixed(settings));
        for (EndpointName role : ROLES) {
            following.add(election.follow(role.value(), leader -> elected(role, leader)));
        }
    }

    private static SortedMap<EndpointName, RpcAddress> fixed(RpcComponent.Settings settings) {
        SortedMap<EndpointName, RpcAddress> addresses = new TreeMap<>();
        put(addresses, EndpointName.DISPATCHER, "dispatcher.address", settings.dispatcher_address());
        put(addresses, EndpointName.RESOURCE_MANAGER, "resource.manager.address", settings.resource_manager_address());
        put(addresses, EndpointName.JOB_MASTERS, "job.masters.address", settings.job_masters_address());
        return addresses;
    }

    private static void put(SortedMap<EndpointName, RpcAddress> addresses, EndpointName role, String key, String text) {
        if (!text.isBlank()) {
            try {
                addresses.put(role, RpcAddress.parse(text.strip()));
            } catch (IllegalArgumentException invalid) {
                throw new IllegalArgumentException(key + ": " + invalid.getMessage(), invalid);
            }
        }
    }

    @Modified
    void modified(RpcComponent.Settings settings) {
        SortedMap<EndpointName, RpcAddress> newer;
        try {
            newer = fixed(settings);
        } catch (IllegalArgumentException invalid) {
            LOG.error("io.berth.core.rpc: {}; the addresses of roles are unchanged", invalid.getMessage());
            return;
        }
        List<EndpointName> changed;
        synchronized (this) {
            changed = ROLES.stream()
                    .filter(role -> !Objects.equals(fixed.get(role), newer.get(role)))
                    .toList();
            fixed.clear();
            fixed.putAll(newer);
        }
        changed.forEach(this::notifyFollowers);
    }

    private void elected(EndpointName role, Optional<Leader> leader) {
        Optional<RpcAddress> address = leader.flatMap(RoleDirectoryComponent::address);
        synchronized (this) {
            address.ifPresentOrElse(at -> elected.put(role, at), () -> elected.remove(role));
        }
        LOG.info(
                "Role {}: {}",
                role,
                leader.map(known -> "served at " + known.address() + " in epoch " + known.epoch())
                        .orElse("no leader is known"));
        notifyFollowers(role);
    }

    private static Optional<RpcAddress> address(Leader leader) {
        try {
            return Optional.of(RpcAddress.parse(leader.address()));
        } catch (IllegalArgumentException invalid) {
            LOG.warn("Role {}: its leader cannot be reached: {}", leader.role(), invalid.getMessage());
            return Optional.empty();
        }
    }

    private void notifyFollowers(EndpointName role) {
        for (Follower follower : followers) {
            if (follower.role().equals(role)) {
                follower.changed().run();
            }
        }
    }

    @Override
    public synchronized Optional<RpcAddress> find(EndpointName role) {
        check(role);
        return Optional.ofNullable(fixed.get(role)).or(() -> Optional.ofNullable(elected.get(role)));
    }

    @Override
    public AutoCloseable follow(EndpointName role, Runnable changed) {
        check(role);
        Follower follower = new Follower(role, changed);
        followers.add(follower);
        return () -> followers.removeIf(each -> each == follower);
    }

    private static void check(EndpointName role) {
        if (!ROLES.contains(role)) {
            throw new IllegalArgumentException("role '" + role + "': allowed are " + ROLES);
        }
    }

    @Deactivate
    void deactivate() {
        for (AutoCloseable each : following) {
            try {
                each.close();
            } catch (Exception failure) {
                LOG.warn("the subscription to the leader election could not be closed", failure);
            }
        }
    }
}

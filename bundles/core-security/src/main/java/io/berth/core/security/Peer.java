package io.berth.core.security;

import io.berth.core.api.rpc.PeerRole;
import java.net.URI;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A process of a cluster, as its certificate names it: by a URI {@code spiffe://CLUSTER/ROLE/NAME} for each of its roles
 * among the alternative names of the subject (SPIFFE ID).
 *
 * @param cluster name of the cluster, 1 to 63 small letters, digits and hyphens
 * @param roles at least one
 * @param name of the process, unique among those of its roles in the cluster; for a worker, its id
 */
public record Peer(String cluster, Set<PeerRole> roles, String name) {

    private static final String SCHEME = "spiffe";
    private static final int URI_NAME = 6;
    private static final Pattern CLUSTER = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,119}");

    public Peer {
        if (!CLUSTER.matcher(cluster).matches()) {
            throw new IllegalArgumentException("cluster '" + cluster
                    + "': allowed are 1 to 63 small letters, digits and hyphens, with no hyphen at the ends");
        }
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "name '" + name + "': allowed are 1 to 120 letters, digits, dots, underscores and hyphens");
        }
        if (roles.isEmpty()) {
            throw new IllegalArgumentException("roles: at least one of " + PeerRole.allowed() + " is needed");
        }
        roles = Set.copyOf(roles);
    }

    /** The URIs of its certificate, one for each role. */
    public List<String> uris() {
        return EnumSet.copyOf(roles).stream()
                .map(role -> SCHEME + "://" + cluster + "/" + role + "/" + name)
                .toList();
    }

    /**
     * The process that a certificate names.
     *
     * @throws IllegalArgumentException when it names none, or several; the message says what is allowed
     */
    public static Peer of(X509Certificate certificate) {
        return of(uris(certificate));
    }

    static Peer of(List<String> uris) {
        if (uris.isEmpty()) {
            throw new IllegalArgumentException("the certificate has no alternative name " + SCHEME
                    + "://CLUSTER/ROLE/NAME, with one of these roles: " + PeerRole.allowed());
        }
        List<Peer> named = uris.stream().map(Peer::parse).toList();
        Peer first = named.get(0);
        named.forEach(other -> {
            if (!other.cluster.equals(first.cluster) || !other.name.equals(first.name)) {
                throw new IllegalArgumentException("the certificate names two processes, " + first + " and " + other
                        + ": allowed are several roles of one");
            }
        });
        return new Peer(
                first.cluster,
                named.stream().map(Peer::roles).flatMap(Collection::stream).collect(Collectors.toSet()),
                first.name);
    }

    private static Peer parse(String text) {
        String allowed = "alternative name '" + text + "' of the certificate: allowed is " + SCHEME
                + "://CLUSTER/ROLE/NAME, with one of these roles: " + PeerRole.allowed();
        URI uri;
        try {
            uri = URI.create(text);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException(allowed, malformed);
        }
        String[] path =
                uri.getRawPath() == null ? new String[0] : uri.getRawPath().split("/", -1);
        if (!SCHEME.equals(uri.getScheme())
                || uri.getRawAuthority() == null
                || uri.getRawQuery() != null
                || uri.getRawFragment() != null
                || path.length != 3) {
            throw new IllegalArgumentException(allowed);
        }
        PeerRole role = PeerRole.of(path[1]).orElseThrow(() -> new IllegalArgumentException(allowed));
        try {
            return new Peer(uri.getRawAuthority(), Set.of(role), path[2]);
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(
                    "alternative name '" + text + "' of the certificate: " + invalid.getMessage(), invalid);
        }
    }

    private static List<String> uris(X509Certificate certificate) {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return names == null
                    ? List.of()
                    : names.stream()
                            .filter(name -> Integer.valueOf(URI_NAME).equals(name.get(0)))
                            .map(name -> (String) name.get(1))
                            .toList();
        } catch (CertificateParsingException malformed) {
            throw new IllegalArgumentException(
                    "the alternative names of the certificate cannot be read: " + malformed.getMessage(), malformed);
        }
    }

    /** Whether this process has one of the roles. */
    public boolean hasOneOf(Collection<PeerRole> wanted) {
        return wanted.stream().anyMatch(roles::contains);
    }

    /** For messages: {@code worker w-1 of cluster main}. */
    @Override
    public String toString() {
        return EnumSet.copyOf(roles).stream().map(PeerRole::toString).collect(Collectors.joining(" and ")) + " " + name
                + " of cluster " + cluster;
    }
}

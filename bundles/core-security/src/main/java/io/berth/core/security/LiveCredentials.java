package io.berth.core.security;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Timers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The current credentials of this process. The files are looked at once a second; when they changed and are valid, they are
 * used for each new connection, and those who keep connections open are told, so that they can end the ones whose peer is
 * no longer trusted. Files that are not valid change nothing. Thread-safe.
 */
public final class LiveCredentials implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LiveCredentials.class);
    private static final String JUDGED = Judged.class.getName();
    private static final long LOOK_MILLIS = 1_000;
    private static final long WARN_MILLIS = Duration.ofDays(14).toMillis();
    private static final long WARN_EVERY_MILLIS = Duration.ofHours(12).toMillis();

    private final CredentialFiles files;
    private final Timers timers;
    private final Clock clock;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final X509ExtendedKeyManager keys = new CurrentKey(this::current);
    private final X509ExtendedTrustManager trust = new CurrentTrust(this);

    private volatile Credentials current;
    private volatile boolean closed;
    /** Of the files that were read last, also if they were not valid. Used by the timer thread only, after the start. */
    private List<Stamp> stamps;

    private List<Stamp> lastInvalid = List.of();
    private long warnedMillis;

    /** By what a change of a file is noticed. */
    private record Stamp(long size, long modified, String key) {}

    private LiveCredentials(CredentialFiles files, Credentials first, List<Stamp> stamps, Timers timers, Clock clock) {
        this.files = files;
        this.current = first;
        this.stamps = stamps;
        this.timers = timers;
        this.clock = clock;
        this.warnedMillis = clock.millis() - WARN_EVERY_MILLIS;
    }

    /**
     * Reads the files, and looks at them from then on.
     *
     * @param timers for looking at the files, which may take the time of reading them
     * @throws CredentialException when they are not valid
     */
    public static LiveCredentials open(CredentialFiles files, Timers timers, Clock clock) throws CredentialException {
        List<Stamp> stamps = stamps(files);
        LiveCredentials live = new LiveCredentials(files, files.read(clock.wallMillis()), stamps, timers, clock);
        live.warnBeforeTheEnd();
        timers.schedule(LOOK_MILLIS, live::look);
        return live;
    }

    public Credentials current() {
        return current;
    }

    /** Shows the current certificate, to servers and to clients. */
    public X509ExtendedKeyManager keys() {
        return keys;
    }

    /** Trusts each process of the cluster, by its certificate and not by the name of its host. */
    public X509ExtendedTrustManager trust() {
        return trust;
    }

    /**
     * Who a peer is, as of now.
     *
     * @throws CertificateException when it does not belong to the cluster, or no longer does
     */
    public Peer judge(List<X509Certificate> chain) throws CertificateException {
        return current.judge(chain, clock.wallMillis());
    }

    /**
     * Who the peer of an open connection is. A certificate that was valid when the connection was set up may end while it is
     * open. Cheap when it was asked before and nothing has changed since.
     *
     * @throws CertificateException when it does not belong to the cluster, or is revoked since
     */
    public Peer peer(SSLSession session) throws CertificateException {
        Credentials now = current;
        if (session.getValue(JUDGED) instanceof Judged judged && judged.by == now) {
            return judged.peer;
        }
        List<X509Certificate> chain;
        try {
            chain = Arrays.stream(session.getPeerCertificates())
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (SSLPeerUnverifiedException none) {
            throw new CertificateException("the peer shows no certificate", none);
        }
        long end = chain.stream()
                .mapToLong(one -> one.getNotAfter().toInstant().toEpochMilli())
                .min()
                .orElseThrow();
        Peer peer = now.judge(chain, Math.min(clock.wallMillis(), end));
        session.putValue(JUDGED, new Judged(now, peer));
        return peer;
    }

    /**
     * Has {@code changed} called on a timer thread after each change; it must be short.
     *
     * @return ends that when it is closed
     */
    public Listening onChange(Runnable changed) {
        // An object of its own, so that the same action may be there twice.
        Runnable listener = () -> changed.run();
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Ends what {@link #onChange} began. */
    @FunctionalInterface
    public interface Listening extends AutoCloseable {
        @Override
        void close();
    }

    private void look() {
        if (closed) {
            return;
        }
        try {
            List<Stamp> now = stamps(files);
            if (!now.equals(stamps)) {
                read(now);
            }
            warnBeforeTheEnd();
        } finally {
            timers.schedule(LOOK_MILLIS, this::look);
        }
    }

    private void read(List<Stamp> now) {
        Credentials read;
        try {
            read = files.read(clock.wallMillis());
            files.requireNoOlderLists(current, read);
        } catch (CredentialException invalid) {
            // Files that are being replaced do not match each other for a moment, so the next look decides.
            if (now.equals(lastInvalid)) {
                stamps = now;
                LOG.error("{}; the certificate until {} stays in use", invalid.getMessage(), current.validUntil());
            }
            lastInvalid = now;
            return;
        }
        if (!read.self().equals(current.self())) {
            stamps = now;
            LOG.error(
                    "{} is the certificate of {}, and this process is {}: another identity needs a restart",
                    files.folder().resolve(CredentialFiles.CERTIFICATE),
                    read.self(),
                    current.self());
            return;
        }
        stamps = now;
        current = read;
        LOG.info("the certificates of {} changed: valid until {}", files.folder(), read.validUntil());
        for (Runnable listener : listeners) {
            try {
                listener.run();
            } catch (RuntimeException failure) {
                LOG.warn("certificates: a part of this process could not follow the change", failure);
            }
        }
    }

    private void warnBeforeTheEnd() {
        Instant end = current.validUntil();
        long left = end.toEpochMilli() - clock.wallMillis();
        if (left <= WARN_MILLIS && clock.millis() - warnedMillis >= WARN_EVERY_MILLIS) {
            warnedMillis = clock.millis();
            LOG.warn(
                    "the certificate of this process, {}, ends at {}: replace it and its key, no restart is needed",
                    files.folder().resolve(CredentialFiles.CERTIFICATE),
                    end);
        }
    }

    private static List<Stamp> stamps(CredentialFiles files) {
        return files.all().stream().map(LiveCredentials::stamp).toList();
    }

    private static Stamp stamp(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new Stamp(
                    attributes.size(), attributes.lastModifiedTime().toMillis(), String.valueOf(attributes.fileKey()));
        } catch (IOException missing) {
            return new Stamp(-1, -1, "");
        }
    }

    /** Stops looking at the files. */
    @Override
    public void close() {
        closed = true;
        listeners.clear();
    }

    /** What was judged of the peer of a session, kept with the session. */
    private record Judged(Credentials by, Peer peer) {}
}

package io.berth.itests.faulty;

import java.util.Collection;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;

/**
 * What a faulty bundle reads from the headers of its bundle, and what it shares with the test: a map of JDK classes only, so
 * that the test holds nothing of the faulty bundle.
 */
final class FaultyCode {

    final BundleContext context;
    final String kind;
    final String name;
    final String deed;
    /** The call in which it misbehaves. */
    final String at;

    final ConcurrentMap<String, Object> shared;

    @SuppressWarnings("unchecked") // The tests that register it store it as this type.
    FaultyCode(BundleContext context) {
        this.context = context;
        this.kind = header("Faulty-Kind");
        this.name = header("Faulty-Name");
        this.deed = header("Faulty-Deed");
        this.at = header("Faulty-At");
        this.shared = service(ConcurrentMap.class, "(faulty=shared)");
    }

    private String header(String key) {
        String value = context.getBundle().getHeaders().get(key);
        return value == null ? "" : value;
    }

    /** The policy that decides when this one behaves well. */
    <T> T model(Class<T> type, String policy) {
        return service(type, "(io.berth.policy.name=" + policy + ")");
    }

    <T> T service(Class<T> type, String filter) {
        try {
            Collection<org.osgi.framework.ServiceReference<T>> found = context.getServiceReferences(type, filter);
            return context.getService(found.iterator().next());
        } catch (InvalidSyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** A call of the host: counted, and the place of the fault if it is the configured one. */
    void called(String call) {
        ((AtomicInteger) shared.computeIfAbsent(key(call), absent -> new AtomicInteger())).incrementAndGet();
        if (call.equals(at)) {
            Deeds.act(this);
        }
    }

    /** Its own key in the shared map. */
    String key(String what) {
        return kind + "." + name + "." + what;
    }

    boolean does(String call, String what) {
        return call.equals(at) && what.equals(deed);
    }

    /** Ends a hang that nothing else ends. */
    CountDownLatch mercy() {
        return (CountDownLatch) shared.computeIfAbsent("mercy", absent -> new CountDownLatch(1));
    }
}

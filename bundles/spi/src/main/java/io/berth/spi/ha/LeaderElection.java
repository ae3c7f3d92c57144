package io.berth.spi.ha;

import java.util.Optional;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ConsumerType;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Elects, for each role, one leader among all processes of the cluster. A bundle that implements it publishes it as an
 * OSGi service; Berth's roles call it.
 *
 * <p>Guarantees: at most one contender of a role is granted it at a time, as far as the means of the implementation can
 * tell; who is granted it later has the greater epoch, also when the host or all processes started again in between. A
 * leader that stands still and does not notice that it was followed by another is possible: the epoch, which each
 * message carries as fencing token, protects from it.
 *
 * <p>Names: a role is 1 to 64 characters, {@code [a-z0-9][a-z0-9-]*}; {@link IllegalArgumentException} for another.
 *
 * <p>Threads: both methods may be called on any thread and return at once, before anything is known. Their callbacks
 * come on threads of the implementation, for one contender or listener one after the other. Closing what they returned
 * may be done on any thread, again without effect, and is bounded: it waits for a callback that runs, unless it is
 * called from there; no callback begins after it returned.
 *
 * <p>Failures: when the election cannot be reached, contenders wait and nobody is told; a leader that cannot prove any
 * more that it leads is revoked. Implementations say why in their log and try again by themselves.
 */
@ConsumerType
public interface LeaderElection {

    /**
     * Competes for a role until closed. The contender is granted the role when it is its turn, may be revoked, and then
     * competes again. Grants and revocations come in turn, never two grants without a revocation between.
     *
     * @param address where the role is served while this contender leads, told to those that follow it; 1 to 500
     *     printable characters
     * @return closing it ends the contest, without a revocation: a contender that leads then gives the role up, and the
     *     next one is granted it as soon as that one is found. So end what the role runs first
     */
    AutoCloseable compete(String role, String address, Contender contender);

    /**
     * Follows who leads the role: the listener is told what is known as soon as it is, empty when nobody ever led or the
     * last leader gave the role up, and then each change. A leader whose process died stays known until the next one is
     * granted the role.
     *
     * @param listener returns soon: others wait for it
     */
    AutoCloseable follow(String role, Consumer<Optional<Leader>> listener);

    /**
     * Who would lead a role. Implemented by Berth. The methods may take seconds and may block: nobody else waits for
     * them, but the contender itself is not revoked, nor granted the role again, before they return.
     */
    @ProviderType
    interface Contender {

        /**
         * It leads from now on. When it throws, it does not lead: the role is given up without a revocation, and the
         * contender competes again a moment later.
         *
         * @param epoch greater than that of every leader of the role before, at least 1
         */
        void granted(long epoch);

        /**
         * It leads no more, and another one may lead already: it must stop to act for the role, and tell nobody. The
         * role is given up when this returns or throws.
         *
         * @param cause one line for people
         */
        void revoked(String cause);
    }

    /**
     * Who leads a role.
     *
     * @param epoch of its grant
     * @param address as the contender gave it
     */
    record Leader(String role, long epoch, String address) {

        public Leader {
            if (epoch < 1) {
                throw new IllegalArgumentException(
                        "epoch " + epoch + " of role " + role + ": allowed are epochs from 1");
            }
        }
    }
}

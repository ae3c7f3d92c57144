package io.berth.spi.ha;

import java.util.Optional;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ConsumerType;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Elects one leader for each role among all processes of the cluster. A bundle that implements it publishes it as an
 * OSGi service. The roles of Berth call it.
 *
 * <p>Guarantees: at most one contender of a role leads at a time, as far as the implementation can know. A later grant
 * has a greater epoch, even when the host or all processes restarted in between. A leader that was paused may not
 * notice that another one replaced it. The epoch, which each message carries as fencing token, protects against it.
 *
 * <p>Names: a role is 1 to 64 characters, {@code [a-z0-9][a-z0-9-]*}; other names cause an {@link
 * IllegalArgumentException}.
 *
 * <p>Threads: both methods may be called on any thread and return at once, before the outcome is known. Their
 * callbacks run on threads of the implementation, one at a time for each contender or listener. The returned object
 * may be closed on any thread; closing it twice has no effect. Closing is bounded: it waits for a callback that runs,
 * unless the callback itself closes it. After it returned, no callback starts.
 *
 * <p>Failures: when the election cannot be reached, contenders wait and receive no callback. A leader that can no
 * longer prove that it leads is revoked. Implementations log the reason and retry by themselves.
 */
@ConsumerType
public interface LeaderElection {

    /**
     * Competes for a role until closed. The contender leads when its turn comes, may be revoked, and then competes
     * again. Grants and revocations alternate: there are never two grants without a revocation between them.
     *
     * @param address where the role is served while this contender leads, published to those that follow the role; 1
     *     to 500 printable characters
     * @return close it to stop competing. There is no revocation: a contender that leads gives up the role, and the
     *     next one leads as soon as it is found. Therefore stop the work of the role first
     */
    AutoCloseable compete(String role, String address, Contender contender);

    /**
     * Follows the leadership of a role. The listener receives what is known as soon as it is known, then each change.
     * The value is empty when there was never a leader, or when the last leader gave up the role. A leader whose
     * process died remains known until the next one leads.
     *
     * @param listener must return soon, because others wait for it
     */
    AutoCloseable follow(String role, Consumer<Optional<Leader>> listener);

    /**
     * A process that wants to lead a role. Berth implements it. The methods may take seconds and may block: nobody
     * else waits for them. But until they return, this contender is neither revoked nor granted the role again.
     */
    @ProviderType
    interface Contender {

        /**
         * The contender leads from now on. If the method throws, the contender does not lead: it gives up the role
         * without a revocation, and competes again a moment later.
         *
         * @param epoch greater than that of every earlier leader of the role, at least 1
         */
        void granted(long epoch);

        /**
         * The contender no longer leads, and another one may already lead. It must stop to act for the role, without
         * messages to anybody. The role is given up when this method returns or throws.
         *
         * @param cause one line for people
         */
        void revoked(String cause);
    }

    /**
     * The leader of a role.
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

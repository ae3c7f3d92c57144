/**
 * Value types shared by every extension point of Berth, and the contract common to all policies.
 *
 * <p><b>What is registered.</b> A bundle registers a factory as a service; {@link io.berth.spi.Policy} declares it. The
 * host fetches the service, asks {@code describe} once, and tries the bundle's configuration out with {@code create}
 * before the policy may decide anything. The PID of a bundle's configuration is its symbolic name.
 *
 * <p><b>Who calls, on which thread.</b> The policy host alone, on threads that belong to the bundle, with the bundle's
 * class loader as context, never on a thread of the cluster and never under a lock. The calls into one instance, and
 * into what it opened, come one after another, each seeing what the ones before wrote; they may come on different
 * threads. Calls into different instances of one factory may run at the same time.
 *
 * <p><b>Deadlines.</b> Each call has one: 2 seconds for matching, distribution and scaling, 10 seconds for backends, 15
 * to close a backend, unless the operator configured others. Calls that the host makes in one go share one: {@code
 * create} and {@code open}; a {@code delta} and the {@code place} or {@code admit} right after it; the calls of one
 * scaling decision. A decision of matching, distribution or scaling that takes more than half of it is slow, which counts
 * as a failure below. A call that is late is interrupted once, given up on, and its instance is never called again; but
 * a backend is closed, and what was created or opened too late is closed as soon as it comes.
 *
 * <p><b>Failure.</b> Whatever is thrown, and a result that breaks a rule, is a failure: it is logged by name and text, no
 * exception object is kept, nothing of the result takes effect, and the next policy by choice, fallback and ranking
 * decides the same question at once. The result of a slow call takes effect. Three failures in a row, 8 among the last 30
 * calls (slow ones included) or one hang, unless configured otherwise, take a policy out of service until an operator
 * releases it, it is registered again or it is configured differently.
 *
 * <p><b>Allowed.</b> To read the views that were given, to keep indexes that can be rebuilt from them, to log. Time and
 * randomness come from {@link io.berth.spi.PolicyContext}, so that a decision can be replayed. Not allowed: to block, to
 * wait for a service of Berth (the call would wait for itself until its deadline), to use a view or a builder on another
 * thread or after the call it was given for. Late or foreign use of a builder is refused and counted as a failure.
 *
 * <p><b>Null</b> is never passed and must not be returned or handed to a builder: it is a failure.
 */
@Export
@Version("1.1.0")
package io.berth.spi;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

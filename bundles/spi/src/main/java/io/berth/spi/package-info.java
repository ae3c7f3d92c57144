/**
 * Value types that all extension points of Berth share, and the contract common to all policies.
 *
 * <p><b>Registration.</b> A bundle registers a factory as a service; {@link io.berth.spi.Policy} declares it. The host
 * fetches the service, calls {@code describe} once, and tests the bundle's configuration with {@code create} before
 * the policy may decide anything. The PID of a bundle's configuration is its symbolic name.
 *
 * <p><b>Callers and threads.</b> Only the policy host calls, on threads that belong to the bundle, with the bundle's
 * class loader as context class loader, never on a thread of the cluster and never under a lock. Calls to one
 * instance, and to what it opened, come one at a time. Each call sees what the earlier ones wrote. They may run on
 * different threads. Calls to different instances of one factory may run at the same time.
 *
 * <p><b>Deadlines.</b> Each call has a deadline: 2 seconds for matching, distribution and scaling, 10 seconds for
 * backends, 15 seconds to close a backend, unless the operator configured others. Calls that the host makes together
 * share one deadline: {@code create} and {@code open}; a {@code delta} and the {@code place} or {@code admit} right
 * after it; the calls of one scaling decision. A decision of matching, distribution or scaling that takes more than
 * half of its deadline is slow, which counts as a failure below. A call that misses its deadline is interrupted once
 * and given up, and its instance is never called again. A backend is closed nevertheless, and so is what was created
 * or opened too late, as soon as it arrives.
 *
 * <p><b>Failures.</b> Every exception, and every result that breaks a rule, is a failure. The host logs its type and
 * text, keeps no exception object, uses nothing of the result, and at once gives the same question to the next policy
 * by selection, fallback and ranking. The result of a slow call takes effect. Three failures in a row, 8 failures
 * among the last 30 calls (slow ones included) or one hang, unless configured otherwise, quarantine a policy until an
 * operator releases it, it is registered again, its configuration changes, or one owner tries it again with success. What
 * happens in one pool, or for one job, quarantines it for that one only; what happens in several, for all.
 *
 * <p><b>Allowed.</b> A policy may read the views that it receives, keep indexes that can be rebuilt from them, and
 * log. Time and randomness come from {@link io.berth.spi.PolicyContext}, so that a decision can be replayed. A policy
 * must not block, must not wait for a service of Berth (the call would wait for itself until its deadline), and must
 * not use a view or a builder on another thread or after its call. Use of a builder on another thread counts as a
 * failure. Late use, also by a call that was given up, has no effect.
 *
 * <p><b>Null</b> is never passed and must not be returned or given to a builder. A null counts as a failure.
 */
@Export
@Version("2.0.0")
@NullMarked
package io.berth.spi;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

package io.berth.core.api.rpc;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The roles that may call a method of a gateway from another process; each method names them. A worker may only speak for
 * itself: each worker that its arguments name, or that a record among them has as the component {@code worker}, must be
 * the one in its certificate.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface CalledBy {

    PeerRole[] value();
}

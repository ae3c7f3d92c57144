/**
 * The distribution policy {@code backfill}: order of submission, where later units start only if they do not delay the
 * ones to which room is promised. Calls to a session come one at a time, on threads of this bundle. It depends only on
 * the SPI.
 */
@NullMarked
package io.berth.distribution.backfill;

import org.jspecify.annotations.NullMarked;

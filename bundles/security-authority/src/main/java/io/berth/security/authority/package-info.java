/** A certificate authority of a cluster's own. */
@NullMarked
package io.berth.security.authority;

import org.jspecify.annotations.NullMarked;

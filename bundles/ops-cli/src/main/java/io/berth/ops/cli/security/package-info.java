/** Commands for the certificates of a cluster. */
@NullMarked
package io.berth.ops.cli.security;

import org.jspecify.annotations.NullMarked;

/**
 * The matching strategy {@code balanced}: workers are used evenly while there is slack, and filled one after the other
 * when it gets tight. Calls to a session come one at a time, on threads of this bundle. It depends only on the SPI.
 */
@NullMarked
package io.berth.matching.balanced;

import org.jspecify.annotations.NullMarked;

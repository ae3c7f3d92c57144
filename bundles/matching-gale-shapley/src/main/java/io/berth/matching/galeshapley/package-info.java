/**
 * The matching strategy {@code gale-shapley}: stable matching between what jobs prefer and what workers prefer (FLIP-138).
 * Calls to a session come one at a time, on threads of this bundle. It depends only on the SPI.
 */
@NullMarked
package io.berth.matching.galeshapley;

import org.jspecify.annotations.NullMarked;

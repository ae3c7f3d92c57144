/**
 * A backend for workers that are started by hand; it starts none itself. The policy host calls it, one call at a time,
 * on threads of this bundle. It depends only on the SPI.
 */
@NullMarked
package io.berth.backend.standalone;

import org.jspecify.annotations.NullMarked;

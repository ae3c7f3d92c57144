/** The gateways of the roles, their messages (FLIP-6, FLIP-138), and how they are served and called. */
@Export
@Version("1.0.0")
@NullMarked
package io.berth.core.api.gateway;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

/** The gateways through which the roles speak, and their messages (FLIP-6, FLIP-138). */
@Export
@Version("1.0.0")
package io.berth.core.api.gateway;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

/** Who the processes of a cluster are: their certificates, and keys that are replaced while connections are open. */
@Export
@Version("1.0.0")
@NullMarked
package io.berth.core.security;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

/** The interface between the owners of decisions and the policy host. */
@Export
@Version("1.0.0")
@NullMarked
package io.berth.core.api.policy;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

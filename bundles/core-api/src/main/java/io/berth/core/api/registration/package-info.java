/** Registration at the leader of a role (FLIP-6): find it, register, retry, and search again when it is lost. */
@Export
@Version("1.0.0")
@NullMarked
package io.berth.core.api.registration;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

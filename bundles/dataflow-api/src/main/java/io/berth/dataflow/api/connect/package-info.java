/**
 * Operators with more than one way in or out: two inputs, keyed or not, and side outputs with names. As all operators, they
 * belong to one task, and only the thread of that task calls them. Knows the root package only.
 */
@Export
@Version("1.0.0")
@NullMarked
package io.berth.dataflow.api.connect;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

/**
 * How the contracts check rules: with plain exceptions, and random inputs that are repeated by their seed. Uses no other
 * package and no test framework, so that rules are checked outside of tests too.
 */
@Export
@Version("1.0.0")
@NullMarked
package io.berth.testkit.rules;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

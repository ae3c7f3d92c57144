/** The service that other bundles take the credentials of the process from. */
@NullMarked
package io.berth.core.security.component;

import org.jspecify.annotations.NullMarked;

/**
 * What each command works with: the terminal, the control plane over HTTP, tables and exit codes. Confined to the main
 * thread of the process. Knows no other room; all others know it.
 */
@NullMarked
package io.berth.ops.cli.console;

import org.jspecify.annotations.NullMarked;

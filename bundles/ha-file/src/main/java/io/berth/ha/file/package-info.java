/**
 * Leader election and metadata store in files of one host. Each role competes on its own thread; any thread may use a
 * store. It depends only on the SPI.
 */
@NullMarked
package io.berth.ha.file;

import org.jspecify.annotations.NullMarked;

/**
 * Leader election and metadata store in files of one host.
 * Each role competes on a thread of its own; a store may be used by any thread.
 * Knows the SPI only.
 */
package io.berth.ha.file;

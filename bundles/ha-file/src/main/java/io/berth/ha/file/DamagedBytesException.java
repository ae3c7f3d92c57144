package io.berth.ha.file;

import java.io.IOException;

/** Bytes that are not the record they should be. */
final class DamagedBytesException extends IOException {

    private static final long serialVersionUID = 1L;

    DamagedBytesException(String message) {
        super(message);
    }
}

package io.berth.ha.file;

import java.io.IOException;

/** The bytes are not the expected record. */
final class DamagedBytesException extends IOException {

    private static final long serialVersionUID = 1L;

    DamagedBytesException(String message) {
        super(message);
    }
}

package io.berth.core.api.policy;

import io.berth.spi.backend.BackendContext;
import io.berth.spi.backend.WorkerDeclaration;
import io.berth.spi.backend.WorkerSpec;
import java.util.List;

/**
 * Gives the ResourceManager the backends that are installed and configured, and notifies it when backends are added or
 * removed. Calls into a backend run on guarded threads; no method here blocks.
 */
public interface BackendHost {

    /**
     * Follows the backends until closed. Closing also closes the backends, which stops the workers that they started,
     * and waits for this for a limited time.
     */
    AutoCloseable follow(BackendFollower follower);

    /** Implemented by the ResourceManager. The methods are called on any thread and must not block. */
    interface BackendFollower {

        /** The context for creating a backend of that name. */
        BackendContext context(String backend);

        void added(BackendHandle backend);

        /**
         * A backend offers other specs: {@link BackendHandle#specs} returns the newest. The call comes in the order of
         * the other reports of the backend, perhaps before {@link #added}.
         */
        void specsChanged(BackendHandle backend);

        /** A backend is gone or was replaced; its handle has no effect any longer. Its workers may continue to run. */
        void removed(BackendHandle backend);
    }

    /** A backend, safe to call from a main thread. */
    interface BackendHandle {

        String name();

        /** What it offers now. May be called on any thread. */
        List<WorkerSpec> specs();

        /**
         * Passes a declaration to the backend, in the order of calls. When several are waiting, only the newest is
         * passed, with the workers to release of all of them.
         */
        void declare(WorkerDeclaration declaration);
    }
}

package io.sluice.control.store;

/** Another node wrote first: what was to be written has to be decided anew on what is stored now. */
public final class StoreConflictException extends StoreException {
    private static final long serialVersionUID = 1L;

    public StoreConflictException() {
        super("another change came first; try again");
    }
}

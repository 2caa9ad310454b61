package io.sluice.graphql;

import java.util.List;

/** A page of whatever nodes, as the schema's connection types read it. */
interface Connection {
    List<?> nodes();

    Page.Info info();

    /** -1 where the connection does not tell. */
    int totalCount();
}

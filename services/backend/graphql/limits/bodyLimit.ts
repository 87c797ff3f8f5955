/** The body of a GraphQL request without files, and one message over a WebSocket. */
export const GRAPHQL_BODY_BYTES_MAX = 256 * 1024
/** The same without a valid token: a log-in, or the standard introspection query. */
export const GRAPHQL_UNIDENTIFIED_BODY_BYTES_MAX = 64 * 1024

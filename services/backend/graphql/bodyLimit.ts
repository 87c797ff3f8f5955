/** The body of a GraphQL request without files, and one message over a WebSocket. */
export const GRAPHQL_BODY_BYTES_MAX = 256 * 1024

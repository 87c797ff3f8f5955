/**
 * Where an event stands in the whole store. Opaque: only the store's adapter reads what is inside.
 * Ordered: every adapter writes its positions so that comparing two of them as strings compares their order.
 */
export type Position = string & { readonly __position: unique symbol }

/** Before the first event of any store: the empty string sorts below every position. */
export const BEGINNING = '' as Position

/** How far a reader has come, by feed partition. The embedded feed has one partition, Kafka has many. */
export type Checkpoint = Readonly<Record<string, Position>>

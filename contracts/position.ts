/**
 * The position of an event in the whole store. Opaque: only the adapter of the store interprets it.
 * Ordered: comparing two positions as strings compares their order, on every adapter.
 */
export type Position = string & { readonly __position: unique symbol }

/** Before the first event of any store: the empty string sorts below every position. */
export const BEGINNING = '' as Position

/** The position that a reader has reached in each feed partition. The embedded feed has one partition, Kafka has many. */
export type Checkpoint = Readonly<Record<string, Position>>

import type { Position } from './position.ts'

export type Actor =
  | { readonly kind: 'system'; readonly name: string }
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'apiKey'; readonly id: string }

/** On every event: its schema version, and what caused it. */
export type EventMetadata = {
  readonly schemaVersion: number
  /** The same for all events caused by one external request. */
  readonly correlationId: string
  /** The command or event that directly caused this event. */
  readonly causationId: string
  readonly actor: Actor
  /** Identifies the content of the command, to tell a repetition from another command with the same id. */
  readonly fingerprint?: string
  /** ISO 8601. Only on events restored from a backup: when the original store wrote the event. */
  readonly recordedAt?: string
  /** Only on ledger events restored from a backup: the index of the event's entry in the transparency log. */
  readonly logIndex?: number
  /** The span that appended the event (W3C Trace Context), if it was traced. Backups do not keep it. */
  readonly traceparent?: string
}

export type JsonObject = { readonly [name: string]: unknown }

/** The result of a decider: something that happened, before it is stored. */
export type DomainEvent = { readonly type: string; readonly data: JsonObject }

export type NewEvent = DomainEvent & {
  readonly id: string
  readonly metadata: EventMetadata
}

/** What the store adds to an event. */
export type Envelope = {
  readonly id: string
  readonly metadata: EventMetadata
  readonly stream: string
  /** Counts from 0 within the stream, without gaps. */
  readonly revision: number
  readonly position: Position
  /** ISO 8601; when the store wrote it. Read models use the times in the data, so that a restore yields the same rows. */
  readonly recordedAt: string
}

/** An event with its envelope, as it is read from the store or the feed. */
export type Recorded<Event extends DomainEvent> = Event & Envelope

/** A stored event of any type and version. */
export type RecordedEvent = Recorded<DomainEvent>

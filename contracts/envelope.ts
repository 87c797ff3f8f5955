import type { Position } from './position.ts'

export type Actor =
  | { readonly kind: 'system'; readonly name: string }
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'apiKey'; readonly id: string }

/** Stands on every event: which schema its data follows, and what led to it. */
export type EventMetadata = {
  readonly schemaVersion: number
  /** The same for everything that one request from outside set off. */
  readonly correlationId: string
  /** The command or event that led to this event directly. */
  readonly causationId: string
  readonly actor: Actor
  /** Of the command behind it: tells its repetition from another command under the same id. */
  readonly fingerprint?: string
  /** ISO 8601. Of an event that was restored from a backup: when the store that was saved had written it. */
  readonly recordedAt?: string
}

export type JsonObject = { readonly [name: string]: unknown }

/** What a decider answers: something that happened, before it is stored. */
export type DomainEvent = { readonly type: string; readonly data: JsonObject }

export type NewEvent = DomainEvent & {
  readonly id: string
  readonly metadata: EventMetadata
}

/** What the store knows of an event besides what happened. */
export type Envelope = {
  readonly id: string
  readonly metadata: EventMetadata
  readonly stream: string
  /** Counts from 0 within the stream, without gaps. */
  readonly revision: number
  readonly position: Position
  /** ISO 8601; when the store wrote it. Read models use the times in the data, so that a restore gives the same rows. */
  readonly recordedAt: string
}

/** An event with its envelope, as it is read from the store or the feed. */
export type Recorded<Event extends DomainEvent> = Event & Envelope

/** A stored event of any type and version. */
export type RecordedEvent = Recorded<DomainEvent>

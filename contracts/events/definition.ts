import { z } from 'zod'
import { UUID } from '../uuid.ts'

/** Turns the data of one schema version into that of the next. */
export type Upcaster = (data: Record<string, unknown>) => Record<string, unknown>

/** What an event of the current version means, if that depends on when it was stored. */
export type AsRecorded = (data: Record<string, unknown>, recordedAt: string) => Record<string, unknown>

export type EventDefinition<Schema extends z.ZodType = z.ZodType> = {
  readonly version: number
  readonly schema: Schema
  /** Whether the data matches the schema. */
  readonly isValid: (data: unknown) => boolean
  /** Keyed by the version that they read: upcasters[1] turns version 1 into version 2. */
  readonly upcasters: Readonly<Record<number, Upcaster>>
  /** Applied whenever the event is read; null for nearly all types. */
  readonly asRecorded: AsRecorded | null
  /** The names of the fields that are encrypted with the key of their subject. */
  readonly personal: readonly string[]
  /** The subject of the personal fields; null if there are none. */
  readonly subjectOf: Subject | null
}

/** Returns the person or thing that the personal fields are about, named like its stream: user-<id>. */
export type Subject = (data: Record<string, unknown>) => string

const personalFields = z.registry<{ readonly personal: true }>()

/** A text about a person: a name, an address, a CV. Only a top-level field of an event can be personal. */
export function personal(): z.ZodString {
  return z.string().register(personalFields, { personal: true })
}

export type EventOptions = {
  readonly upcasters?: Readonly<Record<number, Upcaster>>
  readonly asRecorded?: AsRecorded
  readonly subjectOf?: Subject
  /** A cheaper check for types on the hot path. It may refuse data that the schema accepts, but never the reverse. */
  readonly isOrdinary?: (data: unknown) => boolean
}

/** An event type at its current version. Each new version adds an upcaster from the version before it. */
export function event<Schema extends z.ZodObject>(
  version: number,
  schema: Schema,
  { upcasters = {}, asRecorded, subjectOf, isOrdinary = () => false }: EventOptions = {},
): EventDefinition<Schema> {
  const names = Object.keys(schema.shape).filter((name) => isPersonal(schema.shape[name] as z.ZodType))
  if (names.length > 0 && !subjectOf) throw new Error(`personal fields without a subject: ${names.join(', ')}`)
  return {
    version,
    schema,
    isValid: (data) => isOrdinary(data) || schema.safeParse(data).success,
    upcasters,
    asRecorded: asRecorded ?? null,
    personal: names,
    subjectOf: subjectOf ?? null,
  }
}

function isPersonal(field: z.ZodType): boolean {
  return personalFields.has(field instanceof z.ZodNullable ? (field.unwrap() as z.ZodType) : field)
}

/** The union of `{type, data}` that a group of event definitions describes. */
export type EventUnion<Definitions extends Record<string, EventDefinition>> = {
  [Type in keyof Definitions & string]: {
    readonly type: Type
    readonly data: z.infer<Definitions[Type]['schema']>
  }
}[keyof Definitions & string]

export const id = z.string().regex(UUID)
/** A SHA-256, or a hash of that size, in hexadecimal. */
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
export const isoTime = z.iso.datetime({ precision: 3 })
/** An amount of millionths of a credit. A string in JSON, because a double would round it. */
export const positiveMicros = z.string().regex(/^[1-9]\d{0,27}$/)
/** Positive or negative, but not zero. */
export const signedMicros = z.string().regex(/^-?[1-9]\d{0,27}$/)
export const NON_NEGATIVE_MICROS = /^(0|[1-9]\d{0,27})$/
export const nonNegativeMicros = z.string().regex(NON_NEGATIVE_MICROS)
export const tokenCount = z.int().nonnegative()

import { z } from 'zod'

/** Turns the data of one schema version into that of the next. */
export type Upcaster = (data: Record<string, unknown>) => Record<string, unknown>

export type EventDefinition<Schema extends z.ZodType = z.ZodType> = {
  readonly version: number
  readonly schema: Schema
  /** By the version that it reads: upcasters[1] turns version 1 into version 2. */
  readonly upcasters: Readonly<Record<number, Upcaster>>
}

/** An event type at its current version. A later version brings an upcaster from each one before it. */
export function event<Schema extends z.ZodType>(
  version: number,
  schema: Schema,
  upcasters: Record<number, Upcaster> = {},
): EventDefinition<Schema> {
  return { version, schema, upcasters }
}

/** The union of `{type, data}` that a group of event definitions describes. */
export type EventUnion<Definitions extends Record<string, EventDefinition>> = {
  [Type in keyof Definitions & string]: {
    readonly type: Type
    readonly data: z.infer<Definitions[Type]['schema']>
  }
}[keyof Definitions & string]

/** Lowercase, as every database gives it back: in another spelling it would be another stream and another row. */
export const id = z.uuid().lowercase()
export const isoTime = z.iso.datetime({ precision: 3 })
/** An amount of millionths of a credit. A string in JSON, because a double would round it. */
export const micros = z.string().regex(/^-?(0|[1-9]\d{0,27})$/)
export const positiveMicros = z.string().regex(/^[1-9]\d{0,27}$/)
export const nonNegativeMicros = z.string().regex(/^(0|[1-9]\d{0,27})$/)
export const tokenCount = z.int().nonnegative()

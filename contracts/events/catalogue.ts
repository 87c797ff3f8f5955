import type { EventDefinition } from './definition.ts'
import { EVENTS_BY_CATEGORY } from './eventsByCategory.ts'

/** Every event type that the product writes, at its current version. */
export const EVENT_CATALOGUE: Readonly<Record<string, EventDefinition>> = Object.assign(
  {},
  ...Object.values(EVENTS_BY_CATEGORY),
)

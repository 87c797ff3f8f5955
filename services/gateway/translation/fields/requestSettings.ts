import type { Effort, Given, ReasoningSetting, ServiceTier, ToolChoice } from '../conversation/conversation.ts'
import { EFFORTS } from '../conversation/conversation.ts'
import type { FieldReader } from './fieldReader.ts'
import { notTranslated, valueNotTranslated, wrongField } from './requestRefused.ts'

/** More than any model accepts. */
export const TOOLS_MAX = 1_000

/** Members without those that are undefined, which an optional member must not be. */
export function present<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: NonNullable<Members[Name]> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [Name in keyof Members]?: NonNullable<Members[Name]> }
}

export function numberGiven(fields: FieldReader, name: string): Given<number> | undefined {
  return fields.given(name, fields.numberIfAny(name))
}

export function integerGiven(fields: FieldReader, name: string): Given<number> | undefined {
  return fields.given(name, fields.integerIfAny(name))
}

/** A bound of the output's tokens, which is never negative. */
export function tokensGiven(fields: FieldReader, name: string): Given<number> | undefined {
  const given = integerGiven(fields, name)
  if (given !== undefined && given.value < 0) throw wrongField(given.at, 'must not be negative.')
  return given
}

/** `none`, `auto` and `required`, which chat and Responses spell alike; undefined for an object. */
export function plainToolChoice(fields: FieldReader): Given<ToolChoice> | undefined {
  if (typeof fields.any('tool_choice') === 'object') return undefined
  const mode = fields.choiceIfAny('tool_choice', ['none', 'auto', 'required'])
  return mode && { value: { mode }, at: fields.path('tool_choice') }
}

const TIERS: Readonly<Record<string, ServiceTier>> = {
  auto: 'auto',
  default: 'standard',
  flex: 'flex',
  scale: 'scale',
  priority: 'priority',
  fast: 'fast',
  ultrafast: 'ultrafast',
}

/** The service tiers of chat and Responses. */
export function serviceTierGiven(fields: FieldReader): Given<ServiceTier> | undefined {
  const name = fields.textIfAny('service_tier')
  if (name === undefined) return undefined
  const tier = Object.hasOwn(TIERS, name) ? TIERS[name] : undefined
  if (tier === undefined) throw valueNotTranslated(fields.path('service_tier'), name)
  return { value: tier, at: fields.path('service_tier') }
}

/** The same, as it is written. */
export function serviceTierFor(tier: Given<ServiceTier> | undefined): string | undefined {
  return tier?.value === 'standard' ? 'default' : tier?.value
}

/** Effort as chat and Responses have it, where `none` turns reasoning off. */
export function effortGiven(fields: FieldReader, name: string): ReasoningSetting {
  const effort = fields.choiceIfAny<Effort | 'none'>(name, ['none', ...EFFORTS])
  const at = fields.path(name)
  if (effort === undefined) return {}
  return effort === 'none' ? { isOff: { value: true, at } } : { effort: { value: effort, at } }
}

/** Refuses settings that the API has no form for; the first one is named. */
export function refuseGiven(...settings: readonly (Given<unknown> | undefined)[]): void {
  const [first] = settings.filter((setting) => setting !== undefined)
  if (first !== undefined) throw notTranslated(first.at)
}

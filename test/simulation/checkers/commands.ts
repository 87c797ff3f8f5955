import type { Simulation } from '../simulation.ts'
import type { Checker } from '../world.ts'
import { type EventTypes, grouped, type StoredEvent, storedEvents } from './events.ts'

/** What was asked of the installation, and how it was answered, as a load has written it down. */
export type AnsweredCommand = {
  readonly kind: string
  readonly ids: Readonly<Record<string, string>>
  /** What was asked for. */
  readonly input: unknown
  /** unknown: there was no answer, or one that leaves open whether it was carried out. */
  readonly outcome: 'done' | 'refused' | 'unknown'
  readonly answer: unknown
}

/** The event by which a command is carried out: its type, and the value of a field that no other command has. */
type Effect = {
  readonly type: EventTypes
  readonly field: string
  readonly value: unknown
  /** What else its event has. */
  readonly also?: Readonly<Record<string, unknown>>
}

type Input = { readonly id?: string; readonly reason?: string; readonly input?: { readonly name?: string } }
type Answer = { readonly id?: string; readonly apiKey?: { readonly id: string } } | null

const byName = (type: EventTypes) => (command: AnsweredCommand) => ({
  type,
  field: 'name',
  value: (command.input as Input).input?.name,
})
const byReason = (type: EventTypes) => (command: AnsweredCommand) => ({
  type,
  field: 'reason',
  value: (command.input as Input).reason,
})
const byCall = (type: EventTypes) => (command: AnsweredCommand) => ({
  type,
  field: 'callId',
  value: command.ids.callId,
})
/** Known only from the answer. */
const byAnswer = (type: EventTypes, field: string) => (command: AnsweredCommand) =>
  command.outcome === 'done' ? { type, field, value: idOf(command.answer as Answer) } : null

function idOf(answer: Answer): string | undefined {
  return answer?.apiKey?.id ?? answer?.id
}

/** The effects of commands that have one event of their own. Others change what several of them may change. */
const EFFECTS: Readonly<Record<string, (command: AnsweredCommand) => Effect | null>> = {
  ChargeCall: byCall('CallCharged'),
  FailCall: byCall('CallFailed'),
  ReverseCharge: byCall('ChargeReversed'),
  createCompany: byName('CompanyRegistered'),
  // A key that is rotated keeps its name.
  mintApiKey: (command) => ({ ...byName('ApiKeyMinted')(command), also: { rotatedFrom: null } }),
  createPlan: byName('PlanCreated'),
  createCreditPack: byName('CreditPackCreated'),
  grantCredits: byReason('CreditsGranted'),
  adjustCredits: byReason('CreditsAdjusted'),
  rotateApiKey: byAnswer('ApiKeyMinted', 'keyId'),
  createUser: byAnswer('UserRegistered', 'userId'),
  publishPriceBook: byAnswer('PriceBookPublished', 'bookId'),
}

/** A command that was answered is obeyed: exactly once if it was done, never if it was refused, at most once otherwise. */
export function commands({ pglite }: Simulation, asked: () => readonly AnsweredCommand[]): Checker {
  return {
    invariant: 'an answered command is obeyed',
    end: () => commandsWrong(asked(), storedEvents(pglite)),
  }
}

export function commandsWrong(asked: readonly AnsweredCommand[], events: readonly StoredEvent[]): string | null {
  const effects = asked.flatMap((command) => {
    const effect = EFFECTS[command.kind]?.(command)
    return effect && effect.value !== undefined ? [{ ...effect, command }] : []
  })
  const stored = grouped(events, ({ type }) => type)
  // The same command may be asked for again, under its idempotency key.
  for (const same of grouped(effects, ({ type, field, value }) => `${type} ${field} ${value}`).values()) {
    const [effect] = same
    if (!effect) continue
    const { type, field, value, also = {} } = effect
    const fields = Object.entries({ ...also, [field]: value })
    const found = (stored.get(type) ?? []).filter(({ data }) =>
      fields.every(([name, expected]) => (data as Record<string, unknown>)[name] === expected),
    )
    const outcomes = new Set(same.map(({ command }) => command.outcome))
    const [least, most] = outcomes.has('done') ? [1, 1] : outcomes.has('unknown') ? [0, 1] : [0, 0]
    if (found.length >= least && found.length <= most) continue
    return `${effect.command.kind} was ${[...outcomes].join(' and ')}, and there are ${found.length} ${type} with ${field} ${value}`
  }
  return null
}

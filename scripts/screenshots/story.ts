import { systemClock } from '../../platform/clock/clock.ts'
import { ask, callModel, type ModelCall } from './apiClient.ts'
import type { Demo, LateInstallation } from './lateInstallation.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** How long the demo company has existed. */
const STORY_DAYS = 45
/** Hours of the day (UTC) in which the company calls models. */
const HOURS = [8, 10, 13, 16]
const CALLS_AT_ONCE = 4
const BUDGET = { credits: 1_500, period: 'MONTH' }

type Program = Omit<ModelCall, 'key' | 'leaves'> & {
  readonly name: string
  /** Calls in an hour of a working day at the end of the story. */
  readonly calls: number
  readonly mint: object
}

/** The programs of the company, each with its own key. */
const PROGRAMS: readonly Program[] = [
  {
    name: 'Candidate search',
    alias: 'svc/chat-default',
    label: 'search',
    wordsIn: 420,
    wordsOut: 260,
    calls: 9,
    mint: { rpm: 600, tpm: 400_000 },
  },
  {
    name: 'Interview notes',
    alias: 'svc/chat-premium',
    label: 'interviews',
    wordsIn: 700,
    wordsOut: 240,
    calls: 2,
    mint: { rpm: 120, tpm: 200_000, budget: BUDGET },
  },
  {
    name: 'Support bot',
    alias: 'svc/chat-cheap',
    label: 'support',
    wordsIn: 600,
    wordsOut: 380,
    calls: 7,
    mint: { rpm: 600, tpm: 400_000, models: ['svc/chat-cheap'], label: 'support' },
  },
  {
    name: 'Profile index',
    alias: 'svc/embed-default',
    label: 'indexing',
    wordsIn: 900,
    wordsOut: 0,
    calls: 3,
    mint: { rpm: 300, tpm: 600_000, models: ['svc/embed-default'] },
  },
]

const MINT = 'mutation ($input: MintApiKeyInput!) { mintApiKey(input: $input) { secret } }'
const INVITE = 'mutation ($email: String!, $role: Role!) { inviteUser(email: $email, role: $role) { id } }'
const CHECKOUT = 'mutation ($input: CreateCheckoutInput!) { createCheckout(input: $input) { url } }'
const OFFERS = '{ creditPacks { id } plans { id } }'
const TOP_UP = 'mutation ($input: SetTopUpInput!) { setTopUp(input: $input) { enabled } }'
const PROMOTION = `mutation ($companyId: ID!, $expiresAt: DateTime!) { grantCredits(companyId: $companyId, credits: 600,
  reason: "Spring offer", promotional: true, expiresAt: $expiresAt) { id } }`
const PUBLISH = 'mutation ($input: PriceBookInput!) { publishPriceBook(input: $input) { id } }'
const ENDPOINT = `mutation { createWebhookEndpoint(url: "https://hooks.demo.example/tollgate", types: ["balance.low", "invoice.paid"]) { secret } }`
const NOTICE = 'mutation { setNoticeSettings(lowBalanceCredits: 500) { lowBalance } }'

/** Tells several weeks of a company: keys, calls, purchases, people, prices. All through the public interfaces. */
export async function tellStory({ demo, setTime }: LateInstallation): Promise<void> {
  const nowMs = systemClock.now()
  const today = dayOf(nowMs)
  const keys = new Map<string, string>()
  const events = storyEvents(demo, nowMs)
  for (let day = STORY_DAYS; day >= 0; day--) {
    const dayMs = today - day * DAY_MS
    for (const hour of HOURS) {
      const atMs = dayMs + (hour + wave(day * 7 + hour) / 2) * HOUR_MS
      if (atMs > nowMs) break
      await setTime(atMs)
      if (day === STORY_DAYS && keys.size === 0) await mintKeys(demo, keys, nowMs)
      if (hour === HOURS[0]) await events.get(day)?.()
      await runAll(callsOf(day, hour, new Date(dayMs).getUTCDay(), keys).map((call) => () => callModel(demo, call)))
    }
  }
  await setTime(systemClock.now())
}

/** The morning of the first day. */
export function beginningOf(nowMs: number): number {
  return dayOf(nowMs) - STORY_DAYS * DAY_MS + 7 * HOUR_MS
}

const dayOf = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS

async function mintKeys(demo: Demo, keys: Map<string, string>, nowMs: number): Promise<void> {
  for (const { name, mint } of PROGRAMS) {
    const { mintApiKey } = await ask(demo, 'admin', MINT, { input: { name, ...mint } })
    keys.set(name, mintApiKey.secret)
  }
  const expiresAt = new Date(nowMs + 5 * DAY_MS).toISOString()
  const input = { name: 'Trial of a partner', scopes: ['inference:chat'], rpm: 60, tpm: 20_000, expiresAt }
  await ask(demo, 'admin', MINT, { input })
}

/** What happens besides calls, by the number of days before the end. */
function storyEvents(demo: Demo, nowMs: number): ReadonlyMap<number, () => Promise<void>> {
  const buy = async (kind: 'packId' | 'planId', list: 'creditPacks' | 'plans', more: object = {}) => {
    const offers = await ask(demo, 'admin', OFFERS)
    const input = { [kind]: offers[list][0].id, ...more }
    const { createCheckout } = await ask(demo, 'admin', CHECKOUT, { input })
    const paid = await fetch(createCheckout.url, { method: 'POST', body: new URLSearchParams({ outcome: 'pay' }) })
    if (!paid.ok) throw new Error(`the checkout was answered with ${paid.status}`)
  }
  const publish = (alias: string, input: number, output: number, effectiveFrom?: string) => {
    const prices = [{ alias, inputPerMillionTokens: input, outputPerMillionTokens: output }]
    return ask(demo, 'superAdmin', PUBLISH, { input: { prices, ...(effectiveFrom && { effectiveFrom }) } })
  }
  const disputes = disputesOf(demo)
  const invite = (email: string, role: string) => ask(demo, 'admin', INVITE, { email, role })
  return new Map([
    [40, async () => void (await ask(demo, 'admin', ENDPOINT))],
    [33, () => buy('packId', 'creditPacks')],
    [30, async () => void (await publish('svc/chat-cheap', 120, 420))],
    [18, () => buy('packId', 'creditPacks', { savePaymentMethod: true })],
    [16, () => topUp(demo)],
    [12, () => buy('planId', 'plans')],
    [6, async () => void (await ask(demo, 'admin', NOTICE))],
    [5, () => disputes.open({ reason: 'fraudulent' })],
    [4, () => disputes.end('won')],
    [3, () => promotion(demo, nowMs + 24 * DAY_MS)],
    [2, async () => void (await invite('maria.keller@demo.example', 'ADMIN'))],
    [
      1,
      async () => {
        await publish('svc/chat-premium', 2_800, 14_000, new Date(nowMs + 14 * DAY_MS).toISOString())
        await disputes.open({ reason: 'product_not_received', amount: 400 })
      },
    ],
  ])
}

/** Falls below the threshold once before the plan brings more credits. */
async function topUp(demo: Demo): Promise<void> {
  const { creditPacks } = await ask(demo, 'admin', OFFERS)
  const input = { enabled: true, thresholdCredits: 3_000, packId: creditPacks[0].id, monthlyCeiling: 30 }
  await ask(demo, 'admin', TOP_UP, { input })
}

async function promotion(demo: Demo, expiresAtMs: number): Promise<void> {
  const { companyId } = demo
  await ask(demo, 'superAdmin', PROMOTION, { companyId, expiresAt: new Date(expiresAtMs).toISOString() })
}

/** Disputes of the newest payment by card, one after the other, as the dashboard of the payment provider makes them. */
function disputesOf({ sandboxUrl }: Demo) {
  let disputeId = ''
  const send = async (path: string, fields?: object) => {
    const headers = {
      authorization: 'Bearer sk_test_story',
      accept: 'application/json',
      'content-type': 'application/json',
    }
    const answer = await fetch(`${sandboxUrl}${path}`, {
      headers,
      ...(fields && { method: 'POST', body: JSON.stringify(fields) }),
    })
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`)
    return answer.json() as Promise<{ readonly id: string; readonly data: readonly { readonly id: string }[] }>
  }
  return {
    open: async (terms: object) => {
      await send('/sandbox/webhook-types', { types: 'all' })
      const { data } = await send('/v1/charges?limit=1')
      disputeId = (await send(`/sandbox/charges/${data[0]?.id}/dispute`, terms)).id
    },
    end: async (outcome: string) => void (await send(`/sandbox/disputes/${disputeId}/close`, { outcome })),
  }
}

/** More on working days, more from week to week, and never the same twice. */
function callsOf(day: number, hour: number, weekday: number, keys: ReadonlyMap<string, string>): ModelCall[] {
  const isWeekend = weekday === 0 || weekday === 6
  const growth = 0.45 + 0.55 * (1 - day / STORY_DAYS)
  return PROGRAMS.flatMap(({ name, calls, mint: _, ...call }, n) => {
    const share = (isWeekend ? 0.2 : 1) * growth * (0.6 + 0.8 * wave(day * 31 + hour * 17 + n * 7))
    return Array.from({ length: Math.round(calls * share) }, (_unused, at) => {
      const size = 0.5 + wave(day * 13 + hour * 5 + at * 3 + n)
      return {
        ...call,
        key: keys.get(name) ?? '',
        wordsIn: Math.round(call.wordsIn * size),
        wordsOut: Math.round(call.wordsOut * size),
        leaves: at === 1 && n < 3 && wave(day * 11 + hour + n) > 0.86,
      }
    })
  })
}

/** Between 0 and 1, the same for the same number. */
function wave(n: number): number {
  const value = Math.sin(n * 12.9898) * 43_758.5453
  return value - Math.floor(value)
}

async function runAll(tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
  const waiting = tasks.values()
  const runWaiting = async () => {
    for (const task of waiting) await task()
  }
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, runWaiting))
}

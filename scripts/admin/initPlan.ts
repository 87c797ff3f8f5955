import { isModelAlias } from '../../contracts/aliases.ts'
import type { AliasPrice } from '../../contracts/events/pricing.ts'
import { parseCredits, requireAmount } from '../../domain/credits.ts'
import { requirePriceChanges } from '../../domain/pricing/decider.ts'
import { WrongUsage } from '../cli/command.ts'
import type { Questions } from './questions.ts'
import { requireAddress } from './users.ts'

/** What `init` should set up. */
export type InitPlan = {
  readonly superAdmin: string
  readonly company: string
  readonly user: string
  readonly prices: Readonly<Record<string, AliasPrice>>
  readonly creditsMicros: bigint
  readonly keyName: string
}

export type InitOptions = {
  readonly email?: string | undefined
  readonly company?: string | undefined
  readonly user?: string | undefined
  readonly price?: readonly string[] | undefined
  readonly credits?: string | undefined
  readonly 'key-name'?: string | undefined
}

/** The rates of every alias without its own rates on the command line. */
const EVERY_ALIAS = '*'
const CREDITS_DEFAULT = '100'
const KEY_NAME_DEFAULT = 'first key'
const RATES_EXAMPLE = '500,1500'

/** Whether the options name nothing but prices, so that everything else stays as it is. */
export function isOnlyPrices({ price, ...others }: InitOptions): boolean {
  return (price?.length ?? 0) > 0 && Object.values(others).every((option) => option === undefined)
}

/** The prices that the options name; `*` stands for the aliases that have none. */
export function namedPrices(options: InitOptions, unpriced: readonly string[]): InitPlan['prices'] {
  const { named, every } = ratesOf(options.price ?? [])
  if (every) for (const alias of unpriced) if (!named.has(alias)) named.set(alias, every)
  return acceptable(named)
}

/**
 * Reads the options and asks a person at a terminal for what is missing. `unpriced` are the aliases with a provider
 * that have no price yet. Nothing has been changed if it refuses.
 */
export async function initPlan(
  options: InitOptions,
  unpriced: readonly string[],
  questions: Questions,
): Promise<InitPlan> {
  const given = async (name: 'email' | 'company' | 'user', question: string) => {
    const answer = options[name] ?? (questions.isInteractive ? await questions.ask(question) : undefined)
    if (!answer?.trim()) throw new WrongUsage(`--${name} is missing`)
    return answer.trim()
  }
  const superAdmin = addressOf(await given('email', 'Mail address of the super admin'))
  const company = await given('company', 'Name of the first company')
  const user = addressOf(await given('user', "Mail address of the company's admin"))
  if (user === superAdmin) throw new WrongUsage('--user must be another address than --email')
  const prices = await pricesOf(options.price ?? [], unpriced, questions)
  const preset = async (name: 'credits' | 'key-name', question: string, value: string) =>
    options[name] ?? (questions.isInteractive ? await questions.ask(question, value) : value)
  const credits = await preset('credits', 'Credits for the company', CREDITS_DEFAULT)
  const keyName = await preset('key-name', 'Name of its first key', KEY_NAME_DEFAULT)
  return { superAdmin, company, user, prices, creditsMicros: usable(() => amountOf(credits)), keyName }
}

function addressOf(text: string): string {
  const email = text.toLowerCase()
  usable(() => requireAddress(email))
  return email
}

function amountOf(credits: string): bigint {
  const micros = parseCredits(credits)
  requireAmount(micros, 'credits')
  return micros
}

async function pricesOf(
  options: readonly string[],
  unpriced: readonly string[],
  questions: Questions,
): Promise<Record<string, AliasPrice>> {
  const { named, every } = ratesOf(options)
  const missing: string[] = []
  for (const alias of unpriced.filter((name) => !named.has(name))) {
    if (every) named.set(alias, every)
    else if (questions.isInteractive) named.set(alias, await promptForPrice(alias, questions))
    else missing.push(alias)
  }
  if (missing.length > 0)
    throw new WrongUsage(`--price is missing for ${missing.join(', ')}: --price '${missing[0]}=${RATES_EXAMPLE}'`)
  return acceptable(named)
}

function ratesOf(options: readonly string[]): { named: Map<string, AliasPrice>; every: AliasPrice | undefined } {
  const named = new Map<string, AliasPrice>()
  let every: AliasPrice | undefined
  for (const option of options) {
    const at = option.lastIndexOf('=')
    const alias = option.slice(0, Math.max(at, 0))
    const price = usable(() => priceOf(option.slice(at + 1), option))
    if (alias === EVERY_ALIAS) every = price
    else if (isModelAlias(alias)) named.set(alias, price)
    else throw new WrongUsage(`--price ${option}: ${JSON.stringify(alias)} is not a model alias`)
  }
  return { named, every }
}

function acceptable(named: ReadonlyMap<string, AliasPrice>): Record<string, AliasPrice> {
  const prices = Object.fromEntries(named)
  if (named.size > 0) usable(() => requirePriceChanges({ prices, retired: [] }))
  return prices
}

async function promptForPrice(alias: string, questions: Questions): Promise<AliasPrice> {
  const question = `Price of ${alias} in credits for a million tokens: input,output`
  return priceOf(await questions.ask(question, RATES_EXAMPLE), alias)
}

/** Input and output, and optionally cached input, cache writes and the fee per call, in credits. */
function priceOf(text: string, what: string): AliasPrice {
  const rates = text.split(',').map((rate) => parseCredits(rate.trim()).toString())
  const [input, output, cached, written, perCall, ...more] = rates
  if (input === undefined || output === undefined || more.length > 0)
    throw new Error(`${what}: a price is input,output[,cached input,cache write,per call]`)
  return {
    rates: {
      input,
      ...(cached !== undefined && { cachedInput: cached }),
      ...(written !== undefined && { cacheWrite: written }),
      output,
    },
    ...(perCall !== undefined && { callMicros: perCall }),
  }
}

/** An option that the domain refuses counts as wrong usage of the command. */
function usable<Result>(check: () => Result): Result {
  try {
    return check()
  } catch (error) {
    throw new WrongUsage((error as Error).message)
  }
}

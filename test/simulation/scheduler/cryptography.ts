import nodeCrypto from 'node:crypto'
import { currentProcess, currentRun } from './currentRun.ts'
import { refuse } from './failures.ts'
import { replace } from './replace.ts'

const PASSWORD_MS_LEAST = 50
const PASSWORD_MS_LIMIT = 150

/** Random keys and work in Node's threads. */
const REFUSED = [
  ...['generateKeyPair', 'generateKeyPairSync', 'generateKey', 'generateKeySync', 'generatePrime', 'generatePrimeSync'],
  ...['checkPrime', 'hkdf', 'pbkdf2'],
] as const

export function installCryptography(): void {
  replace(nodeCrypto, { scrypt, scryptSync: cheapHash })
  for (const name of REFUSED) {
    const real = (nodeCrypto as unknown as Record<string, (...values: unknown[]) => unknown>)[name]
    if (real === undefined) throw new Error(`node:crypto has no ${name}`)
    replace(nodeCrypto, {
      [name]: (...values: unknown[]) => (currentRun() ? refuse(`crypto.${name}`) : real(...values)),
    })
  }
  installSubtle()
}

type Cost = { readonly N?: number; readonly r?: number; readonly p?: number }

/** Has the inputs and the size of scrypt, and takes no time. */
function cheapHash(password: string | Buffer, salt: string | Buffer, bytes: number, cost: Cost = {}): Buffer {
  const facts = `scrypt ${cost.N} ${cost.r} ${cost.p}`
  return Buffer.from(nodeCrypto.hkdfSync('sha256', Buffer.from(password), Buffer.from(salt), facts, bytes))
}

type ScryptCallback = (error: Error | null, key: Buffer | null) => void

/**
 * Ends as a step. Password hashes wait in a queue that all simulated processes share, because it belongs to a module,
 * so those of a killed process end at once, as failures.
 */
function scrypt(
  password: string,
  salt: Buffer,
  bytes: number,
  ...rest: [ScryptCallback] | [Cost, ScryptCallback]
): void {
  const callback = rest.at(-1) as ScryptCallback
  const cost = rest.length === 2 ? rest[0] : {}
  const run = currentRun()
  const owner = currentProcess()
  if (run === null) {
    queueMicrotask(() => callback(null, cheapHash(password, salt, bytes, cost)))
    return
  }
  const giveUp = () => callback(new Error('the process was killed'), null)
  if (owner?.isDead) {
    queueMicrotask(giveUp)
    return
  }
  const forget = owner?.onKill(giveUp)
  const delayMs = run.scheduler.random.between(PASSWORD_MS_LEAST, PASSWORD_MS_LIMIT)
  run.scheduler.schedule({ owner, label: 'password hash', delayMs }, () => {
    forget?.()
    callback(null, cheapHash(password, salt, bytes, cost))
  })
}

/** WebCrypto works in Node's threads: its results are awaited and delivered as steps. */
function installSubtle(): void {
  const methods = Object.getPrototypeOf(globalThis.crypto.subtle) as Record<string, unknown>
  for (const name of Object.getOwnPropertyNames(methods)) {
    const real = methods[name]
    if (typeof real !== 'function' || name === 'constructor') continue
    const call = function (this: unknown, ...values: unknown[]): unknown {
      const run = currentRun()
      if (run && name === 'generateKey') refuse('crypto.subtle.generateKey')
      const result: unknown = real.apply(this, values)
      return run && result instanceof Promise ? run.scheduler.external(`subtle.${name}`, result) : result
    }
    replace(methods, { [name]: call })
  }
}

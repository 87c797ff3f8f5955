import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

export const PASSWORD_CHARS_MIN = 10
export const PASSWORD_CHARS_MAX = 256

/** OWASP's parameters for scrypt: 32 MiB and about 0.1 s for one guess. */
const COST = { N: 2 ** 15, r: 8, p: 3 }
/** A password of 96 random bits cannot be guessed, so it needs no stretching. */
const GENERATED_COST = { N: 2 ** 10, r: 8, p: 1 }
const HASH_BYTES = 32

/** Hashes in the PHC string format, so that the parameters can be raised later and old hashes stay valid. */
export function hashPassword(password: string): Promise<string> {
  return hashWith(password, COST)
}

/** Only for passwords that this program made from at least 12 random bytes. It takes a hundredth of the CPU time. */
export function hashGeneratedPassword(password: string): Promise<string> {
  return hashWith(password, GENERATED_COST)
}

async function hashWith(password: string, cost: typeof COST): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, cost)
  return `$scrypt$ln=${Math.log2(cost.N)},r=${cost.r},p=${cost.p}$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const match = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/.exec(stored)
  if (!match) return false
  const [, ln, r, p, salt = '', hash = ''] = match
  const expected = Buffer.from(hash, 'base64url')
  if (expected.length !== HASH_BYTES) return false
  const cost = { N: 2 ** Number(ln), r: Number(r), p: Number(p) }
  return timingSafeEqual(await derive(password, Buffer.from(salt, 'base64url'), cost), expected)
}

/**
 * More would take all four threads that Node has for such work, and requests of signed-in users, whose tokens are
 * verified there, would wait behind the guesses of strangers.
 */
const HASHES_AT_ONCE = 2
const lanes: Promise<unknown>[] = Array.from({ length: HASHES_AT_ONCE }, () => Promise.resolve())
let begun = 0

function derive(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  const lane = begun++ % HASHES_AT_ONCE
  const hash = (lanes[lane] ?? Promise.resolve()).then(() => deriveNow(password, salt, cost))
  lanes[lane] = hash.catch(() => {})
  return hash
}

function deriveNow(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Twice the memory that is needed; Node's default limit is too low for these parameters.
    const maxmem = 256 * cost.N * cost.r
    scrypt(password, salt, HASH_BYTES, { ...cost, maxmem }, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

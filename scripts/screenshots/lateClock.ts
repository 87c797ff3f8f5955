import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/**
 * Loaded into every thread of an installation before its program: sets the clock of the process back by the
 * milliseconds in the file, so that a story of several weeks can be told within a minute. Durations are unchanged.
 * Services then ignore the clock of the database, which is not set back.
 */
const LOOK_EVERY_MS = 10
const file = process.env.CLOCK_LATE_FILE ?? ''
const RealDate = Date
const realNow = Date.now
let lateMs = readLateMs()
setInterval(() => {
  lateMs = readLateMs()
}, LOOK_EVERY_MS).unref()

RealDate.now = () => realNow() - lateMs
globalThis.Date = new Proxy(RealDate, {
  apply: () => new RealDate(RealDate.now()).toString(),
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now()] : args, newTarget),
})

const CLOCKS = /\/(installationClock|databaseTime)\.ts$/
registerHooks({
  resolve: (specifier, context, next) =>
    CLOCKS.test(specifier)
      ? next(new URL('./processClock.ts', import.meta.url).href, context)
      : next(specifier, context),
})

/** A file that is just being replaced has no effect. */
function readLateMs(): number {
  const ms = Number.parseInt(readFileSync(file, 'utf8'), 10)
  return Number.isNaN(ms) ? lateMs : ms
}

import { syncBuiltinESMExports } from 'node:module'
import { installCryptography } from './cryptography.ts'
import { installFiles } from './fileCalls.ts'
import { installIdentity, installUncaught } from './identity.ts'
import { installRefusals } from './outside.ts'
// Keeps the real functions, so it must be evaluated before they are replaced.
import './realTime.ts'
import { installRandomness } from './randomness.ts'
import { installTime } from './time.ts'
import { installTimers } from './timers.ts'

/**
 * Call it before anything else is imported. Until the first run, time stands still, timers never fire and randomness is
 * fixed, so that a database that starts meanwhile always starts alike.
 */
export function installGlobals(): void {
  installUncaught()
  installTime()
  installTimers()
  installRandomness()
  installCryptography()
  installFiles()
  installIdentity()
  installRefusals()
  syncBuiltinESMExports()
}

import { spawnSync } from 'node:child_process'
import { describe, test } from 'vitest'
import { type MissingEngine, withoutEngine } from './engineOffer.ts'

const hasRedisServer = spawnSync('redis-server', ['--version']).status === 0

/** Why Redis cannot run on this machine; null if it can. */
export const missingRedis: MissingEngine | null = hasRedisServer
  ? null
  : { missing: 'redis-server cannot be run (Debian: redis-server)' }

/** A suite that needs `redis-server`. If it is missing, the suite is a single test that says so. */
export function describeWithRedis(name: string, suite: () => void): void {
  if (missingRedis === null) return void describe(name, suite)
  test(name, (context) => withoutEngine(context, missingRedis))
}

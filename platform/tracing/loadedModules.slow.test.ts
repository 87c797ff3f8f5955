import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Imports all services and opens tracing as they do; prints the OpenTelemetry packages that were loaded. */
const PROGRAM = `
import { registerHooks } from 'node:module'
const packages = new Set()
registerHooks({
  load(url, context, next) {
    const found = /node_modules\\/(@opentelemetry\\/[^/]+)/.exec(url)
    if (found) packages.add(found[1])
    return next(url, context)
  },
})
await import('./capabilities/runService.ts')
await import('./services/gateway/startGateway.ts')
await import('./services/backend/backend.ts')
await import('./services/backend/graphql/api.ts')
await import('./services/ai/ai.ts')
await import('./services/projector/projector.ts')
await import('./services/reactor/reactor.ts')
await import('./services/reactor/sealer/sealer.ts')
await import('./services/relay/relay.ts')
const { readConfig } = await import('./platform/config/config.ts')
const { openTracing } = await import('./platform/tracing/openTracing.ts')
const opened = async (settings) => {
  const clock = { now: Date.now, monotonicMs: () => 0 }
  const tracing = await openTracing(readConfig(settings), { clock, name: 'test' })
  return { isOn: tracing !== null, packages: [...packages].sort() }
}
const off = await opened({})
const on = await opened({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })
console.log(JSON.stringify({ off, on }))
process.exit(0)
`

test('without a collector only the API that prom-client brings is loaded; with one, the SDK is', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM])
  const { off, on } = JSON.parse(stdout)
  expect(off).toEqual({ isOn: false, packages: ['@opentelemetry/api'] })
  expect(on.isOn).toBe(true)
  expect(on.packages).toContain('@opentelemetry/sdk-trace')
})

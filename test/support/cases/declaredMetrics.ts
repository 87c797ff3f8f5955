import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../processes/npmProcess.ts'

export type DeclaredMetric = {
  readonly name: string
  readonly kind: 'Counter' | 'Gauge' | 'Histogram'
  readonly labels: readonly string[]
}

const DECLARATION =
  /new (Counter|Gauge|Histogram)\(\{\s*name: '(tollgate_\w+)',\s*help:\s*(?:'[^'\n]*'|"[^"\n]*"),\s*(?:labelNames: \[([^\]]*)\])?/g
/** The sealer's metrics share a function. */
const SEALER_FIGURE = /figure\(\s*'(tollgate_\w+)'/g

/** The metrics in the services' sources, because what a service exposes depends on its engines. */
export function declaredMetrics(): DeclaredMetric[] {
  const files = globSync('{platform,capabilities,services}/**/*.ts', {
    cwd: repository,
    exclude: ['**/*.test.ts'],
  })
  const sources = files.map((file) => readFileSync(join(repository, file), 'utf8')).join('\n')
  const declared = [...sources.matchAll(DECLARATION)].map(([, kind, name = '', labels = '']) => ({
    name,
    kind: kind as DeclaredMetric['kind'],
    labels: [...labels.matchAll(/'(\w+)'/g)].map(([, label = '']) => label),
  }))
  const figures = [...sources.matchAll(SEALER_FIGURE)].map(
    ([, name = '']) => ({ name, kind: 'Gauge', labels: [] }) as const,
  )
  return [...declared, ...figures]
}

import { worstState } from '../../platform/circuitBreaker/circuitBreaker.ts'
import type { GatewayReport, ReportedProvider, ReportedRoute, ReportedRouteProvider } from './gatewayReports.ts'

export type ServedModel = Omit<ReportedRoute, 'providers'> & {
  readonly providers: readonly (ReportedProvider & Required<Omit<ReportedRouteProvider, 'name'>>)[]
}

/**
 * What all gateways together serve. Gateways differ while PROVIDERS_FILE changes: an alias then has the settings of the
 * newest report that contains it. Figures are added up, and a breaker is as bad as on the worst gateway.
 */
export function mergedReports(newestFirst: readonly GatewayReport[]): ServedModel[] {
  const routes = new Map<string, ReportedRoute>()
  const reported = new Map<string, ReportedProvider[]>()
  for (const report of newestFirst) {
    for (const route of report.routes) if (!routes.has(route.alias)) routes.set(route.alias, route)
    for (const each of report.providers) reported.set(each.provider, [...(reported.get(each.provider) ?? []), each])
  }
  return [...routes.values()].map((route) => ({
    ...route,
    providers: route.providers.map(({ name, weight, wires = route.wires }) => ({
      ...merged(name, reported.get(name) ?? []),
      weight,
      wires,
    })),
  }))
}

function merged(provider: string, reports: readonly ReportedProvider[]): ReportedProvider {
  const answers = sum(reports, (each) => each.answers)
  return {
    provider,
    breaker: worstState(reports.map((each) => each.breaker)),
    answers,
    errors: sum(reports, (each) => each.errors),
    firstByteMs: answers === 0 ? null : sum(reports, (each) => (each.firstByteMs ?? 0) * each.answers) / answers,
  }
}

function sum(reports: readonly ReportedProvider[], of: (report: ReportedProvider) => number): number {
  return reports.reduce((total, report) => total + of(report), 0)
}

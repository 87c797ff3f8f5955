/** PROPERTY_RUNS=many is set by `npm run test:slow`. */
export const HAS_MANY_RUNS = process.env.PROPERTY_RUNS === 'many'

/** How many cases a property test tries: few in `npm test`, many in `npm run test:slow`. */
export function propertyRuns({ few, many }: { readonly few: number; readonly many: number }): number {
  return HAS_MANY_RUNS ? many : few
}

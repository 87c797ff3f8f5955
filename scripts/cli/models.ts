import { PROJECTIONS, projectionNamed } from '../../projections/catalogue.ts'
import type { Projection } from '../../projections/projection.ts'
import { WrongUsage } from './command.ts'

export const MODEL_NAMES = PROJECTIONS.map(({ name }) => name).join(', ')

export function requireModel(name: string): Projection {
  const projection = projectionNamed(name)
  if (!projection) throw new WrongUsage(`there is no read model ${JSON.stringify(name)}; there are: ${MODEL_NAMES}`)
  return projection
}

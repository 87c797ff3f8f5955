import { route } from '../../../platform/http/route.ts'
import type { MatchScoreGenerator } from '../generator/matchScoreGenerator.ts'
import {
  GENERATOR_PATH,
  GENERATOR_TAG,
  generatorRefusals,
  generatorStatusAnswer,
  orUnavailable,
  statusOf,
} from './generatorAnswers.ts'

export const generatorStatus = (generator: Pick<MatchScoreGenerator, 'figures'>) =>
  route({
    method: 'GET',
    path: `${GENERATOR_PATH}/status`,
    access: 'internal',
    tag: GENERATOR_TAG,
    summary: 'What the generator is doing',
    answer: generatorStatusAnswer,
    refusals: generatorRefusals,
    handle: async () => statusOf(await orUnavailable(generator.figures())),
  })

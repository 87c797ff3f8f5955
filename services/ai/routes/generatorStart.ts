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

export const generatorStart = (generator: Pick<MatchScoreGenerator, 'start'>) =>
  route({
    method: 'POST',
    traced: true,
    path: `${GENERATOR_PATH}/start`,
    access: 'internal',
    tag: GENERATOR_TAG,
    summary: 'Starts the generator; a running one is left unchanged',
    answer: generatorStatusAnswer,
    refusals: generatorRefusals,
    handle: async () => statusOf(await orUnavailable(generator.start())),
  })

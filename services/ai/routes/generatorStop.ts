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

export const generatorStop = (generator: Pick<MatchScoreGenerator, 'stop'>) =>
  route({
    method: 'POST',
    traced: true,
    path: `${GENERATOR_PATH}/stop`,
    access: 'internal',
    tag: GENERATOR_TAG,
    summary: 'Stops the generator after the current batch; a stopped one is left unchanged',
    answer: generatorStatusAnswer,
    refusals: generatorRefusals,
    handle: async () => statusOf(await orUnavailable(generator.stop())),
  })

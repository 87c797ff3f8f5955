import {
  GeneratorStream,
  MATCH_SCORES,
  type StreamSnapshot,
} from '../../../../../capabilities/generator/generatorStream.ts'
import { type GeneratorFigures, readPublishedFigures } from '../../../../../capabilities/generator/publishedFigures.ts'
import { isoTime } from '../../../../../platform/clock/clock.ts'
import { requireSuperAdmin } from '../../access/access.ts'
import { actorOf, type GraphqlContext, nowOf } from '../../context.ts'
import type { Generator, Resolvers } from '../../generated.ts'
import { BREAKERS } from './models.ts'

export const generator: Resolvers = {
  Query: {
    generator: async (_source, _args, context) => {
      requireSuperAdmin(context)
      return shownGenerator(context, await streamOf(context).read())
    },
  },

  Mutation: {
    startGenerator: (_source, _args, context) => command(context, 'StartGenerator'),
    stopGenerator: (_source, _args, context) => command(context, 'StopGenerator'),
  },
}

/** The AI service follows the generator's stream, so a command needs no connection to it. */
async function command(context: GraphqlContext, type: 'StartGenerator' | 'StopGenerator'): Promise<Generator> {
  requireSuperAdmin(context)
  const origin = { actor: actorOf(context), correlationId: context.correlationId }
  const snapshot = await streamOf(context).send({ type, name: MATCH_SCORES, at: nowOf(context) }, origin)
  return shownGenerator(context, snapshot)
}

function streamOf({ runtime }: GraphqlContext): GeneratorStream {
  const { engines, clock, ids } = runtime
  return new GeneratorStream(MATCH_SCORES, { store: engines.store, clock, ids })
}

async function shownGenerator({ runtime }: GraphqlContext, { state }: StreamSnapshot): Promise<Generator> {
  const figures = await readPublishedFigures(runtime.engines.database, MATCH_SCORES)
  return { isStarted: state.status === 'running', batch: state.batch, figures: figures && shownFigures(figures) }
}

function shownFigures(figures: GeneratorFigures): Generator['figures'] {
  const { status, uptimeSeconds, queueSize, processed, errors, errorPercent, avgMs, perMinute } = figures
  const { lastProcessedAtMs, breaker } = figures
  return {
    isProcessing: status === 'processing',
    uptimeSeconds,
    queuedPairs: queueSize,
    matches: processed,
    errors,
    errorPercent,
    matchMs: avgMs,
    matchesPerMinute: perMinute,
    lastMatchAt: lastProcessedAtMs === null ? null : isoTime(lastProcessedAtMs),
    breaker: BREAKERS[breaker],
  }
}

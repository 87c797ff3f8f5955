import { HttpError } from '../../../platform/http/answer/httpError.ts'
import { anyQuery, type Route, route } from '../../../platform/http/route.ts'
import { modelProviderEnvelope } from './modelProviderEnvelope.ts'

const PATHS = ['/v1/chat/*path', '/v1/completions', '/v1/embeddings', '/v1/responses', '/v1/messages', '/v1/models']

/**
 * URLs of real model providers that the sandbox does not serve. They share `/v1/` with the payment API, which would
 * refuse the key of a model provider.
 */
export const unknownModelUrls: readonly Route[] = PATHS.map((path) =>
  route({
    method: 'ALL',
    path,
    access: 'public',
    summary: `Other requests to ${path}`,
    query: anyQuery,
    envelope: modelProviderEnvelope,
    handle: ({ request: { method, url = '/' } }) => {
      throw new HttpError(404, `there is no route ${method} ${url.split('?', 1)[0]}`)
    },
  }),
)

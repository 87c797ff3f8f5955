import { JOB } from '../../../capabilities/extraction/parseTarget.ts'
import { anyQuery, route } from '../../../platform/http/route.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { parseCall } from '../parsing/parseCall.ts'
import { type ParseRequest, parseBody } from '../parsing/parseRequest.ts'
import type { RequestContext } from '../requestContext.ts'
import { MOUNT } from './mount.ts'

export const parseJd = (deps: GatewayDependencies) =>
  route<RequestContext, typeof anyQuery, ParseRequest>({
    method: 'POST',
    path: MOUNT + JOB.endpoint,
    access: 'key',
    scope: 'inference:parse',
    tag: 'Parsing',
    summary: 'A job posting, as text or a file, into its requirements',
    query: anyQuery,
    body: parseBody,
    answer: JOB.schema,
    handle: parseCall(deps, JOB),
  })

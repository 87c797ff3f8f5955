import { CV } from '../../../capabilities/extraction/parseTarget.ts'
import { anyQuery, route } from '../../../platform/http/route.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { parseCall } from '../parsing/parseCall.ts'
import { type ParseRequest, parseBody } from '../parsing/parseRequest.ts'
import type { RequestContext } from '../requestContext.ts'
import { MOUNT } from './mount.ts'

export const parseCv = (deps: GatewayDependencies) =>
  route<RequestContext, typeof anyQuery, ParseRequest>({
    method: 'POST',
    path: MOUNT + CV.endpoint,
    access: 'key',
    scope: 'inference:parse',
    tag: 'Parsing',
    summary: 'A CV, as text or a file, into a candidate profile',
    query: anyQuery,
    body: parseBody,
    answer: CV.schema,
    handle: parseCall(deps, CV),
  })

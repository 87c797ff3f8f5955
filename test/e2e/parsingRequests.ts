import { type Answer, type CallOptions, call } from '../support/harness/gatewayClient.ts'
import type { GatewayHarness } from '../support/harness/gatewayHarness.ts'
import { completion } from '../support/parties/scriptedProvider.ts'

export const PARSE_CV = '/llm/v1/parse/cv'
export const PARSE_JD = '/llm/v1/parse/jd'

export type Upload = {
  readonly bytes: Buffer | string
  readonly name?: string
  readonly type?: string
  readonly field?: string
}

/** A multipart call as browsers and HTTP clients make it. */
export async function upload(
  gateway: Pick<GatewayHarness, 'url' | 'key'>,
  path: string,
  files: readonly Upload[],
  { headers: more, ...options }: CallOptions = {},
): Promise<Answer> {
  const form = new FormData()
  for (const { bytes, name = 'cv.pdf', type = '', field = 'file' } of files) {
    form.append(field, new Blob([new Uint8Array(Buffer.from(bytes))], { type }), name)
  }
  const encoded = new Response(form)
  const body = Buffer.from(await encoded.arrayBuffer())
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '', ...more }
  return call(gateway.url, path, { key: gateway.key.raw, ...options, method: 'POST', headers, body })
}

/** A provider's answer that says this. */
export function answering(content: unknown, usage?: object): object {
  const message = { role: 'assistant', content: typeof content === 'string' ? content : JSON.stringify(content) }
  return completion({ choices: [{ index: 0, message, finish_reason: 'stop' }], ...(usage ? { usage } : {}) })
}

export const EMPTY_CV = {
  name: null,
  contact: { email: null, phone: null, location: null },
  summary: null,
  skills: [],
  experience: [],
  education: [],
  languages: [],
  links: [],
}

export const EMPTY_JOB = {
  title: null,
  company: null,
  location: null,
  employment_type: null,
  seniority: null,
  salary: { min: null, max: null, currency: null, period: null },
  must_have: [],
  nice_to_have: [],
  responsibilities: [],
}

import type { IncomingHttpHeaders } from 'node:http2'

/** The codes of gRPC that are used here. */
export const GRPC_STATUS = {
  ok: 0,
  canceled: 1,
  unknown: 2,
  permissionDenied: 7,
  unimplemented: 12,
  unavailable: 14,
  unauthenticated: 16,
} as const

const NAMES = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
]

/** A gRPC call that failed, with the code of gRPC. */
export class GrpcFailure extends Error {
  readonly code: number

  constructor(code: number, details: string, cause?: unknown) {
    super(`${code} ${NAMES[code] ?? 'UNKNOWN'}: ${details}`, { cause })
    this.name = 'GrpcFailure'
    this.code = code
  }
}

export type GrpcOutcome = 'succeeded' | GrpcFailure

/** The status from the trailers, or from the headers if there is nothing else; null if there is none. */
export function outcomeIn(headers: IncomingHttpHeaders): GrpcOutcome | null {
  const status = headers['grpc-status']
  if (status !== undefined) {
    const code = Number(status)
    return code === GRPC_STATUS.ok ? 'succeeded' : new GrpcFailure(code, decoded(String(headers['grpc-message'] ?? '')))
  }
  const http = Number(headers[':status'] ?? 200)
  return http === 200 ? null : new GrpcFailure(codeOfHttp(http), `the event store answered with HTTP status ${http}`)
}

function codeOfHttp(status: number): number {
  if (status === 401) return GRPC_STATUS.unauthenticated
  if (status === 403) return GRPC_STATUS.permissionDenied
  if (status === 404) return GRPC_STATUS.unimplemented
  return status === 429 || status >= 502 ? GRPC_STATUS.unavailable : GRPC_STATUS.unknown
}

/** Messages are percent-encoded. */
function decoded(message: string): string {
  try {
    return decodeURIComponent(message)
  } catch {
    return message
  }
}

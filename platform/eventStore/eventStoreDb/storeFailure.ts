import { GRPC_STATUS } from './connection/grpcFailure.ts'

/** What failed, and where, if an operator has to correct it. */
export function failureText(error: unknown): string {
  const { message, code } = error as Error & { readonly code?: unknown }
  if (code === GRPC_STATUS.unauthenticated) return 'the user or the password of EVENTSTORE_URL is wrong'
  if (code === GRPC_STATUS.permissionDenied) {
    return 'the user of EVENTSTORE_URL may not do that: reading all streams needs the group $admins, or an access list of $all'
  }
  return message
}

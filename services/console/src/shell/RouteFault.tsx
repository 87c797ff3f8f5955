import type { ErrorComponentProps } from '@tanstack/react-router'
import { ErrorBox } from '../parts/ErrorBox.tsx'

/** A page that could not be shown. */
export function RouteFault({ error }: ErrorComponentProps) {
  return <ErrorBox error={error} onRetry={() => location.reload()} />
}

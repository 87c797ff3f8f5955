import type { ErrorComponentProps } from '@tanstack/react-router'
import { serverAnswers } from '../api/loadPage.ts'
import { ErrorBox } from '../parts/ErrorBox.tsx'

/** A page that could not be shown. */
export function RouteFault({ error }: ErrorComponentProps) {
  const retry = async () => {
    if (await serverAnswers()) location.reload()
  }
  return <ErrorBox error={error} onRetry={() => void retry()} />
}

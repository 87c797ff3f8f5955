import { ApiError } from '../api/apiError.ts'
import { Button } from './Button.tsx'

type Props = { readonly error: unknown; readonly onRetry?: () => void }

/** The error message, with the id to look for in the log. */
export function ErrorBox({ error, onRetry }: Props) {
  const requestId = error instanceof ApiError ? error.requestId : null
  const message =
    error instanceof ApiError ? error.message : 'Something went wrong in the console. Reload the page and try again.'
  return (
    <div className="banner danger" role="alert">
      <div>
        <p>{message}</p>
        {requestId && (
          <p className="small">
            Request <code>{requestId}</code>
          </p>
        )}
      </div>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  )
}

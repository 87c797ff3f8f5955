import { ApiError } from '../../api/apiError.ts'
import type { LedgerReceiptQuery } from '../../graphql/generated.ts'

export type Receipt = LedgerReceiptQuery['ledgerReceipt']

export type Check = { readonly name: string; readonly ok: boolean; readonly detail: string }

type Checker = {
  check(
    text: string,
    options: { readonly vkeys: readonly string[] },
  ): Promise<{ readonly ok: boolean; readonly checks: readonly Check[] }>
}

/** Not bundled: the file that anybody can download, read and run is the one that runs here. */
const CHECKER = '/log/check.mjs'

/** Checks a receipt in this browser, with the checker and the key that the installation publishes. */
export async function prove(receipt: Receipt): Promise<readonly Check[]> {
  const { check } = (await import(/* @vite-ignore */ CHECKER)) as Checker
  const { checks } = await check(JSON.stringify(receipt), { vkeys: await verifierKeys() })
  return checks
}

async function verifierKeys(): Promise<readonly string[]> {
  const answer = await fetch('/log/vkey').catch(() => null)
  if (!answer?.ok) {
    const requestId = answer?.headers.get('x-request-id') ?? null
    throw new ApiError(
      'The public key of the transparency log could not be read.',
      `HTTP_${answer?.status ?? 0}`,
      requestId,
    )
  }
  // After an empty line follow notes about keys that were replaced.
  const [keys = ''] = (await answer.text()).split('\n\n')
  return keys.split('\n').filter((line) => line !== '')
}

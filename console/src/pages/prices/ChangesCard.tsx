import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { execute } from '../../api/execute.ts'
import { DAY_MS, isoBefore } from '../../api/now.ts'
import {
  type AliasPriceInput,
  PreviewPricesDocument,
  type PriceBookInput,
  PublishPricesDocument,
  type PublishPricesMutation,
} from '../../graphql/generated.ts'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Field } from '../../parts/Field.tsx'
import { Segments } from '../../parts/Segments.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { localTime } from '../../parts/values/times.ts'
import { PLATFORM } from '../../shell/platform.ts'
import { PreviewTable } from './PreviewTable.tsx'
import { editOf, othersIn } from './priceDraft.ts'

const RANGES = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
] as const
type Range = (typeof RANGES)[number]['value']

export type Published = PublishPricesMutation['publishPriceBook']

type Props = {
  readonly book: PriceBookInput
  readonly whose: string
  /** False if a cell has no valid price; the grid then marks it. */
  readonly onCheck: () => boolean
  readonly onDiscard: () => void
  readonly onPublished: (book: Published) => void
}

/** The unpublished changes: previews them against recent calls, sets when they start, and publishes them. */
export function ChangesCard({ book, whose, onCheck, onDiscard, onPublished }: Props) {
  const [range, setRange] = useState<Range>('7')
  const [from, setFrom] = useState('')
  const [previewed, setPreviewed] = useState('')
  const [isAsking, setAsking] = useState(false)
  const queries = useQueryClient()
  const text = JSON.stringify(book)
  const preview = useQuery({
    queryKey: [PLATFORM, 'price preview', text, range],
    queryFn: () =>
      execute(PreviewPricesDocument, { input: book, from: isoBefore(Number(range) * DAY_MS), to: isoBefore(0) }),
    enabled: previewed === text,
  })
  const publish = useMutation({
    mutationFn: () =>
      execute(PublishPricesDocument, {
        input: { ...book, ...(from !== '' && { effectiveFrom: new Date(from).toISOString() }) },
      }),
    onSuccess: async ({ publishPriceBook }) => {
      onPublished(publishPriceBook)
      await queries.invalidateQueries({ queryKey: [PLATFORM] })
    },
  })
  const when = from === '' ? 'about 5 seconds after you publish' : localTime(new Date(from).toISOString())
  return (
    <Card
      title={summary(book)}
      action={
        <span className="row">
          <span className="muted small">Preview with calls from</span>
          <Segments label="Calls of the preview" options={RANGES} value={range} onPick={setRange} />
        </span>
      }
    >
      <div className="inside spread">
        <Field
          label="In force from (local time)"
          hint="Leave empty to start about 5 seconds after publishing, when every gateway knows the prices."
          type="datetime-local"
          value={from}
          onChange={({ target }) => setFrom(target.value)}
        />
        <div className="row">
          <Button kind="quiet" onClick={onDiscard}>
            Discard
          </Button>
          <Button busy={preview.isFetching} onClick={() => onCheck() && setPreviewed(text)}>
            Preview
          </Button>
          <Button kind="primary" onClick={() => onCheck() && setAsking(true)}>
            Publish
          </Button>
        </div>
      </div>
      {previewed === text && preview.isPending && <Skeleton lines={3} />}
      {preview.error && previewed === text && <ErrorBox error={preview.error} onRetry={() => void preview.refetch()} />}
      {preview.data && previewed === text && <PreviewTable preview={preview.data.previewPriceBook} />}
      {isAsking && (
        <ConfirmDialog
          title={`Publish prices for ${whose}?`}
          action="Publish"
          change={publish}
          onConfirm={() => publish.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>
            {summary(book)}, in force from <strong>{when}</strong>. A call is charged at the prices in force when it was
            admitted. A published book stays in the history; a later one can change the prices again.
          </p>
          <ul>
            {(book.prices ?? []).map((price) => (
              <li key={price.alias}>
                <code>{price.alias}</code> gets the new price{withOthers(price)}
              </li>
            ))}
            {(book.retire ?? []).map((alias) => (
              <li key={alias}>
                <code>{alias}</code> {book.companyId ? 'gets the common price again' : 'can no longer be called'}
              </li>
            ))}
          </ul>
        </ConfirmDialog>
      )}
    </Card>
  )
}

function withOthers(price: AliasPriceInput): string {
  const others = othersIn(editOf(price))
  return others.length === 0 ? '' : `, also for ${others.join(', ')}`
}

function summary({ prices, retire }: PriceBookInput): string {
  const count = (prices?.length ?? 0) + (retire?.length ?? 0)
  return `${count} ${count === 1 ? 'change' : 'changes'} not published yet`
}

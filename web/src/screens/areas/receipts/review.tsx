import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../../api.ts'
import { problemText } from '../../../refusals.ts'
import { useMay } from '../../../session.ts'
import { shownNumber } from '../../../shown.tsx'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { SchemaValue } from '../../../ui/schema/schema-form.tsx'
import { useLanguage, useWords } from '../../../words.ts'
import { readingKey } from './reading-key.ts'
import { type Attached, type Reading, Receipt } from './receipt.tsx'
import { reviewWords } from './review-words.ts'

function useReading({ id }: Attached) {
  const lang = useLanguage()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const { data } = useQuery<Reading | null>({
    queryKey: readingKey(id),
    queryFn: () => null,
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  })
  async function read() {
    setBusy(true)
    setProblem('')
    try {
      const { extractedData, scanError } = await call('expenses_scan', { attachmentId: id })
      queries.setQueryData(readingKey(id), extractedData)
      if (scanError) setProblem(scanError)
      await queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('expenses') })
    } catch (error) {
      setProblem(problemText(lang, error as Error))
    } finally {
      setBusy(false)
    }
  }
  return { reading: data ?? undefined, busy, problem, read }
}

/** The fields of an expense that are called differently on a receipt. */
const printed: Record<string, string> = { amount: 'total' }

export type Noted = (each: SchemaValue, inside: ReactNode) => ReactNode
type ReviewProps = { files: readonly [Attached, ...Attached[]]; children: (noted: Noted) => ReactNode }

/** The receipt beside the fields that were read from it: where each is printed, and how sure the reader was. */
export function Review({ files, children }: ReviewProps) {
  const say = useWords(reviewWords)
  const may = useMay()
  const [field, setField] = useState<string>()
  const { reading, busy, problem, read } = useReading(files[0])
  const wrong = reading?.checks?.filter(({ holds }) => !holds) ?? []
  const noted: Noted = (each, inside) => {
    const name = printed[each.path] ?? each.path
    const look = () => setField(name)
    return (
      <div className="grid gap-1 min-w-0" onFocus={look} onMouseEnter={look}>
        {inside}
        {reading && <Note of={name} reading={reading} value={each.value} />}
      </div>
    )
  }
  return (
    <div className="grid gap-5 items-start lg:grid-cols-2">
      <section
        aria-label={say.receipt}
        tabIndex={0}
        className="min-w-0 max-h-[38dvh] lg:max-h-[66dvh] lg:sticky lg:top-0 overflow-y-auto"
      >
        <Receipt files={files} reading={reading} field={field} large />
      </section>
      <div className="grid gap-4 min-w-0">
        {problem && <Alert>{problem}</Alert>}
        {wrong.map(({ rule }) => (
          <Alert key={rule}>{say.checks[rule] ?? say.check}</Alert>
        ))}
        {!reading && may('expenses_scan') && (
          <div>
            <Button icon="search" busy={busy} onPress={() => void read()}>
              {busy ? say.reading : say.show}
            </Button>
          </div>
        )}
        {children(noted)}
      </div>
    </div>
  )
}

const doubtful = 0.8

/** How sure the reader was, and what it read where the field says something else. */
function Note({ of, reading, value }: { of: string; reading: Reading; value: unknown }) {
  const say = useWords(reviewWords)
  const lang = useLanguage()
  const sure = reading.confidence?.[of]
  const read = reading[of as 'vendor']
  if (sure === undefined || read === null || read === undefined) return null
  const isOther = value !== undefined && value !== null && String(value) !== String(read)
  const percent = shownNumber(lang, Math.round(sure * 100))
  return (
    <p
      className={`flex flex-wrap items-center gap-x-2 text-xs ${sure < doubtful || isOther ? 'text-warn' : 'text-soft'}`}
    >
      {(sure < doubtful || isOther) && <Icon name="alert" />}
      {say.sure(percent)}
      {isOther && (
        <span className="min-w-0 truncate">
          {say.read} <bdi>{String(read)}</bdi>
        </span>
      )}
    </p>
  )
}

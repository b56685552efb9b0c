import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Refused, read } from '../../../api.ts'
import { refusal } from '../../../refusals.ts'
import { today } from '../../../shown.tsx'
import { Skeleton } from '../../../ui/card.tsx'
import { labelOf } from '../../../ui/schema/schema-words.ts'
import { useLanguage, useWords } from '../../../words.ts'
import { useSources } from '../editor/editing.ts'
import { WarningList } from '../editor/warnings.tsx'
import { shownValue } from '../panels/binding-name.ts'
import { panelWords } from '../panels/panel-words.ts'
import { contextValue, forPreview, type Spec } from './filter-spec.ts'

const countedMax = 1000

/** How many rows the filter finds now, and the first of them; asked for when nobody has typed for half a second. */
export function FilterPreview({
  blockId,
  organizationId,
  spec,
}: {
  blockId: string
  organizationId: string
  spec: Spec
}) {
  const say = useWords(panelWords)
  const lang = useLanguage()
  const { sampleAt } = useSources(blockId)
  const { spec: settled, leftOut } = forPreview(
    useSettled(spec),
    (path) => contextValue(path, today()) ?? sampleAt(path),
  )
  const { data, error, isFetching } = useQuery({
    ...read('automations_preview', { organizationId, spec: settled }),
    enabled: settled.root !== '' && settled.extract.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
  if (error instanceof Refused)
    return (
      <p role="status" className="rounded-md bg-danger-wash text-danger px-3 py-2">
        {refusal(lang, error)}
      </p>
    )
  if (!data) return <Skeleton className="h-16" />
  const title = data.count === 0 ? say.findsNothing : say.finds(data.count, data.count >= countedMax)
  return (
    <section className={`grid gap-2 rounded-md bg-tint p-3 ${isFetching ? 'opacity-60' : ''}`}>
      <h3 role="status" className="font-medium">
        {'scalar' in data ? `${say.computed} ${shownValue(data.scalar)}` : title}
      </h3>
      {leftOut > 0 && <p className="text-soft">{say.leftOut(leftOut)}</p>}
      <Rows of={data.sample} />
      {data.warnings && data.warnings.length > 0 && <WarningList of={data.warnings} />}
    </section>
  )
}

function Rows({ of }: { of: readonly unknown[] }) {
  const lang = useLanguage()
  const [first] = of
  if (first === undefined) return null
  if (typeof first !== 'object' || first === null) return <bdi>{of.map(shownValue).join(', ')}</bdi>
  const heads = Object.keys(first).filter((name) => name !== 'id')
  return (
    <div className="relative overflow-x-auto" tabIndex={0} role="group">
      <table className="text-sm">
        <thead>
          <tr>
            {heads.map((name) => (
              <th key={name} scope="col" className="text-start font-medium text-soft pe-4">
                <bdi>{labelOf(lang, name)}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {of.map((row, at) => (
            <tr key={at}>
              {heads.map((name) => (
                <td key={name} className="pe-4 whitespace-nowrap max-w-40 truncate">
                  <bdi>{shownValue((row as Record<string, unknown>)[name])}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function useSettled<T>(value: T, ms = 500): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}

import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useWrite } from '../../../api.ts'
import { lineMinor, toMajor } from '../../../money.ts'
import { Money } from '../../../shown.tsx'
import { DayField } from '../../../ui/forms/day-field.tsx'
import { box, Field } from '../../../ui/forms/field.tsx'
import { NumberField } from '../../../ui/forms/number-field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { LongField } from '../../../ui/forms/text-field.tsx'
import { useTyped } from '../../../ui/forms/typed.ts'
import { Ask } from '../../../ui/overlays/dialog.tsx'
import { say as toast } from '../../../ui/overlays/toast.tsx'
import { useWords } from '../../../words.ts'
import type { Doc } from '../document/content.tsx'
import { useTry } from '../editor/try.ts'
import { useHere } from '../here.ts'
import { actWords } from './act-words.ts'

type MemoLine = {
  id: string
  description: string
  quantity: number
  unitPrice: number
  taxRate: number | null
  taxCategory: string | null
}

/** A correction with a number of its own: of all that is left, or of single lines. */
export function MemoDialog({ doc, kind, onClose }: { doc: Doc; kind: 'CREDIT' | 'DEBIT'; onClose: () => void }) {
  const say = useWords(actWords)
  const { id: org } = useHere()
  const navigate = useNavigate()
  const [whole, setWhole] = useTyped(`whole ${kind} ${doc.id}`, kind === 'CREDIT')
  const [reason, setReason] = useTyped(`reason ${kind} ${doc.id}`, '')
  const [isAsked, setAsked] = useState(false)
  const [day, setDay] = useTyped(`day ${kind} ${doc.id}`, '')
  const [lines, setLines] = useTyped<readonly MemoLine[]>(`lines ${kind} ${doc.id}`, startLines(doc, kind))
  const write = useWrite('invoices_memos', ['invoices', 'dashboard', 'customers'])
  const { act, busy, problem } = useTry()
  const filled = lines.filter(
    ({ quantity, unitPrice, description }) => quantity > 0 && unitPrice > 0 && description !== '',
  )
  const items = filled.map((line) => ({
    ...line,
    amount: toMajor(lineMinor(line.quantity, line.unitPrice, doc.currency), doc.currency),
  }))
  const isMissing = reason.trim() === ''
  const issue = async () => {
    setAsked(true)
    if (isMissing) return
    await act(async (key) => {
      const given = { ...(!whole && { items }), ...(day && { issueDate: day }) }
      const memo = await write.mutateAsync({ id: doc.id, kind, reason, ...given, key })
      toast(say.issuedMemo(memo.invoiceNumber ?? ''))
      onClose()
      void navigate({ to: '/o/$org/documents/$id', params: { org, id: memo.id } })
    })
  }
  return (
    <Ask
      title={say.memoTitle[kind](doc.invoiceNumber ?? '')}
      act={say.memoAct[kind]}
      busy={busy}
      problem={problem}
      onClose={onClose}
      onAct={() => void issue()}
    >
      <p>{say.memoFinal[kind]}</p>
      {kind === 'CREDIT' && (
        <Field label={say.what}>
          <Select
            value={whole ? 'whole' : 'some'}
            options={[
              { value: 'whole', label: say.whole },
              { value: 'some', label: say.some },
            ]}
            onChange={(next) => setWhole(next === 'whole')}
          />
        </Field>
      )}
      {whole ? (
        <p>
          {say.left}: <Money amount={doc.total - doc.creditedAmount} currency={doc.currency} />
        </p>
      ) : (
        <MemoLines lines={lines} currency={doc.currency} onChange={setLines} />
      )}
      <LongField
        label={say.reason}
        hint={say.reasonHint}
        value={reason}
        onChange={setReason}
        error={isAsked && isMissing ? say.reasonNeeded : undefined}
      />
      <Field label={say.memoDay}>
        <DayField value={day} placeholder={say.memoToday} onDay={setDay} />
      </Field>
    </Ask>
  )
}

const startLines = (doc: Doc, kind: 'CREDIT' | 'DEBIT'): MemoLine[] =>
  kind === 'DEBIT'
    ? [{ id: crypto.randomUUID(), description: '', quantity: 1, unitPrice: 0, taxRate: null, taxCategory: null }]
    : doc.items.map(({ id, description, quantity, unitPrice, taxRate, taxCategory }) => ({
        id,
        description,
        quantity,
        unitPrice,
        taxRate,
        taxCategory,
      }))

type MemoLinesProps = { lines: readonly MemoLine[]; currency: string; onChange: (lines: readonly MemoLine[]) => void }

function MemoLines({ lines, currency, onChange }: MemoLinesProps) {
  const say = useWords(actWords)
  const set = (id: string, more: Partial<MemoLine>) =>
    onChange(lines.map((line) => (line.id === id ? { ...line, ...more } : line)))
  return (
    <div className="grid gap-2">
      {lines.map((line) => (
        <div key={line.id} className="grid grid-cols-[minmax(0,1fr)_4.5rem_6rem_auto] gap-2 items-center">
          <input
            aria-label={say.description}
            dir="auto"
            value={line.description}
            onChange={(event) => set(line.id, { description: event.target.value })}
            className={`${box} w-full`}
          />
          <NumberField
            label={say.quantity}
            value={line.quantity}
            onNumber={(quantity) => set(line.id, { quantity })}
            className="w-full"
          />
          <NumberField
            label={say.price}
            value={line.unitPrice}
            digits={2}
            onNumber={(unitPrice) => set(line.id, { unitPrice })}
            className="w-full"
          />
          <span className="number text-sm">
            <Money
              amount={toMajor(lineMinor(line.quantity, line.unitPrice, currency), currency)}
              currency={currency}
              quiet
            />
          </span>
        </div>
      ))}
    </div>
  )
}

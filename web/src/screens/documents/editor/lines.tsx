import { type KeyboardEvent, useEffect, useState } from 'react'
import { Money } from '../../../shown.tsx'
import { Button, Kbd } from '../../../ui/button.tsx'
import { box } from '../../../ui/forms/field.tsx'
import { NumberField } from '../../../ui/forms/number-field.tsx'
import { useWords } from '../../../words.ts'
import { type Draft, emptyLine, isBlank, type Line } from './draft.ts'
import { editorWords } from './editor-words.ts'
import { ItemPicker } from './item-picker.tsx'
import { LineDetails } from './line-details.tsx'
import { linesOf } from './sheet.ts'

type LinesProps = {
  draft: Draft
  amounts: readonly number[]
  doubt: (path: string) => string | undefined
  onChange: (items: Line[]) => void
}
const columns = 'grid-cols-[minmax(0,1fr)_4rem_6.25rem_7rem_4.25rem]'
const cell = 'w-full border-transparent bg-transparent not-focus:bg-transparent hover:border-edge'

/** The field of a line that has, or gets, the focus; a line that was just added is there after the next paint. */
const focusOn = (id: string, field: string) =>
  requestAnimationFrame(() =>
    document
      .querySelector<HTMLElement>(
        `[data-line="${id}"] [data-field="${field}"] input, [data-line="${id}"] input[data-field="${field}"]`,
      )
      ?.focus(),
  )

/** Enter goes to the next line and adds one at the end, Alt with arrows moves a line, rows of a sheet can be pasted. */
export function Lines({ draft, amounts, doubt, onChange }: LinesProps) {
  const say = useWords(editorWords)
  const { items } = draft
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const [first] = items
    if (draft.customerId && first && isBlank(first)) focusOn(first.id, 'description') // the customer was given: one writes on
  }, [])
  const set = (id: string, more: Partial<Line>) =>
    onChange(items.map((line) => (line.id === id ? { ...line, ...more } : line)))
  const insert = (at: number, ...added: Line[]) => {
    onChange([...items.slice(0, at), ...added, ...items.slice(at)])
    const last = added.at(-1)
    if (last) focusOn(last.id, 'description')
  }
  const remove = (at: number) => {
    const rest = items.filter((_, index) => index !== at)
    onChange(rest.length > 0 ? rest : [emptyLine()])
    const near = rest[Math.max(0, at - 1)]
    if (near) focusOn(near.id, 'description')
  }
  function onKey(event: KeyboardEvent<HTMLElement>, at: number) {
    const line = items[at]
    const field = (event.target as HTMLElement).closest<HTMLElement>('[data-field]')?.dataset.field
    if (!line || !field) return
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault()
      onChange(moved(items, at, event.key === 'ArrowUp' ? -1 : 1))
      focusOn(line.id, field)
    } else if (event.key === 'Enter' && !event.metaKey && !event.ctrlKey) {
      event.preventDefault()
      const next = items[at + 1]
      if (next) focusOn(next.id, 'description')
      else insert(at + 1, emptyLine())
    } else if (event.key === 'Backspace' && field === 'description' && isBlank(line) && items.length > 1) {
      event.preventDefault()
      remove(at)
    }
  }
  /** Rows take the place of a line that is still blank. */
  function onPaste(text: string, at: number) {
    const rows = linesOf(text)
    if (!rows) return false
    const line = items[at]
    const blank = line !== undefined && isBlank(line)
    onChange([...items.slice(0, blank ? at : at + 1), ...rows, ...items.slice(at + 1)])
    focusOn(rows.at(-1)?.id ?? '', 'description')
    return true
  }
  const toggle = (id: string) => setOpen((before) => (before.has(id) ? without(before, id) : new Set([...before, id])))
  return (
    <div role="group" aria-label={say.lines}>
      <div aria-hidden className={`grid ${columns} gap-1 text-xs text-soft pb-1 border-b border-ink/80 max-sm:hidden`}>
        <span className="ps-2.5">{say.description}</span>
        <span className="number pe-2.5">{say.quantity}</span>
        <span className="number pe-2.5">{say.price}</span>
        <span className="number">{say.amount}</span>
      </div>
      {items.map((line, at) => {
        const note = line.description.trim() === '' && line.unitPrice > 0 ? say.describe : doubt(`line ${line.id}`)
        const shows = open.has(line.id) || hasDetails(line, draft.taxRate)
        return (
          <div
            key={line.id}
            data-line={line.id}
            role="group"
            aria-label={say.line(at + 1)}
            className="border-b border-rule py-1"
          >
            <div
              className={`group grid ${columns} max-sm:grid-cols-[4.5rem_minmax(0,1fr)_auto] gap-1 items-center`}
              onKeyDown={(event) => onKey(event, at)}
            >
              <input
                aria-label={say.description}
                aria-invalid={note === say.describe || undefined}
                data-field="description"
                dir="auto"
                placeholder={say.descriptionHint}
                value={line.description}
                onChange={(event) => set(line.id, { description: event.target.value })}
                onPaste={(event) => {
                  if (onPaste(event.clipboardData.getData('text/plain'), at)) event.preventDefault()
                }}
                className={`${box} ${cell} max-sm:col-span-3`}
              />
              <span data-field="quantity" className="contents">
                <NumberField
                  label={say.quantity}
                  value={line.quantity}
                  onNumber={(quantity) => set(line.id, { quantity })}
                  className={cell}
                />
              </span>
              <span data-field="price" className="contents">
                <NumberField
                  label={say.price}
                  value={line.unitPrice}
                  digits={2}
                  onNumber={(unitPrice) => set(line.id, { unitPrice })}
                  className={cell}
                />
              </span>
              <span className="number">
                <Money amount={amounts[at] ?? 0} currency={draft.currency} />
              </span>
              <span className="flex justify-end max-sm:col-span-3 opacity-60 group-hover:opacity-100 group-focus-within:opacity-100">
                <Button
                  look="quiet"
                  icon="more"
                  label={say.details}
                  aria-expanded={shows}
                  onPress={() => toggle(line.id)}
                />
                <Button look="quiet" icon="close" label={say.remove} onPress={() => remove(at)} />
              </span>
            </div>
            {shows && <LineDetails line={line} currency={draft.currency} onChange={(more) => set(line.id, more)} />}
            {note && (
              <p className={`text-sm ps-2.5 pb-1 ${note === say.describe ? 'text-danger' : 'text-warn'}`}>{note}</p>
            )}
          </div>
        )
      })}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pt-2">
        <Button look="quiet" icon="plus" onPress={() => insert(items.length, emptyLine())}>
          {say.add}
        </Button>
        <ItemPicker currency={draft.currency} onPick={(line) => insert(items.length, line)} />
        <span className="flex-1" />
        <span className="flex items-center gap-1.5 text-xs text-soft max-md:hidden">
          <Kbd>↵</Kbd> {say.add} · {say.moveHint} · {say.pasteHint}
        </span>
      </div>
    </div>
  )
}

const without = (ids: ReadonlySet<string>, id: string) => new Set([...ids].filter((each) => each !== id))

/** A rate that is the document's own is no detail. */
const hasDetails = ({ discountPercent, discountAmount, taxRate }: Line, usual: number | null) =>
  discountPercent !== null || discountAmount !== null || (taxRate !== null && taxRate !== usual)

function moved(items: readonly Line[], at: number, by: number): Line[] {
  const to = at + by
  const line = items[at]
  if (!line || to < 0 || to >= items.length) return [...items]
  const rest = items.filter((_, index) => index !== at)
  return [...rest.slice(0, to), line, ...rest.slice(to)]
}

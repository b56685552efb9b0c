import { useState } from 'react'
import { addDays, shownDay, today } from '../../shown.tsx'
import { type Language, locales, useLanguage } from '../../words.ts'
import { Input } from './field.tsx'

/**
 * A day by keyboard: `15`, `15/12`, `15.12.26`, `+30`, `-1`, `t`; read and shown as the organization writes it, so that in the
 * United States `12/15` is in December. Arrows step a day. With a `placeholder` it may be empty.
 */
export function DayField({
  value,
  onDay,
  placeholder,
}: {
  value: string
  onDay: (day: string) => void
  placeholder?: string
}) {
  const lang = useLanguage()
  const [typed, setTyped] = useState<string | null>(null)
  const take = () => {
    const day = typed === null ? undefined : readDay(typed, today(), { monthFirst: monthFirst(lang) })
    if (day) onDay(day)
    else if (typed?.trim() === '' && placeholder !== undefined) onDay('')
    setTyped(null)
  }
  return (
    <Input
      value={typed ?? (value && shownDay(lang, value))}
      className="tabular-nums"
      placeholder={placeholder}
      onText={setTyped}
      onBlur={take}
      onFocus={(event) => event.currentTarget.select()}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
        if (event.key === 'Enter' && typed !== null) {
          take()
          event.preventDefault() // the next Enter sends the form, when the day that was understood is in view
        }
        if (by === 0 || !value) return
        event.preventDefault()
        setTyped(null)
        onDay(addDays(value, by))
      }}
    />
  )
}

/** Whether the organization writes the month before the day. */
const monthFirst = (lang: Language) =>
  new Intl.DateTimeFormat(locales[lang]).formatToParts(new Date(0)).find(({ type }) => type !== 'literal')?.type ===
  'month'

/** What is missing is taken from `base`. With `monthFirst`, `12/15` is in December; `15/12` too, because there is no month 15. */
export function readDay(text: string, base: string, { monthFirst = false } = {}): string | undefined {
  const said = text.trim().toLowerCase()
  if (said === 't' || said === 'ה') return base
  if (/^[+-]\d{1,4}$/.test(said)) return addDays(base, Number(said))
  if (/^\d{4}-\d{2}-\d{2}$/.test(said)) return real(said)
  const [a, b, c] = said.split(/[./\- ]+/)
  if (!a || !/^\d+$/.test(a)) return undefined
  const [day, month] = b && (monthFirst ? Number(a) <= 12 : Number(b) > 12 && Number(a) <= 12) ? [b, a] : [a, b]
  const year = c ? (c.length === 2 ? `20${c}` : c) : base.slice(0, 4)
  return real(`${year}-${(month ?? base.slice(5, 7)).padStart(2, '0')}-${(day ?? '').padStart(2, '0')}`)
}
/** 31 February is no day. */
const real = (day: string) =>
  Number.isNaN(Date.parse(day)) || new Date(day).toISOString().slice(0, 10) !== day ? undefined : day

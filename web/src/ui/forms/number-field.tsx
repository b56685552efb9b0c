import { useLayoutEffect, useRef, useState } from 'react'
import { shownNumber } from '../../shown.tsx'
import { useLanguage } from '../../words.ts'
import { box, useField } from './field.tsx'

type NumberProps = {
  label: string
  value: number
  onNumber: (value: number) => void
  digits?: number
  className?: string
  autoFocus?: boolean
}

/** A number as it is written here, and as it was typed while somebody types. Takes 1,234.5 and 1.234,5; refuses nothing. */
export function NumberField({ label, value, onNumber, digits, className = '', autoFocus = false }: NumberProps) {
  const lang = useLanguage()
  const [typed, setTyped] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const editing = typed !== null
  useLayoutEffect(() => {
    if (editing && document.activeElement === field.current) field.current?.select()
  }, [editing])
  return (
    <input
      {...useField()}
      aria-label={label}
      autoFocus={autoFocus}
      inputMode="decimal"
      dir="ltr"
      value={typed ?? shownNumber(lang, value, digits)}
      ref={field}
      onFocus={() => setTyped(String(value))}
      onBlur={() => setTyped(null)}
      onChange={(event) => {
        setTyped(event.target.value)
        onNumber(readNumber(event.target.value))
      }}
      className={`${box} text-end tabular-nums ${className}`}
    />
  )
}

/** The last point or comma is the decimal one, unless it only groups: 1,000 and 1.234.567 are whole. */
export function readNumber(text: string): number {
  const bare = text.replace(/[^\d.,-]/g, '')
  if (/^-?\d{1,3}(,\d{3}|\.\d{3}(?=\.)|(?<=\.\d{3})\.\d{3})+$/.test(bare)) return Number(bare.replace(/[.,]/g, ''))
  const point = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf(','))
  const whole = point < 0 ? bare : bare.slice(0, point).replace(/[.,]/g, '')
  return Number(point < 0 ? whole : `${whole}.${bare.slice(point + 1)}`) || 0
}

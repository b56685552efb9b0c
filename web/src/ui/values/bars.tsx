import { Link, type LinkProps } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { Money, monthName } from '../../shown.tsx'
import { useLanguage } from '../../words.ts'

/** Series stand on each other; those that are `below` hang under the line of zero. */
export type Series = { key: string; label: string; color: string; below?: boolean }
type Month = { month: string } & Record<string, number | string>
type Way = Pick<LinkProps, 'to' | 'params' | 'search'>
type BarsProps = {
  label: string
  months: readonly Month[]
  series: readonly Series[]
  currency: string
  height?: number
  /** A quiet line over each month to compare with, such as the year before. */
  compared?: { label: string; amounts: readonly number[] } | undefined
  /** Where the name of a month leads. */
  wayOf?: (month: string) => Way
}

const positive = (month: Month, key: string) => Math.max(0, Number(month[key]))

/** Amounts of months. Drawn from start to end in either direction; a table behind it says the same to whoever cannot see. */
export function Bars(props: BarsProps) {
  const { label, months, series, currency, height = 208, compared, wayOf } = props
  const [at, setAt] = useState<number | null>(null)
  const id = useId()
  const { top, bottom, ticks } = scaleOf(months, series, compared?.amounts)
  const share = (amount: number) => `${(amount / (top + bottom)) * 100}%`
  return (
    <figure className="relative @container" aria-labelledby={id}>
      <figcaption id={id} className="sr-only">
        {label}
      </figcaption>
      <div className="relative ms-12" style={{ height }} onPointerLeave={() => setAt(null)}>
        {ticks.map((tick) => (
          <div
            key={tick}
            className={`absolute inset-x-0 border-t ${tick === 0 ? 'border-edge/60' : 'border-rule'}`}
            style={{ bottom: share(bottom + tick) }}
          >
            <span className="absolute -top-2 end-full me-2 text-xs text-soft">
              <Money amount={Math.abs(tick)} currency={currency} compact quiet />
            </span>
          </div>
        ))}
        <div className="absolute inset-0 flex items-end gap-[3%]">
          {months.map((month, index) => (
            <div key={month.month} className="relative flex-1 h-full overflow-clip" onPointerEnter={() => setAt(index)}>
              <div
                aria-hidden
                className={`absolute inset-y-0 -inset-x-[12%] rounded-sm ${at === index ? 'bg-tint' : ''}`}
              />
              {placed(month, series).map(({ key, color, from, amount }) => (
                <div
                  key={key}
                  data-series={key}
                  className="absolute inset-x-0"
                  style={{ bottom: share(bottom + from), height: share(amount), background: color }}
                />
              ))}
              {compared && (compared.amounts[index] ?? 0) > 0 && (
                <div
                  aria-hidden
                  className="absolute inset-x-0 border-t-2 border-dotted border-soft"
                  style={{ bottom: share(bottom + (compared.amounts[index] ?? 0)) }}
                />
              )}
            </div>
          ))}
        </div>
      </div>
      <MonthNames months={months} {...(wayOf && { wayOf })} />
      {at !== null && <Tip {...props} at={at} />}
      <Told {...props} />
    </figure>
  )
}

function MonthNames({ months, wayOf }: Pick<BarsProps, 'months' | 'wayOf'>) {
  const lang = useLanguage()
  return (
    <div className="ms-12 mt-2 flex gap-[3%] text-xs text-soft" aria-hidden={wayOf ? undefined : true}>
      {months.map(({ month }) => {
        const name = (
          <>
            <span className="@max-[30rem]:hidden">{monthName(lang, month)}</span>
            <span className="@min-[30rem]:hidden" aria-hidden>
              {monthName(lang, month, 'narrow')}
            </span>
          </>
        )
        return (
          <span key={month} className="flex-1 text-center whitespace-nowrap">
            {wayOf ? (
              <Link
                {...(wayOf(month) as LinkProps)}
                aria-label={monthName(lang, month, 'long')}
                className="block hover:text-ink hover:underline"
              >
                {name}
              </Link>
            ) : (
              name
            )}
          </span>
        )
      })}
    </div>
  )
}

/** The figures of the month under the pointer. */
function Tip({ months, series, currency, compared, at }: BarsProps & { at: number }) {
  const lang = useLanguage()
  const shown = months[at]
  if (!shown) return null
  return (
    <div
      className="pointer-events-none absolute z-10 top-0 floating p-2.5 text-sm min-w-40"
      style={
        at > 6
          ? { insetInlineEnd: `${(1 - at / 12) * 88 + 2}%` }
          : { insetInlineStart: `calc(3.5rem + ${((at + 1) / 12) * 88}%)` }
      }
    >
      <div className="text-soft mb-1">{monthName(lang, shown.month, 'long')}</div>
      {[...series].reverse().map(({ key, label: name, color }) => (
        <div key={key} className="flex items-center gap-2">
          <span className="size-2 rounded-full" style={{ background: color }} />
          <span className="flex-1">{name}</span>
          <Money amount={Number(shown[key])} currency={currency} />
        </div>
      ))}
      {compared && (
        <div className="flex items-center gap-2 text-soft">
          <span className="w-2 border-t-2 border-dotted border-soft" />
          <span className="flex-1">{compared.label}</span>
          <Money amount={compared.amounts[at] ?? 0} currency={currency} quiet />
        </div>
      )}
    </div>
  )
}

/** The same as a table, for whoever cannot see the bars. */
function Told({ label, months, series, currency, compared }: BarsProps) {
  const lang = useLanguage()
  return (
    <div className="sr-only">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <td />
            {series.map(({ key, label: name }) => (
              <th key={key} scope="col">
                {name}
              </th>
            ))}
            {compared && <th scope="col">{compared.label}</th>}
          </tr>
        </thead>
        <tbody>
          {months.map((month, at) => (
            <tr key={month.month}>
              <th scope="row">{monthName(lang, month.month, 'long')}</th>
              {series.map(({ key }) => (
                <td key={key}>
                  <Money amount={Number(month[key])} currency={currency} />
                </td>
              ))}
              {compared && (
                <td>
                  <Money amount={compared.amounts[at] ?? 0} currency={currency} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Where each series of a month begins, as an amount above the line of zero, and how much it is. The last one stands lowest. */
function placed(month: Month, series: readonly Series[]) {
  let [above, below] = [0, 0]
  return series.toReversed().map(({ key, color, below: isBelow = false }) => {
    const amount = positive(month, key)
    if (isBelow) below += amount
    else above += amount
    return { key, color, amount, from: isBelow ? -below : above - amount }
  })
}

/** How far the bars may go above and below the line, and the amounts that are written beside. */
function scaleOf(months: readonly Month[], series: readonly Series[], compared: readonly number[] = []) {
  const most = (those: readonly Series[]) =>
    Math.max(0, ...months.map((month) => those.reduce((sum, { key }) => sum + positive(month, key), 0)))
  const hanging = series.filter(({ below }) => below)
  const up = niceTop(Math.max(most(series.filter(({ below }) => !below)), ...compared, 1))
  if (hanging.length === 0) return { top: up, bottom: 0, ticks: [0, up / 2, up] }
  const down = niceTop(Math.max(most(hanging), 1))
  const [top, bottom] = [Math.max(up, down / leastShare), Math.max(down, up / leastShare)] // room for what is written beside
  return { top, bottom, ticks: [-bottom, 0, top] }
}
const leastShare = 4

function niceTop(value: number) {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((step) => step * power >= value) ?? 10) * power
}

import type { ReactNode } from 'react'
import { useOrganization } from '../../session.ts'
import { Money, shownNumber } from '../../shown.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { labelOf } from '../../ui/schema/schema-words.ts'
import { Facts } from '../../ui/values/facts.tsx'
import { type Row, shownBy, Value } from '../../ui/values/values.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { isAmount, isHidden } from './amounts.ts'
import { reportWords } from './words.ts'

const isRecord = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)
const isTable = (value: unknown): value is Row[] => Array.isArray(value) && value.length > 0 && value.every(isRecord)

/** The answer of a report: its facts, then every list in it as a table. What it was asked for is in the fields above it. */
export function Sheet({ of, asked }: { of: Row; asked: readonly string[] }) {
  const say = useWords(reportWords)
  const lang = useLanguage()
  const { currency: home } = useOrganization()
  const currency = typeof of.currency === 'string' ? of.currency : home
  const entries = Object.entries(of).filter(([name, value]) => !isHidden(name) && value !== null && value !== '')
  const facts = entries.filter(([name, value]) => typeof value !== 'object' && !asked.includes(name))
  const parts = entries.filter(([name, value]) => (isRecord(value) || isTable(value)) && !asked.includes(name))
  return (
    <>
      {of.fxIncomplete === true && (
        <p className="flex items-center gap-2 bg-warn-wash text-warn rounded-md px-3 py-2">
          <Icon name="alert" />
          {say.incomplete}
        </p>
      )}
      {facts.length > 0 && (
        <Card className="p-4">
          <Facts
            of={facts.map(([name, value]) => [
              labelOf(lang, name),
              <Figure key={name} name={name} value={value} currency={currency} />,
            ])}
          />
        </Card>
      )}
      {parts.map(([name, value]) => (
        <Card key={name} title={labelOf(lang, name)} className="pb-3">
          {isTable(value) ? (
            <SheetTable
              name={labelOf(lang, name)}
              rows={value}
              currency={currency}
              said={asked.includes('account') ? accountNames : []}
            />
          ) : (
            <Group name={labelOf(lang, name)} of={value as Row} currency={currency} />
          )}
        </Card>
      ))}
      {parts.length === 0 && <p className="text-soft">{say.none}</p>}
    </>
  )
}

/** An object inside a report: its own figures and tables. */
function Group({ name: group, of, currency }: { name: string; of: Row; currency: string }) {
  const lang = useLanguage()
  const entries = Object.entries(of).filter(([name, value]) => !isHidden(name) && !/He$/.test(name) && value !== null)
  const facts = entries.filter(([, value]) => typeof value !== 'object')
  return (
    <div className="px-4 pt-2 grid grid-cols-[minmax(0,1fr)] gap-3">
      {facts.length > 0 && (
        <Facts
          of={facts.map(([name, value]) => [
            labelOf(lang, name),
            <Figure key={name} name={name} value={value} currency={currency} />,
          ])}
        />
      )}
      {entries.map(([name, value]) =>
        isTable(value) ? (
          <div key={name}>
            <h3 className="text-sm text-soft">{labelOf(lang, name)}</h3>
            <SheetTable name={`${group}: ${labelOf(lang, name)}`} rows={value} currency={currency} />
          </div>
        ) : isRecord(value) ? (
          <div key={name}>
            <h3 className="text-sm text-soft">{labelOf(lang, name)}</h3>
            <Group name={`${group}: ${labelOf(lang, name)}`} of={value} currency={currency} />
          </div>
        ) : null,
      )}
    </div>
  )
}

function Figure({ name, value, currency }: { name: string; value: unknown; currency: string }): ReactNode {
  if (typeof value === 'number' && /[mM]argin$/.test(name))
    return <Value value={value} shown="percent" currency={currency} />
  if (typeof value === 'number' && isAmount(name)) return <Money amount={value} currency={currency} />
  return <Value value={value} shown={shownBy(name, value)} currency={currency} />
}

const most = 500
/** Columns that the chosen account says for all rows. */
const accountNames = ['accountCode', 'accountName']

/** Rows of one shape, without the columns that are `said` above. Lists inside a row are left to the download. */
function SheetTable({
  name: table,
  rows,
  currency,
  said = [],
}: {
  /** As whoever cannot see tells it from the other tables. */
  name: string
  rows: readonly Row[]
  currency: string
  said?: readonly string[]
}) {
  const say = useWords(reportWords)
  const lang = useLanguage()
  const names = [...new Set(rows.flatMap(Object.keys))].filter(
    (name) =>
      !isHidden(name) &&
      !/He$/.test(name) &&
      !said.includes(name) &&
      rows.some((row) => row[name] !== null && typeof row[name] !== 'object'),
  )
  const isNumber = (name: string) => rows.some((row) => typeof row[name] === 'number')
  return (
    <div className="relative overflow-x-auto" tabIndex={0} role="region" aria-label={table}>
      <table className="w-full">
        <thead>
          <tr className="border-b border-rule text-xs text-soft">
            {names.map((name) => (
              <th
                key={name}
                scope="col"
                className={`px-4 py-2 font-normal whitespace-nowrap ${isNumber(name) ? 'number' : 'text-start'}`}
              >
                {labelOf(lang, name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, most).map((row, at) => (
            <tr key={at} className="border-b border-rule last:border-0 hover:bg-tint">
              {names.map((name) => (
                <td key={name} className={`px-4 py-2 ${isNumber(name) ? 'number' : ''}`}>
                  <Figure
                    name={name}
                    value={(lang === 'he' && row[`${name}He`]) || row[name]}
                    currency={typeof row.currency === 'string' ? row.currency : currency}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > most && <p className="px-4 py-2 text-soft">{say.more(shownNumber(lang, rows.length - most))}</p>}
    </div>
  )
}

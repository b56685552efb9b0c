import { Count, Day, Money, shownInstant } from '../shown.tsx'
import { useLanguage, useWords } from '../words.ts'
import { Icon } from './icon.tsx'
import { Name } from './name.tsx'
import { choiceOf, labelOf, schemaWords } from './schema-words.ts'

export type Row = Record<string, unknown>

/** How a value is shown. */
export type Shown = 'text' | 'name' | 'day' | 'instant' | 'choice' | 'count' | 'flag' | 'money'

/** The value at a path such as `customer.name`. */
export const valueAt = (row: Row, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Row | null | undefined)?.[key], row)

/** A value of a row as it is shown in a list or among the facts of a record. */
export function Value({ value, shown, currency }: { value: unknown; shown: Shown; currency: string }) {
  const say = useWords(schemaWords)
  const lang = useLanguage()
  if (value === null || value === undefined || value === '') return <span className="text-soft">–</span>
  switch (shown) {
    case 'money':
      return <Money amount={Number(value)} currency={currency} />
    case 'count':
      return typeof value === 'number' ? <Count of={value} /> : <bdi>{String(value)}</bdi>
    case 'day':
      return <Day at={String(value).slice(0, 10)} />
    case 'instant':
      return <time dateTime={String(value)}>{shownInstant(lang, String(value))}</time>
    case 'flag':
      return value ? <Icon name="check" className="text-accent" /> : <span className="text-soft">{say.no}</span>
    case 'choice':
      return <>{choiceOf(lang, String(value))}</>
    case 'name':
      return <Name>{String(value)}</Name>
    case 'text':
      return <bdi dir="ltr">{String(value)}</bdi>
  }
}

const moneyNames =
  /^(amount|total|subtotal|balance|openBalance|paidAmount|creditedAmount|gross|net|value|debit|credit|taxAmount|withheldAmount|openRemainder|allocatedTotal|refundedTotal|employerCost|monthlyWage|unitCost|unitPrice|salePrice|purchasePrice|averageCost|stockValue)$/

/** How a field of an unknown record is shown, by its name and value. */
export function shownBy(name: string, value: unknown): Shown {
  if (typeof value === 'boolean') return 'flag'
  if (typeof value === 'number') return moneyNames.test(name) ? 'money' : 'count'
  const text = String(value)
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return 'day'
  if (/^\d{4}-\d{2}-\d{2}T/.test(text)) return 'instant'
  if (/^[A-Z][A-Z_]{2,}$/.test(text)) return 'choice'
  return /(number|code|iban|email|phone|id|sku)$/i.test(name) ? 'text' : 'name'
}

const hidden = /^(id|organizationId|createdAt|updatedAt|html|warnings|_count)$|Id$|Ids$/

/** Everything that a record holds, in the order the server gives it; objects and lists below each other. */
export function AllValues({ of, currency, depth = 0 }: { of: Row; currency: string; depth?: number }) {
  const lang = useLanguage()
  const own = typeof of.currency === 'string' ? of.currency : currency
  const entries = Object.entries(of).filter(([name, value]) => !hidden.test(name) && !isNothing(value))
  return (
    <dl className="grid grid-cols-[minmax(6rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1.5">
      {entries.map(([name, value]) =>
        typeof value === 'object' ? (
          <div key={name} className="col-span-2 grid gap-1.5 mt-2">
            <dt className="text-sm text-soft">{labelOf(lang, name)}</dt>
            <dd className="grid gap-2">
              {(Array.isArray(value) ? value : [value]).slice(0, 100).map((each, at) =>
                typeof each === 'object' && each !== null && depth < 3 ? (
                  <div key={at} className="rounded-md border border-rule p-2.5">
                    <AllValues of={each as Row} currency={own} depth={depth + 1} />
                  </div>
                ) : (
                  <bdi key={at}>{String(each)}</bdi>
                ),
              )}
            </dd>
          </div>
        ) : (
          <div key={name} className="contents">
            <dt className="text-soft">{labelOf(lang, name)}</dt>
            <dd className="min-w-0 break-words whitespace-pre-line">
              {typeof value === 'string' && value.length > 60 ? (
                <bdi>
                  <Linked>{value}</Linked>
                </bdi>
              ) : (
                <Value value={value} shown={shownBy(name, value)} currency={own} />
              )}
            </dd>
          </div>
        ),
      )}
    </dl>
  )
}

/** Text with its web addresses as links: one opens what a letter leads to. */
const Linked = ({ children }: { children: string }) =>
  children.split(/(https?:\/\/[^\s<>"]+)/).map((part, at) =>
    at % 2 === 1 ? (
      <a
        key={at}
        href={part}
        target="_blank"
        rel="noreferrer"
        className="break-all text-accent underline underline-offset-2"
      >
        {part}
      </a>
    ) : (
      part
    ),
  )

const isNothing = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

import { Count, countryName, Day, Money, monthName, shownInstant } from '../../shown.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { Icon } from '../icon.tsx'
import { choiceOf, schemaWords } from '../schema/schema-words.ts'
import { Name } from './name.tsx'
import { Ringed, type Status } from './status.tsx'

export type Row = Record<string, unknown>

/** How a value is shown. */
export type Shown =
  | 'text'
  | 'name'
  | 'day'
  | 'month'
  | 'instant'
  | 'choice'
  | 'state'
  | 'count'
  | 'flag'
  | 'low'
  | 'money'
  | 'percent'
  | 'country'
  | 'link'

/** The value at a path such as `customer.name`. */
export const valueAt = (row: Row, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Row | null | undefined)?.[key], row)

/** A value of a row as it is shown in a list or among the facts of a record. */
export function Value({ value, shown, currency }: { value: unknown; shown: Shown; currency: string }) {
  const say = useWords(schemaWords)
  const lang = useLanguage()
  if (value === null || value === undefined || value === '') return <span className="text-soft">–</span>
  const text = String(value)
  switch (shown) {
    case 'money':
      return <Money amount={Number(value)} currency={currency} />
    case 'count':
      return typeof value === 'number' ? <Count of={value} /> : <bdi>{text}</bdi>
    case 'percent':
      return (
        <bdi dir="ltr" className="tabular-nums">
          {`${text.replace('-', '−')}%`}
        </bdi>
      )
    case 'day':
      return <Day at={text.slice(0, 10)} />
    case 'month':
      return <time dateTime={text}>{`${monthName(lang, text, 'long')} ${text.slice(0, 4)}`}</time>
    case 'instant':
      return <time dateTime={text}>{shownInstant(lang, text)}</time>
    case 'flag':
      return <Flag on={Boolean(value)} />
    case 'low':
      return value ? <span className="text-warn">{say.low}</span> : null
    case 'choice':
      return <>{choiceOf(lang, text)}</>
    case 'state':
      return <Ringed is={rings[text] ?? 'SENT'} word={choiceOf(lang, text)} />
    case 'country':
      return <>{countryName(lang, text)}</>
    case 'link':
      return <Address of={text} />
    case 'name':
      return <Name>{text}</Name>
    case 'text':
      return <bdi dir="ltr">{text}</bdi>
  }
}

function Flag({ on }: { on: boolean }) {
  const say = useWords(schemaWords)
  return (
    <>
      {on && <Icon name="check" className="text-accent" />}
      <span className="sr-only">{on ? say.yes : say.no}</span>
    </>
  )
}

function Address({ of }: { of: string }) {
  const say = useWords(schemaWords)
  return (
    <a href={of} className="text-accent underline">
      {say.open}
    </a>
  )
}

/** The ring of a state: what waits for us, what is under way, what is done, what came to nothing. */
const rings: Record<string, Status> = {
  DRAFT: 'DRAFT', PENDING: 'UNSENT', PENDING_REVIEW: 'UNSENT', SUBMITTED: 'UNSENT', OPEN: 'SENT', RUNNING: 'SENT', ACTIVE: 'SENT',
  PARTIALLY_RECEIVED: 'PART', PARTIALLY_DELIVERED: 'PART', APPROVED: 'DONE', RECEIVED: 'DONE', DELIVERED: 'DONE', CLOSED: 'DONE',
  COMPLETED: 'DONE', DONE: 'DONE', PAID: 'PAID', REJECTED: 'CANCELLED', CANCELLED: 'CANCELLED', VOID: 'CANCELLED', INACTIVE: 'CANCELLED',
  STOPPED: 'CANCELLED', MANUAL_STOP: 'CANCELLED', FAILED: 'LATE', ERROR: 'LATE',
} // biome-ignore format: a table

const moneyNames =
  /^(amount|total|subtotal|balance|gross|net|value|debit|credit|paid|outstanding|deductions|contributions|reimbursements|applied|claimed|settled|yearToDate|base|levy|opening|closing|tax|insuredWage|otherIncome|allowances|dependentsCredit)$|(Amount|Total|Price|Cost|Value|Wage|Balance|Outstanding|Remainder|Ceiling|Debit|Credit)$/

/** How a field of an unknown record is shown, by its name and value. */
export function shownBy(name: string, value: unknown): Shown {
  if (typeof value === 'boolean') return 'flag'
  if (/^(port|year|yearOfAssessment)$/.test(name)) return 'text'
  if (typeof value === 'number')
    return moneyNames.test(name)
      ? 'money'
      : /(Rate|Percent|^rate)$/.test(name) && name !== 'exchangeRate'
        ? 'percent'
        : 'count'
  const text = String(value)
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return 'day'
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return 'month'
  if (/^\d{4}-\d{2}-\d{2}T/.test(text)) return 'instant'
  if (/^https?:\/\//.test(text)) return 'link'
  if (/country$/i.test(name)) return 'country'
  if (name === 'status' && text in rings) return 'state'
  if (name === 'what') return 'choice'
  if (/^[A-Z][A-Z_]{2,}$/.test(text) && !/(number|code|sku|currency)$/i.test(name)) return 'choice'
  return /(number|code|iban|email|phone|id|sku)$/i.test(name) ? 'text' : 'name'
}

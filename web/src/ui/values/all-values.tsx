import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Fragment } from 'react'
import { useLanguage, useWords } from '../../words.ts'
import { labelOf, schemaWords } from '../schema/schema-words.ts'
import { Name } from './name.tsx'
import { type Row, shownBy, Value } from './values.tsx'

/** What only programs read: ids, versions, and the currency, which every amount shows. */
const hidden =
  /^(id|organizationId|createdAt|updatedAt|html|warnings|_count|currency|saleCurrency|purchaseCurrency|fileType|fileSize|generatorVersion|revision|color)$|Ids?$/
const isId = (value: unknown) => typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/.test(value)
const isRecord = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)
const isNothing = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === false ||
  isId(value) ||
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && Object.values(value).every(isNothing))

/** An amount of zero, or the rate of a currency to itself, tells nobody anything. */
const isIdle = (name: string, value: unknown) =>
  (value === 0 && shownBy(name, value) === 'money') || (name === 'exchangeRate' && value === 1)

/** Something with a name among its fields is shown by its name: the supplier, the category, who created it. */
const nameOf = (value: unknown) =>
  isRecord(value) && typeof value.name === 'string' && Object.keys(value).length <= 4 ? value.name : undefined

/** Several words or addresses are one fact. */
const isWords = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')
const isFact = (value: unknown) => typeof value !== 'object' || nameOf(value) !== undefined || isWords(value)

type Values = {
  of: Row
  currency: string
  leaveOut?: readonly string[]
  /** Fields of the record itself that are amounts, although their names do not say so. */
  amounts?: readonly string[]
}

/** Everything that a record holds: first its facts, then what has parts of its own. */
export function AllValues({ of, currency, leaveOut = [], amounts = [] }: Values) {
  const lang = useLanguage()
  const own = typeof of.currency === 'string' ? of.currency : currency
  const entries = Object.entries(of).filter(
    ([name, value]) => !hidden.test(name) && !leaveOut.includes(name) && !isNothing(value) && !isIdle(name, value),
  )
  const facts = entries.filter(([, value]) => isFact(value))
  const parts = entries.filter((entry) => !facts.includes(entry))
  return (
    <div className="grid gap-4 min-w-0">
      {facts.length > 0 && (
        <dl className="grid grid-cols-[minmax(6rem,9rem)_minmax(0,1fr)] gap-x-4 gap-y-1.5">
          {facts.map(([name, value]) => (
            <Fragment key={name}>
              <dt className="text-soft">{labelOf(lang, name)}</dt>
              <dd className="min-w-0 break-words whitespace-pre-line">
                {amounts.includes(name) ? (
                  <Value value={value} shown="money" currency={own} />
                ) : (
                  factOf(name, value, own)
                )}
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
      {parts.map(([name, value]) => (
        <section key={name} className="border-t border-rule pt-3 grid gap-2 min-w-0">
          <h3 className="font-medium">{labelOf(lang, name)}</h3>
          {Array.isArray(value) ? (
            <Elements of={value} currency={own} />
          ) : (
            <AllValues of={value as Row} currency={own} />
          )}
        </section>
      ))}
    </div>
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

function factOf(name: string, value: unknown, currency: string): ReactNode {
  const named = nameOf(value)
  if (named !== undefined) return <bdi>{named}</bdi>
  if (isWords(value)) return <bdi>{value.join(', ')}</bdi>
  if (typeof value === 'string' && value.length > 60 && !/^https?:/.test(value))
    return (
      <bdi>
        <Linked>{value}</Linked>
      </bdi>
    )
  return <Value value={value} shown={shownBy(name, value)} currency={currency} />
}

const most = 100
const titles = [
  'description',
  'name',
  'label',
  'title',
  'fileName',
  'subject',
  'what',
  'itemName',
  'invoiceNumber',
  'number',
  'date',
  'message',
]
/** A code beside the words for it. */
const beside = ['storageUrl', 'code']
const sums = ['amount', 'total', 'value', 'net']

/** The elements of a list, each on two lines: what it is with its amount, and the rest below. */
const Elements = ({ of, currency }: { of: readonly unknown[]; currency: string }) => (
  <ul className="grid divide-y divide-rule">
    {of.slice(0, most).map((each, at) => (
      <li key={at} className="py-1.5 min-w-0">
        {isRecord(each) ? <Element of={each} currency={currency} /> : <bdi>{String(each)}</bdi>}
        {isRecord(each) && typeof each.expenseId === 'string' && <ToExpense id={each.expenseId} />}
      </li>
    ))}
  </ul>
)

/** The way to the expense that came of a file or message. */
function ToExpense({ id }: { id: string }) {
  const say = useWords(schemaWords)
  const { org } = useParams({ strict: false }) as { org?: string }
  if (!org) return null
  return (
    <Link
      to={'/o/$org/expenses' as never}
      params={{ org } as never}
      search={{ open: id } as never}
      className="text-accent underline text-sm pointer-coarse:inline-block pointer-coarse:py-2"
    >
      {say.toExpense}
    </Link>
  )
}

function Element({ of, currency }: { of: Row; currency: string }) {
  const lang = useLanguage()
  const own = typeof of.currency === 'string' ? of.currency : currency
  const title = titles.find((name) => !isNothing(of[name]))
  if (!title) return <AllValues of={of} currency={own} />
  const sum = sums.find((name) => typeof of[name] === 'number')
  const address = typeof of.storageUrl === 'string' ? of.storageUrl : undefined
  const rest = Object.entries(of).filter(
    ([name, value]) =>
      ![title, `${title}He`, sum, ...beside].includes(name) && !hidden.test(name) && !isNothing(value) && value !== 0,
  )
  const heading = factOf(title, (lang === 'he' && of[`${title}He`]) || of[title], own)
  return (
    <>
      <div className="flex items-baseline justify-between gap-3">
        <span className="min-w-0">
          {address ? (
            <a href={address} className="text-accent underline">
              <Name>{String(of[title])}</Name>
            </a>
          ) : (
            heading
          )}
        </span>
        {sum && factOf(sum, of[sum], own)}
      </div>
      <p className="text-sm text-soft flex flex-wrap gap-x-3">
        {rest
          .filter(([, value]) => isFact(value))
          .map(([name, value]) => (
            <span key={name} className="inline-flex gap-1 max-w-full">
              {labelOf(lang, name)} <span className="text-ink min-w-0">{factOf(name, value, own)}</span>
            </span>
          ))}
      </p>
      {rest.map(([name, value]) =>
        Array.isArray(value) && !isWords(value) ? (
          <details key={name} className="text-sm">
            <summary className="text-soft hover:text-ink">{labelOf(lang, name)}</summary>
            <div className="ps-3 border-s-2 border-rule">
              <Elements of={value} currency={own} />
            </div>
          </details>
        ) : null,
      )}
    </>
  )
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { hrefOf, Refused, read } from '../../api.ts'
import { preparedPercent } from '../../preparing.ts'
import type { Search } from '../../search.ts'
import { useMay, useOrganization } from '../../session.ts'
import { today } from '../../shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Skeleton } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Missing } from '../../ui/missing.tsx'
import { NotAllowed } from '../../ui/not-allowed.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useOperationSchema } from '../../ui/schema/operation-schema.ts'
import { type Schema, typeOf } from '../../ui/schema/schema.ts'
import { SchemaForm } from '../../ui/schema/schema-form.tsx'
import { useTitle } from '../../ui/title.ts'
import type { Row } from '../../ui/values/values.tsx'
import { locales, useLanguage, useWords } from '../../words.ts'
import { AccountField } from './account-field.tsx'
import { isNothing } from './amounts.ts'
import { type Report as Definition, reports } from './reports.ts'
import { Sheet } from './sheet.tsx'
import { reportWords } from './words.ts'

export function Report() {
  const { name } = useParams({ from: '/o/$org/reports/$name' })
  const may = useMay()
  const report = reports.find(({ key }) => key === name)
  if (!report) return <Missing />
  return may(report.name) ? <OneReport key={name} report={report} /> : <NotAllowed needs={report.name} />
}

const notAsked = ['organizationId', 'format', 'page', 'limit', 'cursor', 'totals']

/** One report: what it is asked for stands in the address; its sums and rows below. */
function OneReport({ report }: { report: Definition }) {
  const say = useWords(reportWords)
  const lang = useLanguage()
  useTitle(report.title[lang])
  const navigate = useNavigate()
  const { id: org } = useOrganization()
  const schema = useOperationSchema(report.name)
  const search = useSearch({ strict: false }) as Search
  const { stepsBack, step } = useStepsBack(schema)
  const asked = { ...(schema && defaults(schema, stepsBack)), ...search }
  const input = { organizationId: org, ...asked }
  const lacks = schema?.required?.some((field) => !(field in input)) ?? true
  const { data, error, failureReason, refetch, isPlaceholderData } = useQuery({
    ...read(report.name, input as never),
    enabled: schema !== undefined && !lacks,
    placeholderData: keepPreviousData,
    retry: (_, failure) => preparedPercent(failure) !== undefined, // what is done is kept, so each try comes further
    retryDelay: (_, failure) => ((failure instanceof Refused && failure.retryAfter) || 2) * 1_000,
  })
  const percent = preparedPercent(failureReason)
  const isEmpty = data !== undefined && !isPlaceholderData && isNothing(data)
  const looksBack = isEmpty && step !== undefined && !isChosen(search)
  useEffect(() => {
    if (looksBack) step()
  }, [looksBack, stepsBack])
  const shown = { ...(schema && answered(schema, data as Row | undefined)), ...asked }
  const set = (next: Row) => void navigate({ to: '.', search: onePeriod(shown, next) as never, replace: true })
  const files = schema?.properties?.format?.enum?.filter((each) => each === 'csv' || each === 'xlsx') ?? []
  return (
    <div className="flex-1 overflow-y-auto">
      <div className="mx-auto max-w-[72rem] p-4 md:px-8 md:py-6 grid gap-4">
        <Link
          to="/o/$org/reports"
          params={{ org }}
          className="justify-self-start flex items-center gap-1 text-soft hover:text-ink print:hidden"
        >
          <Icon name="back" />
          {say.title}
        </Link>
        <header className="flex flex-wrap items-center gap-2 pb-3 double-rule">
          <h1 className="font-serif text-xl font-semibold flex-1">{report.title[lang]}</h1>
          <span className="flex gap-2 print:hidden">
            {(lacks ? [] : files).map((format) => (
              <a
                key={String(format)}
                href={hrefOf(report.name, { ...input, format } as never)}
                className="inline-flex items-center gap-1.5 h-8 pointer-coarse:h-11 px-3 rounded-md border border-rule bg-card hover:bg-tint font-medium"
              >
                <Icon name="download" />
                {format === 'csv' ? say.csv : say.xlsx}
              </a>
            ))}
            <Button icon="print" label={say.print} onPress={() => print()} />
          </span>
        </header>
        {schema && (
          <div className="print:hidden">
            <SchemaForm
              schema={schema}
              value={shown}
              onChange={set}
              leaveOut={notAsked}
              labels={{ from: say.from, to: say.to }}
              render={(each, usual) => (each.name === 'account' ? <AccountField each={each} /> : usual())}
              whole
              plain
              row
            />
          </div>
        )}
        {lacks && schema && <p className="text-soft">{say.choose}</p>}
        {error && !data && <Problem error={error} onAgain={() => void refetch()} />}
        {data && !looksBack ? (
          <Sheet of={data as unknown as Row} asked={Object.keys(schema?.properties ?? {})} />
        ) : (
          !error && !lacks && (percent === undefined ? <Skeleton className="h-80" /> : <Preparing percent={percent} />)
        )}
      </div>
    </div>
  )
}

/** What the server took for the fields that nobody filled in: the period, the basis. */
const answered = ({ properties = {} }: Schema, data: Row = {}): Row =>
  Object.fromEntries(Object.entries(data).filter(([name, value]) => name in properties && typeof value !== 'object'))

/** A quarter says both of its days, so whichever of them was typed last is asked for. */
function onePeriod(before: Row, next: Row): Row {
  const { quarter, from, to, ...rest } = next
  const chosen = quarter !== undefined && quarter !== before.quarter
  const typed = from !== before.from || to !== before.to
  if (chosen || (quarter !== undefined && !typed)) return { ...rest, quarter }
  return { ...rest, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}

const periodFields = ['from', 'to', 'year', 'month', 'quarter']
const isChosen = (search: Search) => periodFields.some((field) => field in search)

/** How many periods are looked at for one with entries: years, of reports on a month months. */
const most = { years: 3, months: 6 }

/**
 * A report that nobody has chosen the period of opens with the last one that has entries; without any, with the present one.
 * `step` goes one further back, as long as there is one to look at.
 */
function useStepsBack(schema: Schema | undefined): { stepsBack: number; step: (() => void) | undefined } {
  const [tries, setTries] = useState(0)
  const { quarter, from, year, month } = schema?.properties ?? {}
  const limit = quarter ? 0 : month ? most.months : from || year ? most.years : 0
  return {
    stepsBack: tries > limit ? 0 : tries,
    step: tries < limit + 1 && limit > 0 ? () => setTries(tries + 1) : undefined,
  }
}

/** What a report is asked for unless the address says otherwise: this year until today, or a year or month before. */
function defaults({ properties = {}, required = [] }: Schema, stepsBack: number): Row {
  const day = today()
  const [thisYear, thisMonth] = day.split('-').map(Number) as [number, number]
  const year = thisYear - stepsBack
  const usual: Row = {
    from: `${year}-01-01`,
    to: stepsBack === 0 ? day : `${year}-12-31`,
    year,
    month: new Date(Date.UTC(thisYear, thisMonth - 1 - stepsBack)).toISOString().slice(0, 7),
  }
  // Before everything is chosen that it needs, the server has not said which days it takes.
  const isOpen = required.some((field) => field !== 'organizationId' && !(field in usual))
  const fits = Object.entries(usual).filter(
    ([field]) => field in properties && (required.includes(field) || field === 'month' || isOpen || stepsBack > 0),
  )
  return Object.fromEntries(
    fits.map(([field, value]) => [field, typeOf(properties[field] ?? {}) === 'string' ? String(value) : value]),
  )
}

/** In place of a report whose sums are computed for the first time; it is asked for again until they are there. */
function Preparing({ percent }: { percent: number }) {
  const say = useWords(reportWords)
  const lang = useLanguage()
  const text = say.preparing(new Intl.NumberFormat(locales[lang], { style: 'percent' }).format(percent / 100))
  return (
    <Card>
      <div className="grid gap-3 p-4" role="status">
        <p>{text}</p>
        <progress className="w-full accent-accent" max={100} value={percent} aria-label={text} />
      </div>
    </Card>
  )
}

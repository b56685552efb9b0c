import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { hrefOf, read } from '../../api.ts'
import type { Search } from '../../search.ts'
import { useMay, useOrganization } from '../../session.ts'
import { today } from '../../shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Missing } from '../../ui/missing.tsx'
import { NotAllowed } from '../../ui/not-allowed.tsx'
import { useOperationSchema } from '../../ui/operation-schema.ts'
import { Problem } from '../../ui/problem.tsx'
import { type Schema, typeOf } from '../../ui/schema.ts'
import { SchemaForm } from '../../ui/schema-form.tsx'
import { useTitle } from '../../ui/title.ts'
import type { Row } from '../../ui/values.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { AccountField } from './account-field.tsx'
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
  const asked = { ...(schema && defaults(schema)), ...(useSearch({ strict: false }) as Search) }
  const input = { organizationId: org, ...asked }
  const lacks = schema?.required?.some((field) => !(field in input)) ?? true
  const { data, error, refetch } = useQuery({
    ...read(report.name, input as never),
    enabled: schema !== undefined && !lacks,
    placeholderData: keepPreviousData,
    retry: false,
  })
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
        {data ? (
          <Sheet of={data as unknown as Row} asked={Object.keys(schema?.properties ?? {})} />
        ) : (
          !error && !lacks && <Skeleton className="h-80" />
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

/** What a report is asked for unless the address says otherwise: this year until today. */
function defaults({ properties = {}, required = [] }: Schema): Row {
  const day = today()
  const usual: Row = {
    from: `${day.slice(0, 4)}-01-01`,
    to: day,
    year: Number(day.slice(0, 4)),
    month: day.slice(0, 7),
  }
  const fits = Object.entries(usual).filter(
    ([field]) => field in properties && (required.includes(field) || field === 'month'),
  )
  return Object.fromEntries(
    fits.map(([field, value]) => [field, typeOf(properties[field] ?? {}) === 'string' ? String(value) : value]),
  )
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { hrefOf, type Output, read } from '../../api.ts'
import type { Search } from '../../search.ts'
import { useOrganization } from '../../session.ts'
import { monthName, today } from '../../shown.tsx'
import { Skeleton } from '../../ui/card.tsx'
import { DayField } from '../../ui/forms/day-field.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Missing } from '../../ui/missing.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useTitle } from '../../ui/title.ts'
import { type Language, useLanguage, useWords } from '../../words.ts'
import { Checklist } from './checklist.tsx'
import { fileWords } from './file-words.ts'
import { type Length, type Period, periodsFor } from './periods.ts'
import { reports } from './reports.ts'
import { reportWords } from './words.ts'

export type StatutoryFile = Output<'reports_statutory_files'>['files'][number]

/** A file for the tax authority: its period, what would be refused in it, and the download. */
export function FilePage() {
  const { file: name } = useParams({ from: '/o/$org/reports/files/$file' })
  const { id: organizationId } = useOrganization()
  const { data, error, refetch } = useQuery(read('reports_statutory_files', { organizationId }))
  const file = data?.files.find((each) => each.file === name)
  if (data) return file ? <OneFile key={name} file={file} /> : <Missing />
  return error ? <Problem error={error} onAgain={() => void refetch()} /> : <Skeleton className="h-80 m-6" />
}

function OneFile({ file }: { file: StatutoryFile }) {
  const say = useWords(fileWords)
  const lang = useLanguage()
  const { title: allReports } = useWords(reportWords)
  const { id: org } = useOrganization()
  const title = lang === 'he' ? file.nameHe : file.name
  useTitle(title)
  const { period, fields } = usePeriod(file)
  const input = { organizationId: org, file: file.file, ...period }
  const { data, error, refetch } = useQuery({
    ...read('reports_statutory_file', input),
    placeholderData: keepPreviousData,
    retry: false,
  })
  return (
    <div className="flex-1 overflow-y-auto">
      <div className="mx-auto max-w-[60rem] p-4 md:px-8 md:py-6 grid gap-4">
        <Link
          to="/o/$org/reports"
          params={{ org }}
          className="justify-self-start flex items-center gap-1 text-soft hover:text-ink"
        >
          <Icon name="back" />
          {allReports}
        </Link>
        <header className="flex flex-wrap items-center gap-2 pb-3 double-rule">
          <h1 className="font-serif text-xl font-semibold flex-1">
            <bdi>{title}</bdi>
          </h1>
          {data && !error && (
            <Download href={hrefOf('reports_statutory_file', { ...input, format: 'file' })} file={file} />
          )}
        </header>
        <p className="text-soft max-w-[40rem]">{say.about[file.file] ?? <bdi>{file.description}</bdi>}</p>
        {fields}
        <SameReport of={file.report} period={period} />
        {error ? (
          <Problem error={error} onAgain={() => void refetch()} />
        ) : data ? (
          <Checklist of={data} />
        ) : (
          <Skeleton className="h-80" />
        )}
      </div>
    </div>
  )
}

const Download = ({ href, file }: { href: string; file: StatutoryFile }) => {
  const say = useWords(fileWords)
  return (
    <a
      href={href}
      download
      className="inline-flex items-center gap-1.5 h-8 pointer-coarse:h-11 ps-2.5 pe-3 rounded-md bg-accent text-on-accent hover:brightness-110 font-medium"
    >
      <Icon name="download" />
      {say.download} <bdi>({say.types[file.fileType] ?? file.fileType})</bdi>
    </a>
  )
}

/** The report that shows the same figures, for the same days. */
function SameReport({ of, period: { from, to } }: { of: string | null; period: Period }) {
  const say = useWords(fileWords)
  const { id: org } = useOrganization()
  const report = reports.find(({ name }) => name === of)
  if (!report) return null
  const search = report.name === 'reports_1099_nec' ? { year: Number(from.slice(0, 4)) } : { from, to }
  return (
    <Link
      to="/o/$org/reports/$name"
      params={{ org, name: report.key }}
      search={search as never}
      className="justify-self-start text-accent underline"
    >
      {say.report}
    </Link>
  )
}

const other = 'other'
const keyOf = ({ from, to }: Period) => `${from} ${to}`

/** The days that the file is asked for, from the address, and the fields to choose them: a period that has ended, or other days. */
function usePeriod({ file, period: covers }: StatutoryFile) {
  const say = useWords(fileWords)
  const lang = useLanguage()
  const navigate = useNavigate()
  const asked = useSearch({ strict: false }) as Search & Partial<Period>
  const offered = periodsFor(file, covers, today())
  const usual = offered[0]?.period ?? { from: today(), to: today() }
  const period = { from: String(asked.from ?? usual.from), to: String(asked.to ?? usual.to) }
  const isOffered = offered.some((each) => keyOf(each.period) === keyOf(period))
  const isOther = covers === 'any' && (asked.days === true || !isOffered)
  const set = (next: object) => void navigate({ to: '.', search: next as never, replace: true })
  const choose = (key: string) => {
    const [from, to] = key.split(' ')
    set(key === other ? { ...period, days: true } : { from, to })
  }
  const options = [
    ...offered.map((each) => ({ value: keyOf(each.period), label: periodName(lang, each, say.halves) })),
    ...(covers === 'any' ? [{ value: other, label: say.otherDays }] : []),
  ]
  const fields = (
    <div className="grid grid-cols-2 sm:grid-cols-3 lg:grid-cols-4 gap-4">
      <Field label={say.period} className="max-sm:col-span-2">
        <Select value={isOther ? other : keyOf(period)} options={options} onChange={choose} />
      </Field>
      {isOther && (
        <>
          <Field label={say.from}>
            <DayField value={period.from} onDay={(from) => set({ ...period, from, days: true })} />
          </Field>
          <Field label={say.to}>
            <DayField value={period.to} onDay={(to) => set({ ...period, to, days: true })} />
          </Field>
        </>
      )}
    </div>
  )
  return { period, fields }
}

/** `October 2026`, `September and October 2026`, `Q3 2026`, `2025`. */
function periodName(
  lang: Language,
  { length, period: { from, to } }: { length: Length; period: Period },
  halves: (from: string, to: string) => string,
): string {
  const year = from.slice(0, 4)
  const month = (day: string) => monthName(lang, day.slice(0, 7), 'long')
  if (length === 'year') return year
  if (length === 'quarter') return `Q${Math.ceil(Number(to.slice(5, 7)) / 3)} ${year}`
  return `${length === 'month' ? month(from) : halves(month(from), month(to))} ${year}`
}

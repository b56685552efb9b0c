import { invalid } from '../../../core/define/failure.ts'
import { operation } from '../../../core/define/operation.ts'
import { defaulted, Id, nullable, OneOf, Text, Type } from '../../../core/define/schema.ts'
import { inFormat, orFile } from '../../../core/files/file.ts'
import { requiredDay } from '../../../ledger/organization-context.ts'
import { ReportDay, reportContext } from '../reports/report-context.ts'
import { requireUsual } from '../reports/statements/period.ts'
import { FileProblems, fileProblemsMax, listed, rejected } from './file-problem.ts'
import { requirePeriod } from './period.ts'
import { FileTotal, type StatutoryFiles } from './statutory-file.ts'

const Listed = Type.Object({
  file: Type.String({ description: 'Its name in reports_statutory_file.' }),
  name: Text,
  nameHe: Text,
  description: Text,
  fileType: Text,
  period: Type.String({ description: 'any, month, months (one or two of them), quarter or year.' }),
  report: nullable(
    Type.String({ description: 'The operation that shows the same figures as a report, if there is one.' }),
  ),
})

/** The operations of statutory files, with the files of each country. */
export const statutoryOperations = (files: StatutoryFiles) => [fileOf(files), listOf(files)]

const listOf = (statutoryFiles: StatutoryFiles) =>
  operation({
    name: 'reports_statutory_files',
    http: 'GET /api/reports/statutory',
    does: "Lists the files that the tax authority of the organization's country asks for.",
    scope: 'reports:read',
    within: 'organizationId',
    input: Type.Object({ organizationId: Id }),
    output: Type.Object({ files: Type.Array(Listed) }),
    async run({ db }) {
      const { rules } = await reportContext(db)
      return {
        files: statutoryFiles[rules.code].map(({ id, name, does, fileType, period, report = null }) => ({
          ...{ file: id, name: name.en, nameHe: name.he, description: does, fileType, period, report },
        })),
      }
    },
  })

const Checklist = Type.Object({
  file: Text,
  from: Text,
  to: Text,
  problems: FileProblems,
  problemsIncomplete: Type.Boolean({
    description: 'There are more problems than are listed, or not all were looked for.',
  }),
  totals: Type.Array(FileTotal, { description: 'The records and sums of the file, to compare with the reports.' }),
})

const otherCountry = rejected(
  'COUNTRY',
  'The file is for the tax authority of another country than that of the organization.',
  { field: 'country' },
)

/** The media types of all files, each once. */
function typesOf(files: StatutoryFiles): [string, ...string[]] {
  const [first = 'application/zip', ...others] = new Set(
    Object.values(files).flatMap((ofCountry) => ofCountry.map(({ fileType }) => fileType)),
  )
  return [first, ...others]
}

const fileOf = (statutoryFiles: StatutoryFiles) =>
  operation({
    name: 'reports_statutory_file',
    http: 'GET /api/reports/statutory/{file}',
    does: 'Makes a file for the tax authority from the books of a period, or lists what the authority would reject in it.',
    scope: 'reports:read',
    within: 'organizationId',
    rate: 'heavyReads',
    heavy: true,
    input: Type.Object({
      organizationId: Id,
      file: Type.String({
        maxLength: 60,
        description: 'A file of the country, as reports_statutory_files lists them.',
        examples: ['il-uniform-file'],
      }),
      from: ReportDay,
      to: ReportDay,
      format: defaulted(
        Type.Unsafe<'checklist' | 'file'>({
          ...OneOf('checklist', 'file'),
          description: 'checklist: what the authority would reject, and the totals. file: the file itself.',
        }),
        'checklist',
      ),
    }),
    output: orFile(Checklist, ...typesOf(statutoryFiles)),
    async run({ db, now }, { file: id, format, ...days }) {
      const organization = await reportContext(db)
      const [from, to] = [requiredDay('from', days.from, organization), requiredDay('to', days.to, organization)]
      const found = statutoryFiles[organization.rules.code].find((each) => each.id === id)
      const isElsewhere = !found && Object.values(statutoryFiles).some((files) => files.some((each) => each.id === id))
      if (isElsewhere && format !== 'file')
        return { file: id, from, to, problems: [otherCountry], problemsIncomplete: false, totals: [] }
      if (!found)
        throw invalid('file', `The country of the organization has no file ${id}. Ask reports_statutory_files.`)
      if (to < from) throw invalid('to', 'to is before from.')
      requireUsual('from', from)
      requireUsual('to', to)
      requirePeriod(found.period, { from, to })
      const { file, problems, totals, isWhole = true } = await found.build({ db, organization, from, to, now })
      if (format === 'file') return inFormat(file)
      return {
        ...{ file: id, from, to, totals },
        problems: listed(problems),
        problemsIncomplete: !isWhole || problems.length > fileProblemsMax,
      }
    },
  })

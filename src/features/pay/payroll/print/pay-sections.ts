import type { Language } from '../../../../core/values/language.ts'
import { earningCodes, type PayLine } from '../../../../countries/payroll/payroll.ts'
import type { Label } from '../../../selling/documents/print/print-model.ts'
import { isolate, isolateMixed, ltr } from '../../../selling/documents/print/text.ts'
import type { PayRow, PaySection, PayslipContext } from './payslip-model.ts'
import { type Word, wordIn } from './words.ts'

type Line = PayslipContext['data']['row']['lines'][number]

/** Earnings, deductions and contributions of the employer, each with its sum. A section without lines is left out. */
export function paySections(context: PayslipContext): PaySection[] {
  const { row } = context.data
  const { totals } = context.year
  const sections = [
    section(context, ['EARNING', 'REIMBURSEMENT'], 'earnings', ['gross', row.grossMinor, totals.gross]),
    section(context, ['DEDUCTION'], 'deductions', ['totalDeductions', row.deductionsMinor, totals.deductions]),
    section(context, ['CONTRIBUTION'], 'contributions', ['totalContributions', row.contributionsMinor, totals.contributions]), // biome-ignore format: one section a line
  ]
  return sections.filter(({ rows }) => rows.length > 0)
}

type Total = [label: Word, minor: number, yearMinor: number]

function section(
  context: PayslipContext,
  kinds: PayLine['kind'][],
  title: Word,
  [label, minor, year]: Total,
): PaySection {
  const { word, amount } = context
  return {
    title: word(title),
    rows: rowsOf(context, kinds),
    total: { label: word(label), amount: amount(minor), year: amount(year) },
  }
}

/** The lines of the month, then what was paid in the year and not in the month. Lines of one code print their sum of the year once. */
function rowsOf({ data, year, languages, amount }: PayslipContext, kinds: PayLine['kind'][]): PayRow[] {
  const printed = new Set<string>()
  const rows = data.row.lines
    .filter(({ kind }) => kinds.includes(kind))
    .map((line) => {
      const key = year.keyOf(line)
      const isFirst = !printed.has(key)
      printed.add(key)
      const [step] = line.steps.length === 1 ? line.steps : []
      return {
        name: labelled(data, line, languages),
        base: step?.rate && step.baseMinor !== null ? amount(step.baseMinor) : '',
        rate: step?.rate && step.baseMinor !== null ? ltr(step.rate.replace(' %', '%')) : '',
        amount: amount(line.amountMinor),
        year: isFirst ? amount(year.minorOf(line)) : '',
      }
    })
  const earlier = year.lines
    .filter((line) => kinds.includes(line.kind) && line.minor !== 0 && !printed.has(year.keyOf(line)))
    .map((line) => ({
      name: labelled(data, { ...line, corrects: null }, languages),
      ...{ base: '', rate: '', amount: amount(0), year: amount(line.minor) },
    }))
  return [...rows, ...earlier]
}

type Named = Pick<Line, 'code' | 'description' | 'corrects'>

/** The name in the languages of the print. */
function labelled(data: PayslipContext['data'], line: Named, [first, second]: PayslipContext['languages']): Label {
  const text = nameOf(data, line, first)
  const too = second ? nameOf(data, line, second) : text
  return { text: isolateMixed(text), too: too === text ? null : isolate(too) }
}

/** What a line is called in a language. What people wrote stays as they wrote it. */
function nameOf({ country }: PayslipContext['data'], { code, description, corrects }: Named, language: Language) {
  const written = description.replace(/: difference for \d{4}-\d{2}$/, '')
  const scheme = country.payroll.schemes.find((each) => each.code === code)
  const name = scheme ? { en: scheme.label, he: scheme.labelHe }[language] : earningName(code, written, language)
  if (corrects === null) return name
  const [year = '', month = ''] = corrects.split('-')
  return wordIn(language, 'difference', { name, month: `${month}/${year}` })
}

const ownWords: Record<string, Word> = {
  [earningCodes.wage]: 'wage',
  [earningCodes.additional]: 'additionalWage',
  [earningCodes.adjustment]: 'other',
  [earningCodes.leave]: 'leavePay',
  [earningCodes.reimbursement]: 'reimbursement',
}

function earningName(code: string, written: string, language: Language): string {
  const word = ownWords[code]
  if (!word) return written || code
  const [, from, to] = /^Wage from (\S+) to (\S+)$/.exec(written) ?? []
  if (from && to) return wordIn(language, 'wageFor', { from: dayAndMonth(from), to: dayAndMonth(to) })
  const isComputed = code === earningCodes.wage || code === earningCodes.additional
  return isComputed || written === '' || written === code ? wordIn(language, word) : written
}

/** Without the year: all of them are in the month of the payslip. */
const dayAndMonth = (day: string) => `${day.slice(8)}.${day.slice(5, 7)}`

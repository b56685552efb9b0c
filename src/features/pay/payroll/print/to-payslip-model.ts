import type { Language } from '../../../../core/values/language.ts'
import type { Country } from '../../../../countries/country.ts'
import type { Languages } from '../../../selling/documents/print/print-model.ts'
import { amountText, isolate, isolateMixed, linesOf, ltr, moneyText } from '../../../selling/documents/print/text.ts'
import { dateParts, labelledNumbers, toLabel } from '../../../selling/documents/print/to-print-model.ts'
import { yearToDateOf } from '../payslips/year-to-date.ts'
import { detailsSection, employeeSection, factsSection, paymentSection, payoutSection, tablesSection } from './facts.ts'
import { paySections } from './pay-sections.ts'
import type { PayslipContext, PayslipModel } from './payslip-model.ts'
import type { PayslipPrintData } from './print-data.ts'
import { wordIn } from './words.ts'

export type PayslipPrintOptions = { languages: Languages; logo: string | null }

/** `Payslip 2026-03 Dana Levi`: the title of the PDF, which is also its name. */
export const payslipTitle = (
  { month, employeeName }: { month: string; employeeName: string | null },
  country: Pick<Country, 'payslip'>,
  language: Language,
) => `${country.payslip.heading[language]} ${month.slice(0, 7)} ${employeeName ?? ''}`.trim()

/** The texts of a payslip in the languages of the print. */
export function toPayslipModel(data: PayslipPrintData, { languages, logo }: PayslipPrintOptions): PayslipModel {
  const { row, issuer, country } = data
  const { documents: rules } = country
  const [language] = languages
  const context = toContext(data, languages)
  const { word } = context
  const heading = toLabel(languages, (each) => country.payslip.heading[each])
  const month = monthText(row.month, language)
  const numbers = labelledNumbers(languages, (each) => rules.issuerNumbers(issuer, each))
  const mark = markOf(row.status)
  return {
    title: payslipTitle(row, country, language),
    date: dateParts(row.issuedAt ?? row.computedAt),
    language,
    paper: rules.paper,
    mark: mark && wordIn(language, mark),
    heading,
    month,
    tags: [
      ...(mark ? languages.map((each) => wordIn(each, mark)) : []),
      ...(row.isFinal ? languages.map((each) => wordIn(each, 'finalPayslip')) : []),
    ],
    running: `${heading.text} ${month} · ${isolate(row.employeeName ?? '')}`,
    footer: [isolate(issuer.name), ...numbers].join('  ·  '),
    logo,
    issuer: {
      name: isolate(issuer.name),
      lines: [
        ...linesOf(issuer.address),
        ...numbers,
        ...[issuer.phone, issuer.email].flatMap((each) => (each ? [ltr(each)] : [])),
      ],
    },
    employee: employeeSection(context),
    facts: factsSection(context),
    figures: figuresOf(context),
    columns: (['description', 'base', 'rate', 'amount', 'yearToDate'] as const).map((each) => word(each)),
    sections: paySections(context),
    payout: payoutSection(context),
    payment: paymentSection(context),
    tables: tablesSection(context),
    details: detailsSection(context),
    foot: [
      ...languages.map((each) => isolateMixed(country.payslip.foot[each])),
      isolate(`${wordIn(language, 'tables')} ${ltr(row.tables)}`),
    ],
    words: { page: wordIn(language, 'page') },
  }
}

const markOf = (status: string) => (status === 'DRAFT' ? 'draft' : status === 'VOID' ? 'voided' : null)

function toContext(data: PayslipPrintData, languages: Languages): PayslipContext {
  const { row, country } = data
  const [language] = languages
  const labelOf = (textIn: (language: Language) => string) => toLabel(languages, textIn)
  return {
    data,
    languages,
    language,
    year: yearToDateOf(row, country),
    labelOf,
    word: (name, places) => labelOf((each) => wordIn(each, name, places)),
    amount: (minor) => ltr(amountText(BigInt(minor), row.currency)),
    day: (day) => ltr(country.documents.showDay(day, language)),
  }
}

/** Gross, deductions and net in the currency. */
function figuresOf({ data: { row, country }, word }: PayslipContext): PayslipModel['figures'] {
  const money = (minor: number) => ltr(moneyText(BigInt(minor), row.currency, country.code))
  return [
    { label: word('gross'), value: money(row.grossMinor), weight: 'plain' },
    { label: word('deductions'), value: money(row.deductionsMinor), weight: 'plain' },
    { label: word('net'), value: money(row.netMinor), weight: 'total' },
  ]
}

const locales: Record<Language, string> = { en: 'en-GB', he: 'he-IL' }

/** `March 2026`. */
export const monthText = (month: string, language: Language): string =>
  new Intl.DateTimeFormat(locales[language], { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month.slice(0, 7)}-01T00:00:00Z`),
  )

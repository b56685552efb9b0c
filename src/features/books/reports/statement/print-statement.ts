import type { Outside } from '../../../../core/define/operation.ts'
import type { Language } from '../../../../core/values/language.ts'
import { toMinor } from '../../../../core/values/money.ts'
import { customerNumbers } from '../../../../countries/countries.ts'
import { rowsMax, tooLong } from '../../../selling/documents/print/print-length.ts'
import type { Label, PrintModel } from '../../../selling/documents/print/print-model.ts'
import { printedRows } from '../../../selling/documents/print/printed-rows.ts'
import { amountText, isolate, isolateMixed, linesOf, ltr } from '../../../selling/documents/print/text.ts'
import { type Word, wordIn } from '../../../selling/documents/print/words.ts'
import type { InCurrency } from './statement.ts'
import type { StatementData } from './statement-data.ts'

/** Prints a statement as PDF, with the layout of sales documents. Outside any transaction. */
export async function printStatement({ typesetter }: Pick<Outside, 'typesetter'>, data: StatementData, now: Date) {
  const model = toModel(data, now)
  const rows = printedRows(model)
  if (rows > rowsMax) throw tooLong(rows)
  const isLong = model.lines.length > 40
  const organizationId = data.organization.id
  const pdf = await typesetter.typeset({ template: 'sales-document', data: model, isLong, organizationId, rows })
  return { fileName: statementFileName(data), pdf }
}

export const statementFileName = ({ statement: { language, to } }: StatementData) =>
  `${words.title[language]} ${to}.pdf`

function toModel({ statement, organization, issuer, customer }: StatementData, now: Date): PrintModel {
  const { language, from, to, currencies } = statement
  const { documents: rules } = organization.rules
  const day = (date: string) => ltr(rules.showDay(date, language))
  const numbers = (list: readonly { label: string; value: string }[]) =>
    list.map(({ label: text, value }) => isolate(`${text} ${ltr(value)}`))
  const ofIssuer = numbers(rules.issuerNumbers(issuer, language))
  const title = words.title[language]
  return {
    title: `${title} ${statement.customerName ?? ''}`.trim(),
    date: partsOf(now),
    language,
    paper: rules.paper,
    mark: null,
    heading: label(title),
    tags: [],
    running: title,
    footer: [isolate(issuer.name), ...ofIssuer].join('  ·  '),
    logo: null,
    issuer: {
      name: isolate(issuer.name),
      lines: [
        ...linesOf(issuer.address),
        ...ofIssuer,
        ...[issuer.phone, issuer.email].flatMap((each) => (each ? [ltr(each)] : [])),
      ],
    },
    customer: {
      label: inWord(language, 'customer'),
      name: isolate(statement.customerName ?? ''),
      lines: [...linesOf(customer.address), ...numbers(customerNumbers(customer, language, organization.rules))],
    },
    'ship-to': null,
    facts: [
      { label: label(words.from[language]), value: day(from) },
      { label: label(words.to[language]), value: day(to) },
    ],
    columns: [
      label(wordIn(language, 'description')),
      label(wordIn(language, 'date')),
      label(wordIn(language, 'amount')),
      label(words.balance[language]),
    ],
    lines: currencies.flatMap((each) => linesIn(each, { language, from, day })),
    sums: currencies.map(({ currency, closingBalance }) => ({
      label: label(`${words.closing[language]} ${currency}`),
      value: ltr(text(closingBalance, currency)),
      weight: 'total' as const,
    })),
    'beneath-sums': [],
    tables: currencies.map((each) => agingTable(each, language)),
    payment: null,
    notes: null,
    foot: [isolateMixed(words.foot[language])],
    words: {
      brought: inWord(language, 'brought'),
      carried: inWord(language, 'carried'),
      page: wordIn(language, 'page'),
    },
  }
}

type Printed = { language: Language; from: string; day(date: string): string }

/** The opening balance and the entries of a currency. */
function linesIn({ currency, openingBalance, entries }: InCurrency, { language, from, day }: Printed) {
  const line = (description: string, date: string, amount: number | null, balance: number) => ({
    description: [isolateMixed(description)],
    numbers: [day(date), amount === null ? '' : ltr(text(amount, currency))],
    amount: ltr(text(balance, currency)),
    running: ltr(text(balance, currency)),
  })
  return [
    line(`${words.opening[language]} ${currency}`, from, null, openingBalance),
    ...entries.map((entry) => line(entry.description, entry.date, entry.amount, entry.balance)),
  ]
}

function agingTable({ currency, aging }: InCurrency, language: Language): PrintModel['tables'][number] {
  const rows: [string, number][] = [
    [words.current[language], aging.current],
    ['1–30', aging.days1To30],
    ['31–60', aging.days31To60],
    ['61–90', aging.days61To90],
    [words.over[language], aging.over90],
    [words.credits[language], -aging.credits],
  ]
  return {
    title: label(`${words.aging[language]} ${currency}`),
    columns: [label(words.days[language]), label(wordIn(language, 'amount'))],
    rows: rows
      .filter(([, amount]) => amount !== 0)
      .map(([name, amount]) => [isolate(name), ltr(text(amount, currency))]),
  }
}

/** The amounts of a statement are exact in minor units. */
function text(amount: number, currency: string): string {
  const parsed = toMinor(amount, currency)
  return amountText('minor' in parsed ? parsed.minor : 0n, currency)
}
const label = (word: string): Label => ({ text: word, too: null })
const inWord = (language: Language, word: Word) => label(wordIn(language, word))

function partsOf(at: Date): PrintModel['date'] {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()]
  return { year, month, day, hour: at.getUTCHours(), minute: at.getUTCMinutes(), second: at.getUTCSeconds() }
}

const words = {
  title: { en: 'Statement of account', he: 'כרטסת לקוח' },
  from: { en: 'From', he: 'מתאריך' },
  to: { en: 'To', he: 'עד תאריך' },
  balance: { en: 'Balance', he: 'יתרה' },
  opening: { en: 'Opening balance', he: 'יתרת פתיחה' },
  closing: { en: 'Closing balance', he: 'יתרת סגירה' },
  aging: { en: 'Age of the balance', he: 'גיול היתרה' },
  days: { en: 'Days overdue', he: 'ימי פיגור' },
  current: { en: 'Not due yet', he: 'טרם הגיע המועד' },
  over: { en: 'Over 90', he: 'מעל 90' },
  credits: { en: 'Credits', he: 'זיכויים ומקדמות' },
  foot: { en: 'Not a tax document.', he: 'מסמך זה אינו מסמך מס.' },
} satisfies Record<string, Record<Language, string>>

import type { Language } from '../../../core/values/language.ts'
import { customerNumbers } from '../../../countries/countries.ts'
import type { Copy, DocumentRules, DocumentType, Sale, Wording } from '../../../countries/country.ts'
import { paymentSection } from './payment-section.ts'
import type { PrintData } from './print-data.ts'
import { linesOf, ltr, mixed, own } from './text.ts'
import { moneyColumns, printedLines, tablesOf, totalsSection } from './totals-section.ts'
import { type Word, wordIn } from './words.ts'

/** A word on paper, and the same in the second language where there are two. */
export type Label = { text: string; too: string | null }
export type Fact = { label: Label; value: string }
export type Table = { title: Label; columns: Label[]; rows: string[][] }

/** A document as it is printed: text and nothing else. Where it stands is for the template to say. */
export type PrintModel = {
  title: string
  date: { year: number; month: number; day: number; hour: number; minute: number; second: number }
  language: Language
  paper: 'a4' | 'us-letter'
  /** Large across the page. */
  mark: string | null
  heading: Label
  /** Small beside the heading: original, copy. */
  tags: string[]
  /** At the head of further pages. */
  running: string
  footer: string
  /** The path of its picture. */
  logo: string | null
  issuer: { name: string; lines: string[] }
  customer: { label: Label; name: string; lines: string[] }
  facts: Fact[]
  columns: Label[]
  /** `running` is the sum so far, for where a page ends. */
  lines: { description: string[]; numbers: string[]; amount: string; running: string }[]
  sums: (Fact & { weight: 'plain' | 'total' })[]
  'beneath-sums': string[]
  tables: Table[]
  payment: { title: Label; facts: Fact[]; texts: string[]; code: { svg: string; caption: string } | null } | null
  notes: { title: Label; texts: string[] } | null
  foot: string[]
  words: { brought: Label; carried: Label; page: string }
}

/** One language, or the first with the second beside it. */
export type Languages = readonly [Language] | readonly [Language, Language]

export type Printing = { languages: Languages; copy: Copy; logo: string | null }

/** What the parts of a paper are made from. */
export type Made = {
  facts: PrintData
  sale: Sale
  rules: DocumentRules
  languages: Languages
  /** One of our words. */
  word(word: Word): Label
  /** Something that the country says in a language. */
  said(say: (language: Language) => string): Label
  /** What another document is called, with its number. */
  titled(document: Pick<PrintData['source'], 'number' | 'documentType'>): string | undefined
}

export function toPrintModel(facts: PrintData, { languages, copy, logo }: Printing): PrintModel {
  const { row, sale, country } = facts
  const { documents: rules } = country
  const [language] = languages
  const said = (say: (language: Language) => string) => labelOf(languages, say)
  const word = (name: Word) => said((each) => wordIn(each, name))
  const titled: Made['titled'] = ({ number, documentType }) => {
    if (!number || !documentType) return undefined
    const type = documentType as DocumentType // a column with a check; a row says text
    return `${own(rules.titleOf({ documentType: type, issuer: sale.issuer, language }))} ${ltr(number)}`
  }
  const made: Made = { facts, sale, rules, languages, word, said, titled }
  const wordings = rules.wordings(sale, { language, copy })
  const at = (place: Wording['place']) => wordings.filter((each) => each.place === place)
  const heading = headingOf(made, at('title'))
  const numbered = row.invoiceNumber ? `${heading.text} ${ltr(row.invoiceNumber)}` : heading.text
  return {
    title: [heading.text, row.invoiceNumber].filter(Boolean).join(' '),
    date: instantParts(facts.issuedAt ?? row.createdAt),
    language,
    paper: rules.paper,
    mark: row.cancelledAt ? wordIn(language, 'cancelled') : copy === 'draft' ? wordIn(language, 'draft') : null,
    heading,
    tags: tagsOf(made, copy),
    running: numbered,
    footer: [own(sale.issuer.name), ...numbersOf(made, 'issuer')].join('  ·  '),
    logo,
    issuer: {
      name: own(sale.issuer.name),
      lines: [
        ...linesOf(sale.issuer.address),
        ...numbersOf(made, 'issuer'),
        ...at('issuer').map(({ text }) => mixed(text)),
        ...[row.organization?.phone, row.organization?.email].flatMap((each) => (each ? [ltr(each)] : [])),
      ],
    },
    customer: {
      label: word(row.documentType === 'RECEIPT' ? 'receivedFrom' : 'customer'),
      name: own(row.customer?.name ?? ''),
      lines: [...linesOf(sale.customer.address), ...abroad(made), ...numbersOf(made, 'customer')],
    },
    facts: factsOf(made),
    columns: moneyColumns(made),
    lines: printedLines(made),
    sums: totalsSection(made),
    'beneath-sums': at('totals').map(({ text }) => mixed(text)),
    tables: tablesOf(made),
    payment: paymentSection(made),
    notes: row.notes?.trim()
      ? { title: word(row.documentType.endsWith('_MEMO') ? 'reason' : 'notes'), texts: linesOf(row.notes) }
      : null,
    foot: at('foot').map(({ text }) => mixed(text)),
    words: { brought: word('brought'), carried: word('carried'), page: wordIn(language, 'page') },
  }
}

const labelOf = ([first, second]: Languages, say: (language: Language) => string): Label => {
  const text = say(first)
  const too = second ? say(second) : text
  return { text, too: too === text ? null : own(too) }
}

/** A document in one language still says in the other what the law wants said there. */
function headingOf({ sale, rules, said }: Made, wordings: Wording[]): Label {
  const {
    document: { documentType },
    issuer,
  } = sale
  const heading = said((language) => rules.titleOf({ documentType, issuer, language }))
  const wanted = wordings.find(({ code }) => code === 'TITLE')
  return wanted && heading.too === null ? { ...heading, too: own(wanted.text) } : heading
}

/** Original, copy or draft, in every language of the page and those that the law wants. */
function tagsOf({ sale, rules, languages }: Made, copy: Copy): string[] {
  const wordings = languages.flatMap((language) => rules.wordings(sale, { language, copy }))
  const tags = wordings.filter(({ place, code }) => place === 'title' && code !== 'TITLE').map(({ text }) => text)
  return [...new Set(tags)]
}

function numbersOf({ sale, rules, languages }: Made, whose: 'issuer' | 'customer'): string[] {
  const [first = [], second = []] = languages.map((language) =>
    whose === 'issuer' ? rules.issuerNumbers(sale.issuer, language) : customerNumbers(sale.customer, language),
  )
  return first.map(({ label, value }, at) => {
    const too = second[at]?.label
    return own(`${label}${too && too !== label ? ` / ${own(too)}` : ''} ${ltr(value)}`)
  })
}

/** The country of a customer who is in another one. */
function abroad({ facts, sale, languages: [language] }: Made): string[] {
  const { country } = sale.customer
  if (!country || country === facts.country.code) return []
  const name = /^[A-Z]{2}$/.test(country) ? new Intl.DisplayNames(language, { type: 'region' }).of(country) : country
  return name ? [own(name)] : []
}

function factsOf({ facts: { row, source }, sale, rules, languages, word, said, titled }: Made): Fact[] {
  const [language] = languages
  const day = (date: string) => ltr(rules.showDay(date, language))
  const about = titled(source)
  const facts: (Fact | undefined)[] = [
    row.invoiceNumber ? { label: word('number'), value: ltr(row.invoiceNumber) } : undefined,
    { label: word('date'), value: day(row.issueDate) },
    row.dueDate ? { label: word('due'), value: day(row.dueDate) } : undefined,
    row.payUntil && row.payUntil !== row.dueDate ? { label: word('payUntil'), value: day(row.payUntil) } : undefined,
    about && source.issueDate
      ? { label: word('reference'), value: `${about} ${wordIn(language, 'of')} ${day(source.issueDate)}` }
      : undefined,
    ...rules.officialNumbers(sale.document, language).map(({ value }, at) => ({
      label: shortened(said((each) => rules.officialNumbers(sale.document, each)[at]?.label ?? '')),
      value: ltr(value),
    })),
  ]
  return facts.filter((fact) => fact !== undefined)
}

/** Beside the word in one language, the other need not repeat it. */
const shortened = (label: Label): Label => ({ ...label, too: label.too?.replace(/ \([^)]*\)/, '') ?? null })

function instantParts(instant: string): PrintModel['date'] {
  const at = new Date(instant)
  return {
    year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate(),
    hour: at.getUTCHours(), minute: at.getUTCMinutes(), second: at.getUTCSeconds(),
  } // biome-ignore format: a row
}

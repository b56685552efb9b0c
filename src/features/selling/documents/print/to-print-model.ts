import type { Language } from '../../../../core/values/language.ts'
import { customerNumbers } from '../../../../countries/countries.ts'
import type { Copy, DocumentType, LabelledNumber, Wording } from '../../../../countries/country.ts'
import { lineColumns, linesOfSlice, printedLines, printedLinesInSlices } from './lines-section.ts'
import { lacksPayment } from './payment-rows.ts'
import { paymentSection } from './payment-section.ts'
import type { PrintData } from './print-data.ts'
import type { Label, LabeledValue, Languages, PrintContext, PrintModel, PrintOptions } from './print-model.ts'
import { tablesSection } from './tables-section.ts'
import { amountText, isolate, isolateMixed, linesOf, ltr, moneyText } from './text.ts'
import { totalsSection } from './totals-section.ts'
import { type Word, wordIn } from './words.ts'

/** The texts of a document in the languages of the print. */
export function toPrintModel(data: PrintData, options: PrintOptions): PrintModel {
  const context = toContext(data, options.languages)
  return modelOf(context, options, printedLines(context))
}

/** The same, for a document that may be long. */
export async function toPrintModelInSlices(data: PrintData, options: PrintOptions): Promise<PrintModel> {
  if (data.row.items.length <= linesOfSlice) return toPrintModel(data, options)
  const context = toContext(data, options.languages)
  return modelOf(context, options, await printedLinesInSlices(context))
}

function modelOf(
  context: PrintContext,
  { languages, copy, logo }: PrintOptions,
  lines: PrintModel['lines'],
): PrintModel {
  const { data, sale, rules, word } = context
  const { row } = data
  const [language] = languages
  const wordings = rules.wordings(sale, { language, copy })
  const wordingsAt = (place: Wording['place']) => wordings.filter((each) => each.place === place)
  const heading = toHeading(context, wordingsAt('title'))
  const numbered = row.invoiceNumber ? `${heading.text} ${ltr(row.invoiceNumber)}` : heading.text
  return {
    title: [heading.text, row.invoiceNumber].filter(Boolean).join(' '),
    date: dateParts(data.issuedAt ?? row.createdAt),
    language,
    paper: rules.paper,
    mark: row.cancelledAt ? wordIn(language, 'cancelled') : copy === 'draft' ? wordIn(language, 'draft') : null,
    heading,
    tags: toTags(context, copy),
    running: numbered,
    footer: [isolate(sale.issuer.name), ...identificationNumbers(context, 'issuer')].join('  ·  '),
    logo,
    issuer: {
      name: isolate(sale.issuer.name),
      lines: [
        ...linesOf(sale.issuer.address),
        ...identificationNumbers(context, 'issuer'),
        ...wordingsAt('issuer').map(({ text }) => isolateMixed(text)),
        ...[row.organization?.phone, row.organization?.email].flatMap((each) => (each ? [ltr(each)] : [])),
      ],
    },
    customer: {
      label: word(row.documentType === 'RECEIPT' && !lacksPayment(data) ? 'receivedFrom' : 'customer'),
      name: isolate(row.counterpartyName),
      lines: [
        ...linesOf(sale.customer.address),
        ...foreignCountry(context),
        ...identificationNumbers(context, 'customer'),
      ],
    },
    'ship-to': shipToSection(context),
    facts: documentFacts(context),
    columns: lineColumns(context),
    lines,
    sums: totalsSection(context),
    'beneath-sums': [
      ...(lacksPayment(data) ? languages.map((each) => wordIn(each, 'noPayment')) : []),
      ...wordingsAt('totals').map(({ text }) => isolateMixed(text)),
    ],
    tables: tablesSection(context),
    payment: paymentSection(context),
    notes: row.notes?.trim()
      ? { title: word(row.documentType.endsWith('_MEMO') ? 'reason' : 'notes'), texts: linesOf(row.notes) }
      : null,
    foot: wordingsAt('foot').map(({ text }) => isolateMixed(text)),
    words: { brought: word('brought'), carried: word('carried'), page: wordIn(language, 'page') },
  }
}

function toContext(data: PrintData, languages: Languages): PrintContext {
  const {
    sale,
    country: { documents: rules },
  } = data
  const labelOf = (textIn: (language: Language) => string) => toLabel(languages, textIn)
  const word = (name: Word) => labelOf((language) => wordIn(language, name))
  const titleWithNumber: PrintContext['titleWithNumber'] = ({ number, documentType, title }) => {
    if (!number || !documentType) return undefined
    const type = documentType as DocumentType // the column has a check constraint; the row type is text
    const [language] = languages
    const text = title?.[language] ?? rules.titleOf({ documentType: type, issuer: sale.issuer, language })
    return `${isolate(text)} ${ltr(number)}`
  }
  const amount = (minor: bigint) => {
    const { currency } = sale.document
    return ltr(rules.symbolOnAmounts ? moneyText(minor, currency, data.country.code) : amountText(minor, currency))
  }
  return { data, sale, rules, languages, amount, word, labelOf, titleWithNumber }
}

/** A label in the languages of a print. */
export const toLabel = ([first, second]: Languages, textIn: (language: Language) => string): Label => {
  const text = textIn(first)
  const too = second ? textIn(second) : text
  return { text, too: too === text ? null : isolate(too) }
}

/** The title. A print in one language also has the title that the law demands in another one. */
function toHeading({ data: { title }, labelOf }: PrintContext, wordings: Wording[]): Label {
  const heading = labelOf((language) => title[language])
  const required = wordings.find(({ code }) => code === 'TITLE')
  return required && heading.too === null ? { ...heading, too: isolate(required.text) } : heading
}

/** Original, copy or draft, in the languages of the print and those that the law demands, and whether it is cancelled or its payment voided. */
function toTags({ data, sale, rules, languages }: PrintContext, copy: Copy): string[] {
  const wordings = languages.flatMap((language) => rules.wordings(sale, { language, copy }))
  const tags = wordings.filter(({ place, code }) => place === 'title' && code !== 'TITLE').map(({ text }) => text)
  const inAll = (word: Word) => languages.map((language) => wordIn(language, word))
  const cancelled = data.row.cancelledAt ? inAll('cancelled') : []
  const voided = data.paymentVoided ? inAll('paymentVoided') : []
  return [...new Set([...tags, ...cancelled, ...voided])]
}

function shipToSection({ sale, rules, word }: PrintContext): PrintModel['ship-to'] {
  const lines = rules.shipTo(sale.document).map(isolate)
  return lines.length > 0 ? { label: word('shipTo'), lines } : null
}

const identificationNumbers = (
  { data, sale, rules, languages }: PrintContext,
  party: 'issuer' | 'customer',
): string[] =>
  labelledNumbers(languages, (language) =>
    party === 'issuer'
      ? rules.issuerNumbers(sale.issuer, language)
      : customerNumbers(sale.customer, language, data.country),
  )

/** Numbers with their label in the languages of a print. */
export function labelledNumbers(languages: Languages, numbersIn: (language: Language) => LabelledNumber[]): string[] {
  const [first = [], second = []] = languages.map(numbersIn)
  return first.map(({ label, value }, at) => {
    const too = second[at]?.label
    return isolate(`${label}${too && too !== label ? ` / ${isolate(too)}` : ''} ${ltr(value)}`)
  })
}

/** The country of a customer abroad. */
function foreignCountry({ data, sale, languages: [language] }: PrintContext): string[] {
  return countryAbroad(sale.customer.country, data.country.code, language)
}

export function countryAbroad(country: string | null, home: string, language: Language): string[] {
  if (!country || country === home) return []
  const name = /^[A-Z]{2}$/.test(country) ? new Intl.DisplayNames(language, { type: 'region' }).of(country) : country
  return name ? [isolate(name)] : []
}

/** Number, dates, the referenced document and official numbers. */
function documentFacts({
  data: { row, source },
  sale,
  rules,
  languages,
  word,
  labelOf,
  titleWithNumber,
}: PrintContext): LabeledValue[] {
  const [language] = languages
  const day = (date: string) => ltr(rules.showDay(date, language))
  const reference = titleWithNumber(source)
  const facts: (LabeledValue | undefined)[] = [
    row.invoiceNumber ? { label: word('number'), value: ltr(row.invoiceNumber) } : undefined,
    { label: word('date'), value: day(row.issueDate) },
    row.dueDate ? { label: word('due'), value: day(row.dueDate) } : undefined,
    row.payUntil && row.payUntil !== row.dueDate ? { label: word('payUntil'), value: day(row.payUntil) } : undefined,
    reference && source.issueDate
      ? { label: word('reference'), value: `${reference} ${wordIn(language, 'of')} ${day(source.issueDate)}` }
      : undefined,
    ...rules.officialNumbers(sale.document, language).map(({ value }, at) => ({
      label: shortened(labelOf((each) => rules.officialNumbers(sale.document, each)[at]?.label ?? '')),
      value: ltr(value),
    })),
    ...rules.references(sale.document, language).map(({ value }, at) => ({
      label: labelOf((each) => rules.references(sale.document, each)[at]?.label ?? ''),
      value: isolate(value),
    })),
  ]
  return facts.filter((fact) => fact !== undefined)
}

/** The second language does not repeat what is in brackets. */
const shortened = (label: Label): Label => ({ ...label, too: label.too?.replace(/ \([^)]*\)/, '') ?? null })

/** An instant as the date of a PDF. */
export function dateParts(instant: string): PrintModel['date'] {
  const at = new Date(instant)
  return {
    year: at.getUTCFullYear(),
    month: at.getUTCMonth() + 1,
    day: at.getUTCDate(),
    hour: at.getUTCHours(),
    minute: at.getUTCMinutes(),
    second: at.getUTCSeconds(),
  }
}

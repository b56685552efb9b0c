import type { Language } from '../../../../core/values/language.ts'
import { minorDigits } from '../../../../core/values/money.ts'
import { customerNumbers } from '../../../../countries/countries.ts'
import type { Label, LabeledValue, Languages, PrintModel } from '../../../selling/documents/print/print-model.ts'
import { rateAndMark, taxLabel, taxRows } from '../../../selling/documents/print/taxes.ts'
import {
  amountText,
  isolate,
  linesOf,
  ltr,
  moneyText,
  numberText,
  withSymbol,
} from '../../../selling/documents/print/text.ts'
import { countryAbroad, dateParts, labelledNumbers, toLabel } from '../../../selling/documents/print/to-print-model.ts'
import { type Word, wordIn } from '../../../selling/documents/print/words.ts'
import type { OrderPrintData } from './print-data.ts'

export type OrderPrintOptions = { languages: Languages; logo: string | null }

/** The texts of an order to a supplier, or of the confirmation of a customer's order, in the languages of the print. */
export function toOrderModel(data: OrderPrintData, { languages, logo }: OrderPrintOptions): PrintModel {
  const { row, issuer, party, country } = data
  const { documents: rules } = country
  const [language] = languages
  const context = toContext(data, languages)
  const { word } = context
  const heading = word(titleOf(row))
  const issuerNumbers = labelledNumbers(languages, (each) => rules.issuerNumbers(issuer, each))
  return {
    title: [heading.text, row.orderNumber].filter(Boolean).join(' '),
    date: dateParts(row.openedAt ?? row.createdAt),
    language,
    paper: rules.paper,
    mark: markOf(row, language),
    heading,
    tags: row.status === 'CANCELLED' ? languages.map((each) => wordIn(each, 'cancelled')) : [],
    running: row.orderNumber ? `${heading.text} ${ltr(row.orderNumber)}` : heading.text,
    footer: [isolate(issuer.name), ...issuerNumbers].join('  ·  '),
    logo,
    issuer: {
      name: isolate(issuer.name),
      lines: [...linesOf(issuer.address), ...issuerNumbers, ...contacts(issuer)],
    },
    customer: {
      label: word(row.kind === 'PURCHASE' ? 'supplier' : 'customer'),
      name: isolate(row.counterpartyName),
      lines: [
        ...linesOf(party.address),
        ...countryAbroad(party.country, country.code, language),
        ...labelledNumbers(languages, (each) => customerNumbers(party, each, country)),
        ...(row.kind === 'PURCHASE' ? contacts(party) : []),
      ],
    },
    'ship-to':
      row.kind === 'PURCHASE' && issuer.address?.trim()
        ? { label: word('shipTo'), lines: [isolate(issuer.name), ...linesOf(issuer.address)] }
        : null,
    facts: factsOf(context),
    columns: columnsOf(context),
    lines: linesOfOrder(context),
    sums: sumsOf(context),
    'beneath-sums': [],
    tables: [],
    payment: null,
    notes: row.notes?.trim() ? { title: word('notes'), texts: linesOf(row.notes) } : null,
    foot:
      row.kind === 'PURCHASE' && row.orderNumber
        ? languages.map((each) => isolate(wordIn(each, 'quoteOrder').replace('{number}', ltr(row.orderNumber ?? ''))))
        : [],
    words: { brought: word('brought'), carried: word('carried'), page: wordIn(language, 'page') },
  }
}

type Row = OrderPrintData['row']
type Context = ReturnType<typeof toContext>

function toContext(data: OrderPrintData, languages: Languages) {
  const { row, country } = data
  const { documents: rules } = country
  const lines = row.lines.map(({ amountMinor, taxRate, taxCategory }) => ({
    amountMinor: BigInt(amountMinor),
    taxRate: taxRate === null ? null : Number(taxRate),
    taxCategory,
  }))
  const document = {
    taxRate: null,
    taxMinor: BigInt(row.taxMinor),
    subtotalMinor: BigInt(row.subtotalMinor),
    lines,
  }
  const taxes = taxRows({ sale: { document }, rules })
  return {
    data,
    languages,
    rules,
    taxedLines: lines,
    taxes,
    /** Without any tax the total alone is printed. */
    showsTax: row.taxMinor !== 0,
    amount: (minor: bigint) =>
      ltr(rules.symbolOnAmounts ? moneyText(minor, row.currency, country.code) : amountText(minor, row.currency)),
    word: (name: Word): Label => toLabel(languages, (language) => wordIn(language, name)),
  }
}

const titleOf = ({ kind }: Pick<Row, 'kind'>): Word => (kind === 'PURCHASE' ? 'purchaseOrder' : 'orderConfirmation')

function markOf({ status }: Row, language: Language): string | null {
  if (status === 'DRAFT') return wordIn(language, 'draft')
  return status === 'CANCELLED' ? wordIn(language, 'cancelled') : null
}

const contacts = ({ phone, email }: { phone: string | null; email: string | null }): string[] =>
  [phone, email].flatMap((each) => (each ? [ltr(each)] : []))

/** Number, dates, the number of the other side and the terms of payment. */
function factsOf({ data: { row, termsDays }, rules, languages: [language], word }: Context): LabeledValue[] {
  const day = (date: string) => ltr(rules.showDay(date, language))
  const facts: (LabeledValue | undefined)[] = [
    row.orderNumber ? { label: word('number'), value: ltr(row.orderNumber) } : undefined,
    { label: word('date'), value: day(row.orderDate) },
    row.expectedDate ? { label: word('expected'), value: day(row.expectedDate) } : undefined,
    row.reference ? { label: word('yourReference'), value: isolate(row.reference) } : undefined,
    termsDays === null ? undefined : { label: word('paymentTerms'), value: isolate(termsText(termsDays, language)) },
  ]
  return facts.filter((fact) => fact !== undefined)
}

const termsText = (days: number, language: Language): string =>
  days === 0 ? wordIn(language, 'termsNow') : wordIn(language, 'termsDays').replace('{days}', ltr(String(days)))

function columnsOf({ data: { row }, rules, languages, word, showsTax }: Context): Label[] {
  const amount = word('amount')
  return [
    word('description'),
    word('quantity'),
    word('unitPrice'),
    ...(showsTax ? [toLabel(languages, (language) => rules.taxName(language))] : []),
    { ...amount, text: `${amount.text} (${ltr(row.currency)})` },
  ]
}

function linesOfOrder(context: Context): PrintModel['lines'] {
  const { data, rules, languages, amount, showsTax, taxedLines } = context
  const { row, country, units } = data
  const price = (value: number) => {
    const text = numberText(value, minorDigits(row.currency))
    return ltr(rules.symbolOnAmounts ? withSymbol(text, row.currency, country.code) : text)
  }
  let running = 0n
  return row.lines.map((line, at) => {
    running += BigInt(line.amountMinor)
    const taxed = taxedLines[at]
    return {
      description: [
        ...linesOf(line.description),
        ...(line.sku ? [isolate(`${wordIn(languages[0], 'sku')} ${ltr(line.sku)}`)] : []),
      ],
      numbers: [
        quantityText(Number(line.quantity), units.get(line.id)),
        price(Number(line.unitPrice)),
        ...(showsTax ? [taxed ? rateAndMark({ rules }, taxed, languages[0]) : ''] : []),
      ],
      amount: amount(BigInt(line.amountMinor)),
      running: amount(running),
    }
  })
}

/** The quantity with the unit of the item, such as 12 pcs. */
const quantityText = (quantity: number, unit: string | undefined): string =>
  [ltr(numberText(quantity)), unit && isolate(unit)].filter(Boolean).join(' ')

function sumsOf(context: Context): PrintModel['sums'] {
  const { data, languages, word, taxes, amount, showsTax } = context
  const { row, country } = data
  const plain = (label: Label, minor: bigint) => ({ label, value: amount(minor), weight: 'plain' as const })
  const tax = taxes.map((each) =>
    plain(
      toLabel(languages, (language) => taxLabel(context, { row: each, among: taxes }, language)),
      each.tax,
    ),
  )
  return [
    ...(showsTax ? [plain(word('subtotal'), BigInt(row.subtotalMinor)), ...tax] : []),
    {
      label: word('total'),
      value: ltr(moneyText(BigInt(row.totalMinor), row.currency, country.code)),
      weight: 'total',
    },
  ]
}

import { add, exact, minorDigits, percentOf, split } from '../../../core/values/money.ts'
import type { TaxedLine } from '../../../countries/country.ts'
import { paymentText } from '../receipt.ts'
import type { Label, Made, PrintModel, Table } from './print-model.ts'
import { amountText, linesOf, ltr, moneyText, numberText, own, rateText } from './text.ts'
import { methodIn, wordIn } from './words.ts'

/** The columns of the lines; each line's rate only where they differ. */
export function moneyColumns(made: Made): Label[] {
  const { word, said, rules, facts } = made
  const amount = word('amount')
  const inCurrency = { ...amount, text: `${amount.text} (${ltr(facts.row.currency)})` }
  return [
    word('description'), word('quantity'), word('unitPrice'),
    ...(hasRates(made) ? [said((language) => rules.taxName(language))] : []),
    inCurrency,
  ] // biome-ignore format: a row
}

export function printedLines(made: Made): PrintModel['lines'] {
  const { items, currency } = made.facts.row
  if (isAboutPayment(made)) return [paymentLine(made)]
  const rated = hasRates(made)
  let running = 0n
  return items.map(({ description, quantity, unitPrice, amountMinor, taxRate }) => {
    const amount = BigInt(amountMinor)
    running += amount
    const rate = taxRate ?? made.sale.document.taxRate
    return {
      description: linesOf(description),
      numbers: [
        ltr(numberText(Number(quantity))),
        ltr(numberText(Number(unitPrice), minorDigits(currency))),
        ...(rated ? [rate === null ? '' : ltr(rateText(Number(rate)))] : []),
      ],
      amount: ltr(amountText(amount, currency)),
      running: ltr(amountText(running, currency)),
    }
  })
}

/** A receipt without a line for the tax says what was paid, tax and all: lines before tax would not add up to it. */
function isAboutPayment({ facts: { row, source }, sale, rules }: Made): boolean {
  if (row.documentType !== 'RECEIPT') return false
  const isMadeUp = row.items.length === 1 && row.items[0]?.description === paymentText(source.number)
  return isMadeUp || (!rules.showsTax(sale) && sale.document.taxMinor !== 0n)
}

function paymentLine({ facts: { row, source }, sale: { document }, languages: [language], ...made }: Made) {
  const amount = ltr(amountText(document.totalMinor, document.currency))
  const about = made.titled(source)
  const description = about
    ? [wordIn(language, 'paymentFor').replace('{document}', about)]
    : row.items.flatMap((item) => linesOf(item.description))
  return { description, numbers: [ltr('1'), amount], amount, running: amount }
}

export function totalsSection(made: Made): PrintModel['sums'] {
  const { sale, word, said, rules, facts } = made
  const { currency, documentType, totalMinor, subtotalMinor } = sale.document
  const { code: country } = facts.country
  const plain = (label: Label, minor: bigint) => ({
    label,
    value: ltr(amountText(minor, currency)),
    weight: 'plain' as const,
  })
  const total = (label: Label, minor: bigint) => ({
    label,
    value: ltr(moneyText(minor, currency, country)),
    weight: 'total' as const,
  })
  const sums: PrintModel['sums'] = []
  if (rules.showsTax(sale)) {
    sums.push(plain(word('subtotal'), subtotalMinor))
    for (const { rate, tax } of taxesOf(made))
      sums.push(
        plain(
          said((language) => `${rules.taxName(language)}${rate === null ? '' : ` ${ltr(rateText(rate))}`}`),
          tax,
        ),
      )
  }
  const isReceipt = documentType === 'RECEIPT' || documentType === 'INVOICE_RECEIPT'
  sums.push(
    total(
      word(documentType === 'CREDIT_MEMO' ? 'credited' : documentType === 'RECEIPT' ? 'received' : 'total'),
      totalMinor,
    ),
  )
  const paid = BigInt(facts.row.paidMinor)
  if (paid > 0n && !isReceipt && documentType !== 'CREDIT_MEMO') {
    sums.push(plain(word('paid'), -paid))
    sums.push(total(word('balance'), totalMinor - paid))
  }
  return sums
}

/** Tax by rate where there are several, amounts in the home currency where the law wants them, and what was received. */
export function tablesOf(made: Made): Table[] {
  return [taxTable(made), homeTable(made), paymentsTable(made)].filter((table) => table !== undefined)
}

function taxTable(made: Made): Table | undefined {
  const { rules, sale, said, word, facts } = made
  const taxes = taxesOf(made)
  if (taxes.length < 2 || !rules.showsTax(sale)) return undefined
  const amount = (minor: bigint) => ltr(amountText(minor, facts.row.currency))
  return {
    title: said((language) => rules.taxName(language)),
    columns: [word('rate'), word('net'), said((language) => rules.taxName(language)), word('gross')],
    rows: taxes.map(({ rate, net, tax }) => [ltr(rateText(rate ?? 0)), amount(net), amount(tax), amount(net + tax)]),
  }
}

function homeTable({ rules, sale, word, said, languages }: Made): Table | undefined {
  const home = rules.homeAmounts(sale)
  if (!home) return undefined
  const title = word('amountsIn')
  const amount = (minor: bigint) => ltr(amountText(minor, home.currency))
  const named = (label: Label) => (languages.length > 1 && label.too ? `${label.text}  ${label.too}` : label.text)
  return {
    title: { ...title, text: `${title.text} ${ltr(home.currency)}` },
    columns: [{ text: '', too: null }, word('amount')],
    rows: [
      ...(rules.showsTax(sale)
        ? [
            [named(word('subtotal')), amount(home.subtotalMinor)],
            [named(said((language) => rules.taxName(language))), amount(home.taxMinor)],
          ]
        : []),
      [named(word('total')), amount(home.totalMinor)],
    ],
  }
}

/** How what a receipt acknowledges was paid. Tax that the payer withheld counts as paid: it was paid to the state. */
function paymentsTable({ facts, sale, rules, languages, word }: Made): Table | undefined {
  const { row, source } = facts
  const [language] = languages
  const { documentType, currency } = sale.document
  if (documentType !== 'RECEIPT' && documentType !== 'INVOICE_RECEIPT') return undefined
  const claimed = withheldMinor(row.countrySpecificData ?? source.countrySpecificData, currency)
  const made = row.payments.map(({ paidAt, method, amountMinor }) => ({ paidAt, method, amount: BigInt(amountMinor) }))
  const [first = { paidAt: row.paymentDate, method: row.paymentMethod, amount: BigInt(row.totalMinor) }, ...others] =
    made
  // biome-ignore lint/complexity/useMathMinMax: there is none for bigints
  const withheld = claimed < first.amount ? claimed : first.amount
  const received = [{ ...first, amount: first.amount - withheld }, ...others]
  const amount = (minor: bigint) => ltr(amountText(minor, currency))
  return {
    title: word('payments'),
    columns: [word('method'), word('date'), word('amount')],
    rows: [
      ...received.map(({ method, paidAt, amount: each }) => [
        own(method ? methodIn(language, method) : '–'),
        paidAt ? ltr(rules.showDay(paidAt, language)) : '',
        amount(each),
      ]),
      ...(withheld > 0n ? [[word('withheld').text, '', amount(withheld)]] : []),
    ],
  }
}

/** `countrySpecificData.withholdingTax`, in major units as every amount that people send. */
function withheldMinor(facts: object | null, currency: string): bigint {
  const withheld: unknown = facts && Reflect.get(facts, 'withholdingTax')
  if (typeof withheld !== 'number' || !(withheld > 0)) return 0n
  return BigInt(
    exact(withheld)
      .times(exact(10).pow(minorDigits(currency)))
      .toFixed(0),
  )
}

type TaxAt = { rate: number | null; net: bigint; tax: bigint }

/** The tax of the document by rate; it sums up to the document's own, which may differ from the rates by its rounding. */
function taxesOf({ sale: { document } }: Made): TaxAt[] {
  const { lines, taxRate, taxMinor, subtotalMinor } = document
  const rateOf = (line: TaxedLine) => line.taxRate ?? taxRate
  const rates = [...new Set(lines.map(rateOf))].toSorted((a, b) => (b ?? 0) - (a ?? 0))
  if (rates.length < 2) return [{ rate: rates[0] ?? taxRate, net: subtotalMinor, tax: taxMinor }]
  const nets = rates.map((rate) =>
    add(lines.filter((line) => rateOf(line) === rate).map(({ amountMinor }) => amountMinor)),
  )
  const owed = nets.map((net, at) => percentOf(net, rates[at] ?? 0, 'half-up'))
  const taxes = owed.some((tax) => tax < 0n) ? owed : split(taxMinor, owed)
  return rates.map((rate, at) => ({ rate, net: nets[at] ?? 0n, tax: taxes[at] ?? 0n }))
}

const hasRates = (made: Made) => made.rules.showsTax(made.sale) && taxesOf(made).length > 1

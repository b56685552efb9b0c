import { nineDigits } from '../text.ts'
import type { VatEvent } from './read-vat.ts'

/** A record of the report, in whole shekels. `amount` is without tax; both are negative for credits. */
export type VatRecord = {
  type: 'S' | 'L' | 'Y' | 'T' | 'K'
  dealer: string
  day: string
  reference: string
  vat: number
  amount: number
  allocationNumber: string
  /** Sales without tax are a figure of their own. */
  isTaxed: boolean
  isEquipment: boolean
}

const isSale = ({ type }: VatRecord) => type !== 'T' && type !== 'K'

/** Half a shekel is rounded up, and down for credits, which mirror their invoices. */
const shekels = (agorot: number) => Math.sign(agorot) * Math.round(Math.abs(agorot) / 100) || 0
const lastDigits = (text: string | null) => (text ?? '').replace(/\D/g, '').slice(-9).padStart(9, '0')

/** Documents that name no customer or supplier are one record together, whose reference says how many they are. */
export function recordsOf(events: readonly VatEvent[], lastDay: string): VatRecord[] {
  const parts = events.flatMap(partsOf)
  const named = parts.filter(({ type }) => type !== 'L' && type !== 'K')
  const records = [...named]
  for (const type of ['L', 'K'] as const)
    for (const isTaxed of [true, false]) {
      const unnamed = parts.filter((part) => part.type === type && part.isTaxed === isTaxed)
      if (unnamed.length === 0) continue
      const sum = (key: 'vat' | 'amount') => unnamed.reduce((all, part) => all + part[key], 0)
      const reference = String(unnamed.length).padStart(9, '0')
      records.push({
        type,
        dealer: zeros,
        day: lastDay,
        reference,
        vat: sum('vat'),
        amount: sum('amount'),
        allocationNumber: zeros,
        isTaxed,
        isEquipment: false,
      })
    }
  return records.toSorted(
    (one, other) => Number(isSale(other)) - Number(isSale(one)) || one.day.localeCompare(other.day),
  )
}

const zeros = '0'.repeat(9)

/** An invoice with taxed and untaxed lines is two records. Bills whose tax is not deducted are in none. */
function partsOf(event: VatEvent): VatRecord[] {
  const { side, day, taxMinor, taxedMinor, untaxedMinor, chargedNetMinor } = event
  const dealer = dealerOf(event)
  const common = {
    dealer,
    day,
    reference: lastDigits(event.number),
    isEquipment: event.isEquipment,
    allocationNumber: lastDigits(event.allocationNumber),
  }
  if (side === 'INPUT') {
    const type: VatRecord['type'] = dealer === zeros ? 'K' : 'T'
    const amounts = { vat: shekels(taxMinor), amount: shekels(chargedNetMinor) }
    return taxMinor === 0 ? [] : [{ ...common, ...amounts, type, isTaxed: true }]
  }
  const abroad = isAbroad(event)
  const named: VatRecord['type'] = dealer === zeros ? 'L' : 'S'
  // A sale with tax to somebody abroad is no export: it is one to an unnamed customer.
  const taxed: Pick<VatRecord, 'type' | 'dealer'> = abroad ? { type: 'L', dealer: zeros } : { type: named, dealer }
  const untaxed: Pick<VatRecord, 'type' | 'dealer'> = { type: abroad ? 'Y' : named, dealer }
  return [
    ...(taxMinor === 0
      ? []
      : [{ ...common, ...taxed, vat: shekels(taxMinor), amount: shekels(taxedMinor), isTaxed: true }]),
    ...(untaxedMinor === 0 ? [] : [{ ...common, ...untaxed, vat: 0, amount: shekels(untaxedMinor), isTaxed: false }]),
  ]
}

const isAbroad = ({ country }: VatEvent) => country !== null && country !== 'IL'

/** The nine digits; zeros if there are none, and nines for a customer abroad. */
function dealerOf(event: VatEvent): string {
  if (event.side === 'OUTPUT' && isAbroad(event)) return '9'.repeat(9)
  return nineDigits(event.dealer) ?? zeros
}

const signed = (value: number, digits: number) =>
  `${value < 0 ? '-' : '+'}${String(Math.abs(value)).padStart(digits, '0')}`
const compactDay = (day: string) => day.replaceAll('-', '')

export function figuresOf(records: readonly VatRecord[]) {
  const sum = (wanted: (record: VatRecord) => boolean, key: 'vat' | 'amount') =>
    records.filter(wanted).reduce((all, record) => all + record[key], 0)
  const isTaxedSale = (record: VatRecord) => isSale(record) && record.isTaxed
  const [taxed, vat] = [sum(isTaxedSale, 'amount'), sum(isTaxedSale, 'vat')]
  const untaxed = sum((record) => isSale(record) && !record.isTaxed, 'amount')
  const input = sum((record) => !isSale(record) && !record.isEquipment, 'vat')
  const equipment = sum((record) => !isSale(record) && record.isEquipment, 'vat')
  const sales = records.filter(isSale).length
  return {
    taxed,
    vat,
    untaxed,
    input,
    sales,
    inputs: records.length - sales,
    equipment,
    payable: vat - input - equipment,
  }
}

type Header = { dealer: string; lastDay: string; madeOn: string }

/** The lines of the report: a header with the sums, the records and a footer. */
export function pcn874Lines(records: readonly VatRecord[], { dealer, lastDay, madeOn }: Header): string[] {
  const { taxed, vat, untaxed, input, equipment, sales, inputs, payable } = figuresOf(records)
  const count = (number: number) => String(number).padStart(9, '0')
  return [
    [
      'O',
      dealer,
      compactDay(lastDay).slice(0, 6),
      '1',
      compactDay(madeOn),
      signed(taxed, 11),
      signed(vat, 9),
      signed(0, 11),
      signed(0, 9),
      count(sales),
      signed(untaxed, 11),
      signed(input, 9),
      signed(equipment, 9),
      count(inputs),
      signed(payable, 11),
    ].join(''),
    ...records.map(({ type, dealer: other, day, reference, vat: tax, amount, allocationNumber }) =>
      [
        type,
        other,
        compactDay(day),
        '0000',
        reference,
        String(Math.abs(tax)).padStart(9, '0'),
        signed(amount, 10),
        allocationNumber,
      ].join(''),
    ),
    `X${dealer}`,
  ]
}

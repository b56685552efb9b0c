import { html } from '../../core/values/html.ts'
import { drawReceipt } from '../receipts/receipt.ts'
import type { LetterFile } from './mime.ts'
import { writePdf } from './pdf.ts'

/** What a supplier charges. Amounts are in major units; the total includes the tax. */
export type Bill = {
  vendor: string
  address: string
  taxNumber?: string
  number: string
  date: string
  title: string
  currency: string
  /** In percent; 0 for suppliers abroad and those who are not registered for tax. */
  taxRate: number
  total: number
  paidBy?: string
}

const money = (amount: number) => amount.toFixed(2)
const netOf = ({ total, taxRate }: Bill) => Math.round((total * 10_000) / (100 + taxRate)) / 100

/** The bill as a picture of a till receipt. */
export function pictureOf(bill: Bill): LetterFile {
  const { taxRate, total } = bill
  const tax = taxRate > 0 ? { taxRate, taxAmount: total - netOf(bill) } : {}
  const content = drawReceipt({ language: 'en', ...bill, ...tax, ...(taxRate === 0 && { taxRate: undefined }) })
  return { name: `receipt-${bill.number}.png`, type: 'image/png', content }
}

/** The bill as a printed invoice. */
export function pdfOf(bill: Bill): LetterFile {
  const { vendor, address, taxNumber, number, date, title, currency, taxRate, total, paidBy } = bill
  const net = netOf(bill)
  const rows: [string, string][] = [
    [title, `${currency} ${money(net)}`],
    ['Subtotal', `${currency} ${money(net)}`],
    ...(taxRate > 0 ? [[`GST ${taxRate}%`, `${currency} ${money(total - net)}`] as [string, string]] : []),
    ['Total', `${currency} ${money(total)}`],
  ]
  const content = writePdf([
    { text: vendor, size: 16 },
    { text: address },
    ...(taxNumber ? [{ text: `GST registration no. ${taxNumber}` }] : []),
    { text: '' },
    { text: taxRate > 0 ? 'Tax invoice' : 'Invoice', size: 14 },
    { text: 'Invoice number', right: number },
    { text: 'Invoice date', right: date },
    { text: '' },
    ...rows.map(([text, right]) => ({ text, right })),
    ...(paidBy ? [{ text: '' }, { text: `Paid by ${paidBy}. Thank you.` }] : []),
  ])
  return { name: `invoice-${number}.pdf`, type: 'application/pdf', content }
}

/** The bill as an e-invoice of the Peppol network (UBL, Singapore). */
export function eInvoiceOf(bill: Bill): LetterFile {
  const { vendor, taxNumber, number, date, title, currency, taxRate, total } = bill
  const net = netOf(bill)
  const amount = (name: string, value: number) =>
    html`<cbc:${name} currencyID="${currency}">${money(value)}</cbc:${name}>`
  const text = html`<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
  <cbc:CustomizationID>urn:peppol:pint:billing-1@sg-1</cbc:CustomizationID>
  <cbc:ID>${number}</cbc:ID>
  <cbc:IssueDate>${date}</cbc:IssueDate>
  <cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>
  <cbc:DocumentCurrencyCode>${currency}</cbc:DocumentCurrencyCode>
  <cac:AccountingSupplierParty><cac:Party>
    <cac:PartyTaxScheme><cbc:CompanyID>${taxNumber}</cbc:CompanyID><cac:TaxScheme><cbc:ID>GST</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>
    <cac:PartyLegalEntity><cbc:RegistrationName>${vendor}</cbc:RegistrationName></cac:PartyLegalEntity>
  </cac:Party></cac:AccountingSupplierParty>
  <cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode></cac:PaymentMeans>
  <cac:TaxTotal>${amount('TaxAmount', total - net)}<cac:TaxSubtotal>${amount('TaxableAmount', net)}${amount('TaxAmount', total - net)}<cac:TaxCategory><cbc:ID>SR</cbc:ID><cbc:Percent>${taxRate}</cbc:Percent><cac:TaxScheme><cbc:ID>GST</cbc:ID></cac:TaxScheme></cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>
  <cac:LegalMonetaryTotal>${amount('LineExtensionAmount', net)}${amount('TaxExclusiveAmount', net)}${amount('TaxInclusiveAmount', total)}${amount('PayableAmount', total)}</cac:LegalMonetaryTotal>
  <cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:InvoicedQuantity unitCode="EA">1</cbc:InvoicedQuantity>${amount('LineExtensionAmount', net)}<cac:Item><cbc:Name>${title}</cbc:Name></cac:Item><cac:Price>${amount('PriceAmount', net)}</cac:Price></cac:InvoiceLine>
</Invoice>
`
  return { name: `${number}.xml`, type: 'application/xml', content: Buffer.from(text.text) }
}

/** The bill as an HTML message, which is itself the receipt. */
export function bodyOf(bill: Bill): string {
  const { vendor, address, taxNumber, number, date, title, currency, taxRate, total, paidBy } = bill
  const net = netOf(bill)
  const row = (name: string, value: string) => html`<tr><td>${name}</td><td align="right">${value}</td></tr>`
  return html`<!doctype html><html><body>
<h2>${vendor}</h2><p>${address}</p>${taxNumber ? html`<p>GST registration no. ${taxNumber}</p>` : ''}
<p>Thank you. This is your receipt.</p>
<table>${row('Receipt number', number)}${row('Date', date)}</table>
<table>${row(title, `${currency} ${money(net)}`)}
${taxRate > 0 ? row(`GST ${taxRate}%`, `${currency} ${money(total - net)}`) : ''}
${row('Total', `${currency} ${money(total)}`)}</table>
${paidBy ? html`<p>Paid by ${paidBy}</p>` : ''}
</body></html>`.text
}

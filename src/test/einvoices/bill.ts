/** What the bill of a supplier says. */
export type Bill = {
  vendor?: string
  vendorTaxNumber?: string
  number?: string
  date?: string
  currency?: string
  net?: number
  taxRate?: number
  orderNumber?: string
  items?: { name: string; quantity: number; price: number }[]
}

/** The bill of a supplier as an e-invoice (UBL), which is read exactly: 218.00 SGD of Acme unless something else is given. */
export function billOf(bill: Bill = {}): { fileName: string; base64: string } {
  return { fileName: 'bill.xml', base64: Buffer.from(xmlOf(bill)).toString('base64') }
}

function xmlOf(bill: Bill): string {
  const { vendor = 'Acme', vendorTaxNumber, number = 'A-1', date = '2026-01-20', currency = 'SGD', taxRate = 9 } = bill
  const { net = 200, items = [], orderNumber } = bill
  const tax = (net * taxRate) / 100
  const money = (name: string, amount: number) => `<c:${name} currencyID="${currency}">${amount.toFixed(2)}</c:${name}>`
  const lines = items.map(
    (
      { name, quantity, price },
      at,
    ) => `<a:InvoiceLine><c:ID>${at + 1}</c:ID><c:InvoicedQuantity>${quantity}</c:InvoicedQuantity>
      ${money('LineExtensionAmount', quantity * price)}<a:Item><c:Name>${name}</c:Name></a:Item>
      <a:Price>${money('PriceAmount', price)}</a:Price></a:InvoiceLine>`,
  )
  const registration = vendorTaxNumber
    ? `<a:PartyTaxScheme><c:CompanyID>${vendorTaxNumber}</c:CompanyID><a:TaxScheme><c:ID>GST</c:ID></a:TaxScheme></a:PartyTaxScheme>`
    : ''
  return `<?xml version="1.0" encoding="UTF-8"?>
    <Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
      xmlns:a="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
      xmlns:c="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
      ${number && `<c:ID>${number}</c:ID>`}<c:IssueDate>${date}</c:IssueDate><c:DocumentCurrencyCode>${currency}</c:DocumentCurrencyCode>
      ${orderNumber ? `<a:OrderReference><c:ID>${orderNumber}</c:ID></a:OrderReference>` : ''}
      <a:AccountingSupplierParty><a:Party>${registration}
        <a:PartyLegalEntity><c:RegistrationName>${vendor}</c:RegistrationName></a:PartyLegalEntity></a:Party></a:AccountingSupplierParty>
      <a:TaxTotal>${money('TaxAmount', tax)}<a:TaxSubtotal>${money('TaxableAmount', net)}${money('TaxAmount', tax)}
        <a:TaxCategory><c:Percent>${taxRate}</c:Percent></a:TaxCategory></a:TaxSubtotal></a:TaxTotal>
      <a:LegalMonetaryTotal>${money('TaxExclusiveAmount', net)}${money('TaxInclusiveAmount', net + tax)}${money('PayableAmount', net + tax)}</a:LegalMonetaryTotal>
      ${lines.join('')}
    </Invoice>`
}

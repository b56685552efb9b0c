import type { Company } from './company.ts'
import { cedarSpending } from './expenses/cedar-spending.ts'
import { cedarStaff } from './payroll/staff.ts'
import { cedarTrade } from './trade/cedar-trade.ts'

/** A carpentry with a shop in Madison: furniture and shelves with the sales tax of the county, work without. */
// biome-ignore format: a table
export const cedar: Company = {
  organization: {
    name: 'Cedar & Main LLC', country: 'US', timezone: 'America/Chicago', registrationNumber: '84-1234567', taxNumber: '84-1234567',
    address: '208 W Main St, Madison, WI 53703', email: 'hello@cedar-main.test', phone: '+1 608 555 0119',
  },
  currency: 'USD',
  bankAccounts: [
    { accountName: 'Business checking', bankName: 'Chase', currencies: ['USD'], isDefault: true, routingNumber: '021000021', swiftCode: 'CHASUS33', accountNumber: '000123456789', bankCountry: 'US' },
  ],
  goods: {
    table: { description: 'Dining table, white oak', price: 1_890, quantity: [1, 2] },
    bench: { description: 'Bench, cedar, 48 in', price: 320, quantity: [1, 4] },
    shelf: { description: 'Wall shelf, maple, 36 in', price: 84.5, quantity: [2, 10] },
    cabinet: { description: 'Base cabinet, birch, built to measure', price: 745, quantity: [1, 5] },
    desk: { description: 'Reception desk, walnut', price: 3_450, quantity: [1, 1] },
    board: { description: 'Cutting board, end grain', price: 68, quantity: [1, 6] },
    crate: { description: 'Display crate, pine', price: 27.95, quantity: [6, 24] },
    install: { description: 'Installation, hour', price: 78, quantity: [3, 12], untaxed: true },
    repair: { description: 'Repair in the workshop, hour', price: 65, quantity: [1, 5], untaxed: true },
    drawing: { description: 'Measured drawing', price: 240, quantity: [1, 2], untaxed: true },
  },
  season: [0.8, 0.85, 1, 1.05, 1.15, 1.1, 1.05, 1, 1, 1.05, 1.1, 1.25],
  taxOn: () => 5.5,
  weekend: [0, 6],
  customers: [
    { name: 'Lakeshore Dental Group', country: 'US', email: 'billing@lakeshore-dental.test', defaultCurrencies: ['USD'], recipients: ['billing@lakeshore-dental.test'],
      buys: { goods: ['cabinet', 'desk', 'install'], perMonth: 0.5, dueDays: 30, paysAfterDays: [22, 35], method: 'BANK_TRANSFER' } },
    { name: 'Prairie Wind Farms Inc.', country: 'US', email: 'ap@prairiewind.test', registrationNumber: '39-7654321', defaultCurrencies: ['USD'],
      buys: { goods: ['bench', 'shelf', 'repair'], perMonth: 0.6, dueDays: 30, paysAfterDays: [28, 44], method: 'CHECK' } },
    { name: 'Straits Design Studio Pte. Ltd.', country: 'SG', email: 'studio@straits-design.test', registrationNumber: '201812345M', defaultCurrencies: ['USD', 'SGD'],
      buys: { goods: ['board', 'shelf', 'drawing'], taxFree: true, perMonth: 0.4, dueDays: 30, paysAfterDays: [18, 30], method: 'BANK_TRANSFER' } },
    { name: 'Maple Street Bakery', country: 'US', email: 'owner@maplestreet.test', phone: '+1 608 555 0164', defaultCurrencies: ['USD'],
      buys: { goods: ['crate', 'shelf', 'board', 'repair'], perMonth: 0.7, volume: 0.8, dueDays: 14, paysAfterDays: [6, 18], method: 'CHECK' } },
    { name: 'Jordan Ellis', country: 'US', kind: 'INDIVIDUAL', email: 'jordan.ellis@mail.test', defaultCurrencies: ['USD'],
      buys: { goods: ['table', 'bench', 'repair'], perMonth: 0.2, volume: 0.6, dueDays: 0, paysAfterDays: [0, 0], method: 'CREDIT_CARD' } },
    { name: 'Badger Ridge Builders LLC', country: 'US', email: 'accounts@badger-ridge.test', registrationNumber: '47-3081925', defaultCurrencies: ['USD'], recipients: ['accounts@badger-ridge.test', 'site@badger-ridge.test'],
      buys: { goods: ['cabinet', 'shelf', 'install', 'drawing'], perMonth: 0.9, volume: 1.7, dueDays: 30, paysAfterDays: [15, 40], method: 'BANK_TRANSFER', invoicesPerTransfer: 3 } },
    { name: 'Monona Bay Architects', country: 'US', email: 'studio@mononabay.test', defaultCurrencies: ['USD'],
      buys: { goods: ['desk', 'table', 'drawing'], perMonth: 0.5, firstMonth: 5, dueDays: 30, paysAfterDays: [20, 31], method: 'BANK_TRANSFER' } },
    { name: 'Isthmus Brewing Co.', country: 'US', email: 'books@isthmus-brewing.test', defaultCurrencies: ['USD'], notes: 'Pays when the quarter closes.',
      buys: { goods: ['bench', 'table', 'install'], perMonth: 0.6, volume: 1.4, dueDays: 30, paysAfterDays: [42, 86], method: 'CHECK' } },
    { name: 'Willow & Page Books', country: 'US', email: 'hello@willow-page.test', defaultCurrencies: ['USD'],
      buys: { goods: ['shelf', 'crate', 'install'], perMonth: 0.5, endMonth: 16, dueDays: 30, paysAfterDays: [20, 36], method: 'CREDIT_CARD' } },
    { name: 'Four Lakes Library Foundation', country: 'US', email: 'treasurer@fourlakes-library.test', registrationNumber: '39-1184420', defaultCurrencies: ['USD'], notes: 'Exempt from sales tax; the certificate is on file.',
      buys: { goods: ['shelf', 'bench', 'desk'], taxFree: true, perMonth: 0.4, volume: 1.5, dueDays: 45, paysAfterDays: [35, 52], method: 'CHECK' } },
    { name: 'Priya Raman', country: 'US', kind: 'INDIVIDUAL', email: 'priya.raman@mail.test', defaultCurrencies: ['USD'],
      buys: { goods: ['board', 'shelf', 'bench'], perMonth: 0.35, volume: 0.5, dueDays: 0, paysAfterDays: [0, 0], method: 'CREDIT_CARD' } },
    { name: 'Capitol Square Realty', country: 'US', email: 'ap@capitolsquare.test', defaultCurrencies: ['USD'], phone: '+1 608 555 0188',
      buys: { goods: ['cabinet', 'repair', 'install'], perMonth: 0.6, dueDays: 30, paysAfterDays: [24, 40], method: 'BANK_TRANSFER' } },
    { name: 'Door Peninsula Inn', country: 'US', email: 'manager@door-inn.test', defaultCurrencies: ['USD'], address: '4210 Bluff Rd, Fish Creek, WI 54212',
      buys: { goods: ['bench', 'table', 'cabinet', 'board'], perMonth: 0.7, volume: 1.5, firstMonth: 9, dueDays: 30, paysAfterDays: [25, 38], method: 'BANK_TRANSFER' } },
  ],
  specialSales: [
    { customer: 'Capitol Square Realty', daysAgo: 118, status: 'PAID', followUp: { kind: 'DISPUTED', thread: [
      { type: 'DISPUTED', message: 'The building manager says one cabinet door does not close.' },
      { type: 'COMMENTED', message: 'Hinge replaced on site, no charge.' },
      { type: 'DISPUTE_RESOLVED', message: 'Fixed, and they are happy.' } ] } },
    { customer: 'Isthmus Brewing Co.', daysAgo: 92, status: 'SENT', followUp: { kind: 'PART_PAID', share: 0.35, daysAgo: 25 } },
    { customer: 'Prairie Wind Farms Inc.', daysAgo: 68, status: 'SENT', followUp: { kind: 'DISPUTED', thread: [
      { type: 'DISPUTED', message: 'They ordered four benches and say that three came.' },
      { type: 'DISPUTE_COUNTERED', message: 'The bill of lading says four; photo of the truck sent.' },
      { type: 'COMMENTED', message: 'Their foreman is looking in the north barn.' } ] } },
    { customer: 'Door Peninsula Inn', daysAgo: 49, status: 'SENT' },
    { customer: 'Monona Bay Architects', daysAgo: 29, status: 'SENT', followUp: { kind: 'OVERPAID', by: 50, daysAgo: 4 } },
    { customer: 'Lakeshore Dental Group', daysAgo: 25, status: 'SENT' },
    { customer: 'Capitol Square Realty', daysAgo: 14, status: 'SENT', followUp: { kind: 'CREDITED', description: 'Scratch on a panel', share: 0.08, reason: 'A panel was scratched on delivery; the customer keeps it.' } },
    { customer: 'Maple Street Bakery', daysAgo: 8, status: 'SENT', followUp: { kind: 'RECEIPTED', daysAgo: 1 } },
    { customer: 'Four Lakes Library Foundation', daysAgo: 5, status: 'SENT', documentType: 'PAYMENT_REQUEST', notes: 'Half before we cut the wood.' },
    { customer: 'Priya Raman', daysAgo: 1, status: 'PAID' },
    { customer: 'Badger Ridge Builders LLC', daysAgo: 1, status: 'UNSENT' },
    { customer: 'Prairie Wind Farms Inc.', daysAgo: 0, status: 'UNSENT' },
    { customer: 'Isthmus Brewing Co.', daysAgo: 0, status: 'DRAFT' },
    { customer: 'Straits Design Studio Pte. Ltd.', daysAgo: 0, status: 'DRAFT', notes: 'Freight by air or by sea?' },
  ],
  spending: cedarSpending,
  trade: cedarTrade,
  staff: cedarStaff,
  firstPayMonth: '2025-01', // the tables of the United States begin with 2025
}

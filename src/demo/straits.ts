import { accessPointClient } from '../simulators/access-point/simulator.ts'
import { type Company, standardTax } from './company.ts'
import { straitsSpending } from './expenses/straits-spending.ts'
import { receiptsMailbox } from './mailbox/mailbox.ts'
import { straitsStaff } from './payroll/staff.ts'
import { straitsTrade } from './trade/straits-trade.ts'

/** Designs for hotels, museums and start-ups in Singapore and for clients abroad: projects with deposits, and retainers. */
// biome-ignore format: a table
export const straits: Company = {
  organization: {
    name: 'Straits Design Studio Pte. Ltd.', country: 'SG', registrationNumber: '201812345M', taxNumber: 'M90312345A',
    address: '71 Ayer Rajah Crescent, #05-14, Singapore 139951', email: 'studio@straits-design.test', phone: '+65 6555 0147',
  },
  currency: 'SGD',
  mailbox: receiptsMailbox,
  taxAuthority: { integrationId: 'sg-invoicenow', credentials: { ...accessPointClient, uen: '201812345M', gstNumber: 'M90312345A', participantId: '0195:SGUEN201812345M' } },
  bankAccounts: [
    { accountName: 'SGD current account', bankName: 'DBS Bank', currencies: ['SGD'], isDefault: true, swiftCode: 'DBSSSGSG', localBankCode: '7171', branchCode: '001', accountNumber: '0012345678', bankCountry: 'SG' },
    { accountName: 'USD account', bankName: 'OCBC Bank', currencies: ['USD'], isDefault: false, swiftCode: 'OCBCSGSG', accountNumber: '501234567001', bankCountry: 'SG' },
  ],
  goods: {
    identity: { description: 'Brand identity', price: 18_000, quantity: [1, 1] },
    signage: { description: 'Wayfinding and signage', price: 26_000, quantity: [1, 1] },
    exhibition: { description: 'Exhibition design', price: 32_000, quantity: [1, 1] },
    website: { description: 'Website design', price: 21_000, quantity: [1, 1] },
    packaging: { description: 'Packaging design', price: 12_000, quantity: [1, 1] },
    retainer: { description: 'Design retainer, month', price: 3_200, quantity: [1, 1] },
    hours: { description: 'Senior designer, hour', price: 165, quantity: [4, 16] },
    illustration: { description: 'Editorial illustration', price: 480, quantity: [1, 5] },
    photo: { description: 'Product photography, half day', price: 950, quantity: [1, 2] },
    cards: { description: 'Invitations and stationery, set', price: 640, quantity: [1, 2] },
    hosting: { description: 'Website care, month', price: 290, quantity: [1, 1] },
  },
  season: [0.85, 0.8, 1, 1, 1.05, 1, 1, 0.95, 1.05, 1.1, 1.2, 0.95],
  taxOn: standardTax('SG'),
  exportCategory: 'ZR',
  weekend: [0, 6],
  customers: [
    { name: 'Kampong Glam Hotels Pte. Ltd.', country: 'SG', email: 'finance@kgh.test', address: '33 Arab Street, Singapore 199738', registrationNumber: '199904567G', defaultCurrencies: ['SGD'], recipients: ['finance@kgh.test', 'gm@kgh.test'],
      buys: { goods: ['identity', 'signage', 'website'], projects: true, perMonth: 0.25, volume: 1.3, dueDays: 30, paysAfterDays: [24, 38], method: 'BANK_TRANSFER' } },
    { name: 'Merlion Fintech Pte. Ltd.', country: 'SG', email: 'ap@merlionfintech.test', address: '9 Battery Road, #12-01, Singapore 049910', registrationNumber: '202055512H', defaultCurrencies: ['SGD', 'USD'],
      buys: { goods: ['retainer', 'hours', 'illustration'], perMonth: 0.8, dueDays: 30, paysAfterDays: [20, 33], method: 'BANK_TRANSFER' } },
    { name: 'Borneo Outfitters Sdn. Bhd.', country: 'MY', email: 'accounts@borneo-outfitters.test', registrationNumber: '201901012345', address: 'Jalan Padungan 18, 93100 Kuching', defaultCurrencies: ['MYR', 'SGD'],
      buys: { goods: ['photo', 'hours', 'illustration'], taxFree: true, perMonth: 0.4, dueDays: 30, paysAfterDays: [26, 48], method: 'BANK_TRANSFER' } },
    { name: 'Tan Wei Ling', country: 'SG', kind: 'INDIVIDUAL', email: 'weiling.tan@mail.test', defaultCurrencies: ['SGD'],
      buys: { goods: ['cards', 'illustration'], perMonth: 0.2, dueDays: 7, paysAfterDays: [1, 6], method: 'PAYNOW' } },
    { name: 'Harbourfront Museum', country: 'SG', email: 'procurement@hfmuseum.test', registrationNumber: 'T08SS0113F', address: '2 Maritime Square, Singapore 099255', defaultCurrencies: ['SGD'], notes: 'Purchase order number on every invoice.',
      buys: { goods: ['exhibition', 'signage'], projects: true, perMonth: 0.2, volume: 1.2, dueDays: 30, paysAfterDays: [28, 36], method: 'BANK_TRANSFER' } },
    { name: 'Cedar & Main LLC', country: 'US', email: 'hello@cedar-main.test', address: '208 W Main St, Madison, WI 53703', registrationNumber: '84-1234567', defaultCurrencies: ['USD'],
      buys: { goods: ['hosting', 'hours'], currency: 'USD', taxFree: true, perMonth: 0.5, volume: 0.5, dueDays: 14, paysAfterDays: [8, 16], method: 'BANK_TRANSFER' } },
    { name: 'Kopi Republic Pte. Ltd.', country: 'SG', email: 'hq@kopi-republic.test', address: '61 Joo Chiat Road, Singapore 427386', registrationNumber: '201630871R', defaultCurrencies: ['SGD'], recipients: ['accounts@kopi-republic.test'],
      buys: { goods: ['retainer', 'photo', 'illustration'], perMonth: 0.7, dueDays: 30, paysAfterDays: [14, 32], method: 'BANK_TRANSFER', invoicesPerTransfer: 3 } },
    { name: 'Lion City Logistics Pte. Ltd.', country: 'SG', email: 'payables@lioncity-logistics.test', address: '25 Pandan Crescent, Singapore 128477', registrationNumber: '200718264C', defaultCurrencies: ['SGD'],
      buys: { goods: ['website', 'identity'], projects: true, perMonth: 0.18, firstMonth: 6, dueDays: 30, paysAfterDays: [44, 88], method: 'CHECK' } },
    { name: 'Pacific Rim Ventures Inc.', country: 'US', email: 'ops@pacrim-ventures.test', registrationNumber: '47-2214406', defaultCurrencies: ['USD'], address: '450 Sansome St, San Francisco, CA 94111',
      buys: { goods: ['identity', 'website'], projects: true, currency: 'USD', taxFree: true, perMonth: 0.2, volume: 0.8, firstMonth: 3, dueDays: 30, paysAfterDays: [15, 30], method: 'BANK_TRANSFER' } },
    { name: 'Serangoon Dental Care', country: 'SG', email: 'clinic@serangoon-dental.test', address: '261 Serangoon Central Drive, #01-07, Singapore 550261', registrationNumber: '53301847A', defaultCurrencies: ['SGD'], phone: '+65 6555 0172',
      buys: { goods: ['hosting', 'photo', 'cards'], perMonth: 0.5, volume: 0.7, dueDays: 14, paysAfterDays: [5, 18], method: 'PAYNOW' } },
    { name: 'Orchid & Oak Weddings', country: 'SG', email: 'hello@orchid-oak.test', registrationNumber: '53311842K', address: '8 Dempsey Road, Singapore 247696', defaultCurrencies: ['SGD'],
      buys: { goods: ['cards', 'illustration', 'photo'], perMonth: 0.5, endMonth: 17, dueDays: 14, paysAfterDays: [12, 30], method: 'PAYNOW' } },
    { name: 'Jurong Robotics Pte. Ltd.', country: 'SG', email: 'finance@jurong-robotics.test', address: '1 CleanTech Loop, Singapore 637141', registrationNumber: '202214406D', defaultCurrencies: ['SGD'], recipients: ['finance@jurong-robotics.test'],
      buys: { goods: ['packaging', 'website'], projects: true, perMonth: 0.22, firstMonth: 9, volume: 1.1, dueDays: 30, paysAfterDays: [22, 40], method: 'BANK_TRANSFER' } },
    { name: 'Nusantara Tea PT', country: 'ID', email: 'keuangan@nusantara-tea.test', registrationNumber: '8120002210356', address: 'Jalan Braga 12, 40111 Bandung', defaultCurrencies: ['USD'],
      buys: { goods: ['packaging'], projects: true, currency: 'USD', taxFree: true, perMonth: 0.12, firstMonth: 12, volume: 0.7, dueDays: 30, paysAfterDays: [20, 45], method: 'BANK_TRANSFER' } },
  ],
  specialSales: [
    { customer: 'Merlion Fintech Pte. Ltd.', daysAgo: 131, status: 'PAID', followUp: { kind: 'DISPUTED', thread: [
      { type: 'DISPUTED', message: 'Merlion counted fewer hours than we billed.' },
      { type: 'DISPUTE_COUNTERED', message: 'Time sheet sent, with the two workshops they had left out.' },
      { type: 'DISPUTE_RESOLVED', message: 'They agree with the time sheet.' } ] } },
    { customer: 'Lion City Logistics Pte. Ltd.', daysAgo: 88, status: 'SENT', followUp: { kind: 'PART_PAID', share: 0.5, daysAgo: 30 } },
    { customer: 'Borneo Outfitters Sdn. Bhd.', daysAgo: 64, status: 'SENT', followUp: { kind: 'DISPUTED', thread: [
      { type: 'DISPUTED', message: 'They want the photographs taken again: the green of the jackets is off.' },
      { type: 'DISPUTE_COUNTERED', message: 'Colour proof attached to our answer; it was approved in writing.' },
      { type: 'COMMENTED', message: 'Call with Kuching on Thursday.' } ] } },
    { customer: 'Kampong Glam Hotels Pte. Ltd.', daysAgo: 47, status: 'SENT', notes: 'PO 88213' },
    { customer: 'Pacific Rim Ventures Inc.', daysAgo: 31, status: 'SENT', followUp: { kind: 'OVERPAID', by: 25, daysAgo: 3 } },
    { customer: 'Harbourfront Museum', daysAgo: 26, status: 'SENT', notes: 'PO HFM-2207' },
    { customer: 'Serangoon Dental Care', daysAgo: 16, status: 'SENT', followUp: { kind: 'CREDITED', description: 'One photograph less than agreed', share: 0.2, reason: 'One photograph less than agreed.' } },
    { customer: 'Merlion Fintech Pte. Ltd.', daysAgo: 13, status: 'SENT', followUp: { kind: 'RECEIPTED', daysAgo: 1 } },
    { customer: 'Jurong Robotics Pte. Ltd.', daysAgo: 6, status: 'SENT', documentType: 'PAYMENT_REQUEST', notes: 'Deposit before the kick-off.' },
    { customer: 'Tan Wei Ling', daysAgo: 2, status: 'PAID' },
    { customer: 'Cedar & Main LLC', daysAgo: 1, status: 'UNSENT' },
    { customer: 'Kopi Republic Pte. Ltd.', daysAgo: 0, status: 'UNSENT' },
    { customer: 'Kampong Glam Hotels Pte. Ltd.', daysAgo: 0, status: 'DRAFT' },
    { customer: 'Nusantara Tea PT', daysAgo: 0, status: 'DRAFT', notes: 'Second flavour still to be priced.' },
  ],
  spending: straitsSpending,
  trade: straitsTrade,
  staff: straitsStaff,
  firstPayMonth: null,
}

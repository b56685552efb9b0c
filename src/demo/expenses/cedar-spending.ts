import type { Spending } from './spending.ts'

/** Lumber, tools and a truck. Sales tax is part of the cost: nothing of it is deducted in the United States. */
// biome-ignore format: a table
export const cedarSpending: Spending = {
  language: 'en',
  categories: [{ name: 'Lumber', color: '#9c6644' }, { name: 'Truck', color: '#7a7d80' }],
  suppliers: [
    { name: 'Northwoods Lumber Co.', country: 'US', email: 'ar@northwoods-lumber.test', registrationNumber: '39-4471208', address: '900 Mill Rd, Rhinelander, WI 54501', defaultCurrencies: ['USD'],
      supplies: { title: 'White oak and maple, kiln dried', category: 'Lumber', amount: [680, 2_400], perMonth: 0.8, dueDays: 30, paysAfterDays: [20, 32], method: 'CHECK', taxFree: true, billsPerTransfer: 3 } },
    { name: 'Maison Rivard Quincaillerie', country: 'CA', email: 'comptes@rivard-quincaillerie.test', defaultCurrencies: ['CAD'],
      supplies: { title: 'Hinges and drawer slides', category: 'Lumber', amount: [240, 890], perMonth: 0.3, dueDays: 30, paysAfterDays: [18, 30], method: 'BANK_TRANSFER', currency: 'CAD', taxFree: true } },
    { name: 'Dane County Properties', country: 'US', email: 'rent@dane-properties.test', defaultCurrencies: ['USD'],
      supplies: { title: 'Workshop and shop rent', category: 'Rent and utilities', amount: [2_850, 2_850], perMonth: 1, dueDays: 5, paysAfterDays: [1, 4], method: 'BANK_TRANSFER', taxFree: true, billsPerTransfer: 3 } },
    { name: 'Capitol Tool & Supply', country: 'US', email: 'counter@capitol-tool.test', address: '1520 Park St, Madison, WI 53715', defaultCurrencies: ['USD'],
      supplies: { title: 'Blades, bits and sandpaper', category: 'Equipment', amount: [42, 310], perMonth: 0.6, dueDays: 0, paysAfterDays: [0, 0], method: 'CREDIT_CARD', receipts: true } },
    { name: 'Beltline Fuel', country: 'US', email: 'fleet@beltline-fuel.test', address: '2901 W Beltline Hwy, Madison, WI 53713', defaultCurrencies: ['USD'],
      supplies: { title: 'Diesel', category: 'Truck', amount: [58, 112], perMonth: 0.4, dueDays: 0, paysAfterDays: [0, 0], method: 'CREDIT_CARD', taxFree: true, receipts: true } },
  ],
  employees: [
    { name: 'Tessa Novak', country: 'US', email: 'tessa.novak@cedar-main.test', perMonth: 0.5, claims: [
      { vendor: 'Lakeside Diner', title: 'Lunch with a customer', category: 'Meals', amount: [24, 85] },
      { vendor: 'State Street Parking', title: 'Parking at a site', category: 'Travel', amount: [8, 26], taxFree: true } ] },
  ],
  specialExpenses: [
    { of: 'Northwoods Lumber Co.', daysAgo: 91, status: 'APPROVED', amount: 3_120, paid: { share: 0.6, daysAgo: 58 } },
    { of: 'Capitol Tool & Supply', daysAgo: 55, status: 'APPROVED', amount: 1_266, title: 'Planer', credited: { share: 0.15, daysAgo: 47, reason: 'The planer came without its dust bag.' } },
    { of: 'Dane County Properties', daysAgo: 38, status: 'APPROVED', amount: 640, title: 'Snow removal and waste', split: { category: 'Other', share: 0.35, title: 'Waste' } },
    { of: 'Northwoods Lumber Co.', daysAgo: 27, status: 'APPROVED', amount: 1_480, paid: { share: 1.02, daysAgo: 9 }, notes: 'The check was written for the old price; they keep the rest for us.' },
    { of: 'Maison Rivard Quincaillerie', daysAgo: 17, status: 'PENDING_REVIEW', source: 'EMAIL', amount: 720, paid: { share: 0.5, daysAgo: 16 }, notes: 'Deposit.' },
    { of: 'Tessa Novak', daysAgo: 11, status: 'REJECTED', source: 'SCAN', amount: 148, reason: 'The receipt cannot be read.' },
    { of: 'Tessa Novak', daysAgo: 4, status: 'PENDING_REVIEW', source: 'SCAN', amount: 61.5, customer: 'Door Peninsula Inn' },
    { of: 'Beltline Fuel', daysAgo: 2, status: 'PENDING_REVIEW', amount: 94.2 },
    { of: 'Capitol Tool & Supply', daysAgo: 0, status: 'DRAFT', amount: 210.4 },
  ],
}

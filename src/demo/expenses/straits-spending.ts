import type { Spending } from './spending.ts'

/** A studio: rent, software in dollars, printers, freelancers, and travel to clients. */
// biome-ignore format: a table
export const straitsSpending: Spending = {
  language: 'en',
  categories: [{ name: 'Freelancers', color: '#b56576' }],
  suppliers: [
    { name: 'Ayer Rajah Spaces Pte. Ltd.', country: 'SG', email: 'leasing@ayer-rajah.test', registrationNumber: '200912233K', address: '71 Ayer Rajah Crescent, Singapore 139951', defaultCurrencies: ['SGD'],
      supplies: { title: 'Studio rent', category: 'Rent and utilities', amount: [3_815, 3_815], perMonth: 1, dueDays: 7, paysAfterDays: [2, 6], method: 'BANK_TRANSFER', billsPerTransfer: 3 } },
    { name: 'Pixelmill Inc.', country: 'US', email: 'billing@pixelmill.test', defaultCurrencies: ['USD'],
      supplies: { title: 'Design software, five seats', category: 'Software', amount: [274.95, 274.95], perMonth: 0.5, dueDays: 0, paysAfterDays: [0, 0], method: 'CREDIT_CARD', currency: 'USD', taxFree: true, receipts: true } },
    { name: 'Bugis Print House', country: 'SG', email: 'orders@bugis-print.test', registrationNumber: '53220981B', address: '12 Liang Seah St, Singapore 189033', defaultCurrencies: ['SGD'],
      supplies: { title: 'Proofs and mock-ups', category: 'Office', amount: [163.5, 981], perMonth: 0.6, dueDays: 30, paysAfterDays: [18, 32], method: 'BANK_TRANSFER', receipts: true } },
    { name: 'Nadia Rahman Illustration', country: 'MY', email: 'nadia@rahman-illustration.test', defaultCurrencies: ['MYR'],
      supplies: { title: 'Illustrations, freelance', category: 'Freelancers', amount: [1_200, 4_500], perMonth: 0.35, dueDays: 14, paysAfterDays: [7, 20], method: 'BANK_TRANSFER', currency: 'MYR', taxFree: true } },
    { name: 'Temasek Audit LLP', country: 'SG', email: 'fees@temasek-audit.test', registrationNumber: 'T09LL0456H', defaultCurrencies: ['SGD'],
      supplies: { title: 'Bookkeeping, quarter', category: 'Professional services', amount: [1_308, 1_635], perMonth: 0.33, dueDays: 30, paysAfterDays: [20, 40], method: 'CHECK' } },
  ],
  employees: [
    { name: 'Marcus Lim', country: 'SG', email: 'marcus.lim@straits-design.test', perMonth: 0.5, claims: [
      { vendor: 'Harbour Cabs', title: 'Taxi to a client', category: 'Travel', amount: [14, 42] },
      { vendor: 'Tiong Bahru Kitchen', title: 'Lunch with a client', category: 'Meals', amount: [38, 120] } ] },
  ],
  specialExpenses: [
    { of: 'Temasek Audit LLP', daysAgo: 88, status: 'APPROVED', amount: 2_180, title: 'Annual return', paid: { share: 0.5, daysAgo: 50 } },
    { of: 'Bugis Print House', daysAgo: 57, status: 'APPROVED', amount: 872, credited: { share: 0.3, daysAgo: 45, reason: 'Two boards were delivered with scratches.' } },
    { of: 'Pixelmill Inc.', daysAgo: 44, status: 'APPROVED', amount: 1_499, title: 'Fonts and software, yearly', split: { category: 'Marketing', share: 0.3, title: 'Fonts for the own website' }, paid: { share: 1, daysAgo: 44 } },
    { of: 'Ayer Rajah Spaces Pte. Ltd.', daysAgo: 31, status: 'APPROVED', amount: 436, title: 'Aircon service', paid: { share: 1.1, daysAgo: 12 }, notes: 'Paid too much; to be set off.' },
    { of: 'Nadia Rahman Illustration', daysAgo: 20, status: 'PENDING_REVIEW', source: 'EMAIL', amount: 3_600, paid: { share: 0.4, daysAgo: 18 }, customer: 'Harbourfront Museum' },
    { of: 'Marcus Lim', daysAgo: 14, status: 'REJECTED', source: 'SCAN', amount: 218, reason: 'This was a private trip.' },
    { of: 'Marcus Lim', daysAgo: 5, status: 'PENDING_REVIEW', source: 'SCAN', amount: 36.4, customer: 'Merlion Fintech Pte. Ltd.' },
    { of: 'Bugis Print House', daysAgo: 3, status: 'PENDING_REVIEW', amount: 545 },
    { of: 'Temasek Audit LLP', daysAgo: 0, status: 'DRAFT', amount: 1_308 },
  ],
}

import type { Spending } from './spending.ts'

/** Green coffee from abroad, rent and electricity in the Galilee, and employees who travel to fairs. */
// biome-ignore format: a table
export const galilSpending: Spending = {
  language: 'he',
  categories: [{ name: 'Green coffee', color: '#6f4e37' }, { name: 'Vehicles', color: '#7a7d80' }],
  suppliers: [
    { name: 'Addis Green Coffee PLC', country: 'ET', email: 'export@addis-green.test', defaultCurrencies: ['USD'],
      supplies: { title: 'Green coffee, Yirgacheffe, 60 kg bags', category: 'Green coffee', amount: [2_400, 5_200], perMonth: 0.4, dueDays: 30, paysAfterDays: [20, 34], method: 'BANK_TRANSFER', currency: 'USD', taxFree: true } },
    { name: 'Hamburg Kaffeekontor GmbH', country: 'DE', email: 'rechnung@kaffeekontor.test', defaultCurrencies: ['EUR'],
      supplies: { title: 'Green coffee, Santos, container share', category: 'Green coffee', amount: [1_800, 3_600], perMonth: 0.25, dueDays: 45, paysAfterDays: [35, 48], method: 'BANK_TRANSFER', currency: 'EUR', taxFree: true } },
    { name: 'נכסי הגליל בע״מ', country: 'IL', email: 'rent@nechsei-hagalil.test', registrationNumber: '513440918', address: 'שדרות הגליל 40, ראש פינה', defaultCurrencies: ['ILS'],
      supplies: { title: 'שכר דירה, בית הקלייה', category: 'Rent and utilities', amount: [7_080, 7_080], perMonth: 1, dueDays: 10, paysAfterDays: [3, 9], method: 'BANK_TRANSFER', billsPerTransfer: 3 } },
    { name: 'חשמל הצפון', country: 'IL', email: 'billing@hashmal-hatzafon.test', registrationNumber: '520000472', address: 'רחוב הנביאים 12, חיפה', defaultCurrencies: ['ILS'],
      supplies: { title: 'חשבון חשמל', category: 'Rent and utilities', amount: [1_150, 2_380], perMonth: 0.5, dueDays: 21, paysAfterDays: [10, 20], method: 'BANK_TRANSFER', receipts: true } },
    { name: 'תחנת דלק כנרת', country: 'IL', email: 'fleet@delek-kinneret.test', registrationNumber: '514220167', address: 'צומת גולני', defaultCurrencies: ['ILS'],
      supplies: { title: 'דלק לרכב המשלוחים', category: 'Vehicles', amount: [280, 460], perMonth: 0.6, dueDays: 0, paysAfterDays: [0, 0], method: 'CREDIT_CARD', deductibleShare: 2 / 3, receipts: true } },
    { name: 'דפוס רמון', country: 'IL', email: 'print@dfus-ramon.test', registrationNumber: '511908342', defaultCurrencies: ['ILS'],
      supplies: { title: 'הדפסת שקיות ותוויות', category: 'Marketing', amount: [640, 1_900], perMonth: 0.3, dueDays: 30, paysAfterDays: [25, 44], method: 'CHECK' } },
  ],
  employees: [
    { name: 'מיכל דיין', country: 'IL', email: 'michal.dayan@galil-coffee.test', perMonth: 0.5, claims: [
      { vendor: 'מסעדת המפל', title: 'ארוחת צהריים עם לקוח', category: 'Meals', amount: [120, 340], deductibleShare: 0 },
      { vendor: 'רכבת הצפון', title: 'נסיעה לתל אביב', category: 'Travel', amount: [48, 96] } ] },
  ],
  specialExpenses: [
    { of: 'Addis Green Coffee PLC', daysAgo: 96, status: 'APPROVED', amount: 4_150, paid: { share: 0.5, daysAgo: 60 }, notes: 'Second half when the bags arrive.' },
    { of: 'דפוס רמון', daysAgo: 62, status: 'APPROVED', amount: 1_416, credited: { share: 0.25, daysAgo: 40, reason: 'A quarter of the bags was printed in the wrong colour.' } },
    { of: 'נכסי הגליל בע״מ', daysAgo: 41, status: 'APPROVED', amount: 2_360, title: 'תיקון ארובה וניקיון', split: { category: 'Office', share: 0.2, title: 'ניקיון' } },
    { of: 'חשמל הצפון', daysAgo: 33, status: 'APPROVED', amount: 1_888, paid: { share: 1.05, daysAgo: 20 }, notes: 'שולם בטעות יותר; היתרה תקוזז.' },
    { of: 'Hamburg Kaffeekontor GmbH', daysAgo: 18, status: 'PENDING_REVIEW', source: 'EMAIL', amount: 3_240, paid: { share: 0.3, daysAgo: 15 }, notes: 'Deposit paid before the invoice was checked.' },
    { of: 'מיכל דיין', daysAgo: 12, status: 'REJECTED', amount: 612, source: 'SCAN', reason: 'הקבלה אינה על שם החברה.' },
    { of: 'מיכל דיין', daysAgo: 6, status: 'PENDING_REVIEW', source: 'SCAN', amount: 236, customer: 'Hotel Carmel View' },
    { of: 'תחנת דלק כנרת', daysAgo: 2, status: 'PENDING_REVIEW', amount: 354 },
    { of: 'דפוס רמון', daysAgo: 0, status: 'DRAFT', amount: 885, title: 'תוויות לתערובת החגים' },
  ],
}

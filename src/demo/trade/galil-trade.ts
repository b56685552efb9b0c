import type { Trade } from './trade.ts'

/** Machines, cups and bags that the roastery buys and sells beside its coffee. */
// biome-ignore format: a table
export const galilTrade: Trade = {
  suppliers: {
    'Hamburg Kaffeekontor GmbH': { paymentTermsDays: 30, bankDetails: { bankName: 'Elbe Bank', accountName: 'Hamburg Kaffeekontor GmbH', iban: 'DE89370400440532013000', swiftCode: 'COBADEFF' } },
    'דפוס רמון': { paymentTermsDays: 45, withholdingRate: 5, bankDetails: { bankName: 'בנק לאומי', branchCode: '862', accountNumber: '4410077', accountName: 'דפוס רמון' } },
    'רשת מאפיות דגן': { paymentTermsDays: 30, withholdingRate: 0, bankDetails: { bankName: 'בנק הפועלים', branchCode: '600', accountNumber: '220145', accountName: 'מאפיות דגן בע״מ' } },
  },
  items: [
    { sku: 'MCH-E1', name: 'מכונת אספרסו ביתית', unit: 'יח׳', purchasePrice: 980, salePrice: 1_790, lowStockThreshold: 4, opening: 6 },
    { sku: 'GRD-20', name: 'מטחנת קפה ידנית', unit: 'יח׳', purchasePrice: 118, salePrice: 229, lowStockThreshold: 10, opening: 25 },
    { sku: 'CUP-6', name: 'סט כוסות אספרסו, 6 יח׳', unit: 'סט', purchasePrice: 42, salePrice: 99, lowStockThreshold: 15, opening: 40 },
    { sku: 'BAG-250', name: 'שקיות קפה מודפסות 250 גרם', unit: 'יח׳', purchasePrice: 0.9, salePrice: 1.6, lowStockThreshold: 1_000, opening: 900 },
    { sku: 'CKE-01', name: 'עוגיות שקדים, מארז', unit: 'מארז', purchasePrice: 14, salePrice: 29, opening: 60 },
    { sku: 'SRV-INST', name: 'התקנת מכונה והדרכה', kind: 'SERVICE', salePrice: 350 },
  ],
  purchases: [
    { reference: 'HK-20881', of: 'Hamburg Kaffeekontor GmbH', daysAgo: 75, expectedInDays: 30, lines: [['MCH-E1', 10], ['GRD-20', 30]], deliveries: [[0.5, 52], ['rest', 44]], bill: { daysAgo: 43, paidDaysAgo: 14 }, ends: 'CLOSED' },
    { reference: 'RM-5520', of: 'דפוס רמון', daysAgo: 38, expectedInDays: 12, lines: [['BAG-250', 4_000]], deliveries: [['rest', 26]], bill: { daysAgo: 25, extra: 120 } },
    { reference: 'DG-118', of: 'רשת מאפיות דגן', daysAgo: 21, lines: [['CKE-01', 120]], deliveries: [[0.5, 15]], notes: 'אספקה בשני חלקים' },
    { reference: 'HK-20964', of: 'Hamburg Kaffeekontor GmbH', daysAgo: 7, expectedInDays: 30, lines: [['MCH-E1', 12], ['CUP-6', 40]] },
    { reference: 'RM-5544', of: 'דפוס רמון', daysAgo: 5, lines: [['BAG-250', 2_000]], ends: 'CANCELLED', reason: 'העיצוב השתנה' },
    { reference: 'RM-5551', of: 'דפוס רמון', daysAgo: 0, lines: [['BAG-250', 3_000]], isDraft: true },
  ],
  sales: [
    { reference: 'YK-901', of: 'מלון ים כנרת', daysAgo: 33, lines: [['MCH-E1', 8], ['CUP-6', 20], ['SRV-INST', 8]], deliveries: [['rest', 27]], invoice: 'SENT', ends: 'CLOSED' },
    { reference: 'HN-77', of: 'מסעדת הנמל', daysAgo: 16, lines: [['GRD-20', 30], ['CUP-6', 16]], deliveries: [[0.5, 12]], invoice: 'SENT' },
    { reference: 'CV-4410', of: 'Hotel Carmel View', daysAgo: 9, lines: [['MCH-E1', 5], ['CKE-01', 40]], deliveries: [[0.6, 5]], invoice: 'DRAFT' },
    { reference: 'KS-12', of: 'קיבוץ עין השופט', daysAgo: 1, expectedInDays: 10, lines: [['GRD-20', 6]] },
  ],
  adjustments: [
    { sku: 'CUP-6', quantity: -2, reason: 'נשברו במחסן', daysAgo: 13 },
    { sku: 'CKE-01', quantity: -6, reason: 'פג תוקף', daysAgo: 4 },
  ],
}

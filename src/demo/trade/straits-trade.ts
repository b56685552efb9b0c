import type { Trade } from './trade.ts'

/** A studio shop: lamps and prints of its own design, made by others. */
// biome-ignore format: a table
export const straitsTrade: Trade = {
  suppliers: {
    'Bugis Print House': { paymentTermsDays: 30, bankDetails: { bankName: 'DBS Bank', accountName: 'Bugis Print House', accountNumber: '0039876543', swiftCode: 'DBSSSGSG' } },
    'Nadia Rahman Illustration': { paymentTermsDays: 14, bankDetails: { bankName: 'Maybank', accountName: 'Nadia Rahman', accountNumber: '514012345678', swiftCode: 'MBBEMYKL' } },
    'Jurong Robotics Pte. Ltd.': { paymentTermsDays: 30, bankDetails: { bankName: 'OCBC Bank', accountName: 'Jurong Robotics', accountNumber: '687654321001', swiftCode: 'OCBCSGSG' } },
  },
  items: [
    { sku: 'LMP-ARC', name: 'Arc desk lamp', unit: 'pcs', purchasePrice: 84, salePrice: 189, lowStockThreshold: 10, opening: 24 },
    { sku: 'LMP-DOT', name: 'Dot night light', unit: 'pcs', purchasePrice: 21, salePrice: 49, lowStockThreshold: 25, opening: 30 },
    { sku: 'PRT-A2', name: 'Screen print Singapore River, A2', unit: 'pcs', purchasePrice: 12.5, salePrice: 45, lowStockThreshold: 25, opening: 60 },
    { sku: 'PRT-A4', name: 'Postcards, set of twelve', unit: 'sets', purchasePrice: 3.4, salePrice: 12, opening: 150 },
    { sku: 'BOX-GIFT', name: 'Gift box', unit: 'pcs', purchasePrice: 1.8, salePrice: 4.5, lowStockThreshold: 40, opening: 35 },
    { sku: 'SRV-ENG', name: 'Engraving', kind: 'SERVICE', salePrice: 15 },
  ],
  purchases: [
    { reference: 'JR-4471', of: 'Jurong Robotics Pte. Ltd.', daysAgo: 70, expectedInDays: 21, lines: [['LMP-ARC', 40], ['LMP-DOT', 60]], deliveries: [[0.5, 55], ['rest', 48]], bill: { daysAgo: 47, paidDaysAgo: 20 }, ends: 'CLOSED' },
    { reference: 'BPH-901', of: 'Bugis Print House', daysAgo: 40, expectedInDays: 10, lines: [['PRT-A2', 100], ['PRT-A4', 200]], deliveries: [['rest', 31]], bill: { daysAgo: 30 } },
    { reference: 'BPH-917', of: 'Bugis Print House', daysAgo: 24, expectedInDays: 10, lines: [['BOX-GIFT', 200]], deliveries: [[0.4, 12]], notes: 'The rest follows by ship.' },
    { reference: 'JR-4502', of: 'Jurong Robotics Pte. Ltd.', daysAgo: 6, expectedInDays: 21, lines: [['LMP-ARC', 50]] },
    { reference: 'BPH-925', of: 'Bugis Print House', daysAgo: 5, lines: [['PRT-A2', 50]], ends: 'CANCELLED', reason: 'The motif is being redrawn.' },
    { reference: 'NR-12', of: 'Nadia Rahman Illustration', daysAgo: 0, lines: [['PRT-A4', 100]], isDraft: true },
  ],
  sales: [
    { reference: 'KGH-PO-3310', of: 'Kampong Glam Hotels Pte. Ltd.', daysAgo: 36, lines: [['LMP-ARC', 30], ['LMP-DOT', 60], ['SRV-ENG', 30]], deliveries: [['rest', 28]], invoice: 'SENT', ends: 'CLOSED' },
    { reference: 'HFM-2311', of: 'Harbourfront Museum', daysAgo: 19, lines: [['PRT-A2', 80], ['PRT-A4', 120]], deliveries: [[0.5, 14]], invoice: 'SENT', notes: 'Half for the opening, half for the spring.' },
    { reference: 'KR-77', of: 'Kopi Republic Pte. Ltd.', daysAgo: 8, lines: [['LMP-DOT', 12], ['BOX-GIFT', 60]], deliveries: [[0.5, 4]], invoice: 'DRAFT' },
    { reference: 'OO-2026', of: 'Tan Wei Ling', daysAgo: 2, expectedInDays: 14, lines: [['PRT-A4', 10], ['BOX-GIFT', 10]] },
  ],
  adjustments: [
    { sku: 'PRT-A2', quantity: -3, reason: 'Creased in the drawer', daysAgo: 10 },
    { sku: 'PRT-A4', quantity: 5, reason: 'Counted: a box behind the shelf', daysAgo: 3 },
  ],
}

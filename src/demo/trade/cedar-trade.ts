import type { Trade } from './trade.ts'

/** Shelves, oil and hardware that the workshop keeps in stock. */
// biome-ignore format: a table
export const cedarTrade: Trade = {
  suppliers: {
    'Northwoods Lumber Co.': { paymentTermsDays: 30, bankDetails: { bankName: 'Badger State Bank', accountName: 'Northwoods Lumber Co.', accountNumber: '000778812345' } },
    'Capitol Tool & Supply': { paymentTermsDays: 15, is1099: true, bankDetails: { bankName: 'Lake Mendota Bank', accountName: 'Capitol Tool & Supply', accountNumber: '000551200998' } },
    'Badger Ridge Builders LLC': { paymentTermsDays: 30, is1099: true, bankDetails: { bankName: 'Badger State Bank', accountName: 'Badger Ridge Builders LLC', accountNumber: '000664410021' } },
  },
  items: [
    { sku: 'BRD-OAK', name: 'White oak board, 8 ft', unit: 'pcs', purchasePrice: 38.5, salePrice: 79, lowStockThreshold: 30, opening: 80 },
    { sku: 'BRD-WAL', name: 'Walnut board, 8 ft', unit: 'pcs', purchasePrice: 64, salePrice: 128, lowStockThreshold: 40, opening: 18 },
    { sku: 'OIL-32', name: 'Hardwax oil, 32 oz', unit: 'cans', purchasePrice: 27.4, salePrice: 46, lowStockThreshold: 12, opening: 30 },
    { sku: 'BRK-IRON', name: 'Iron shelf bracket', unit: 'pcs', purchasePrice: 6.2, salePrice: 14.5, lowStockThreshold: 50, opening: 160 },
    { sku: 'SHF-KIT', name: 'Floating shelf kit', unit: 'kits', purchasePrice: 52, salePrice: 119, opening: 20 },
    { sku: 'SRV-DEL', name: 'Delivery in Dane County', kind: 'SERVICE', salePrice: 65 },
  ],
  purchases: [
    { reference: 'NL-7781', of: 'Northwoods Lumber Co.', daysAgo: 66, expectedInDays: 14, lines: [['BRD-OAK', 120], ['BRD-WAL', 40]], deliveries: [[0.5, 54], ['rest', 46]], bill: { daysAgo: 45, paidDaysAgo: 16 }, ends: 'CLOSED' },
    { reference: 'CT-3108', of: 'Capitol Tool & Supply', daysAgo: 34, expectedInDays: 5, lines: [['OIL-32', 48], ['BRK-IRON', 200]], deliveries: [['rest', 30]], bill: { daysAgo: 29, extra: 18.5 } },
    { reference: 'BR-220', of: 'Badger Ridge Builders LLC', daysAgo: 18, lines: [['SHF-KIT', 30]], deliveries: [[0.5, 11]], notes: 'Made from our boards; second half after the holiday.' },
    { reference: 'NL-7840', of: 'Northwoods Lumber Co.', daysAgo: 6, expectedInDays: 14, lines: [['BRD-WAL', 60]] },
    { reference: 'CT-3142', of: 'Capitol Tool & Supply', daysAgo: 4, lines: [['OIL-32', 12]], ends: 'CANCELLED', reason: 'Out of production.' },
    { reference: 'CT-3150', of: 'Capitol Tool & Supply', daysAgo: 0, lines: [['BRK-IRON', 150]], isDraft: true },
  ],
  sales: [
    { reference: 'MBA-1190', of: 'Monona Bay Architects', daysAgo: 31, lines: [['BRD-OAK', 90], ['BRK-IRON', 180], ['SRV-DEL', 1]], deliveries: [['rest', 25]], invoice: 'SENT', ends: 'CLOSED' },
    { reference: 'WP-58', of: 'Willow & Page Books', daysAgo: 15, lines: [['SHF-KIT', 16], ['BRK-IRON', 40]], deliveries: [[0.5, 10]], invoice: 'SENT' },
    { reference: 'FLL-2031', of: 'Four Lakes Library Foundation', daysAgo: 7, lines: [['BRD-WAL', 42], ['OIL-32', 10]], deliveries: [[0.5, 3]], invoice: 'DRAFT' },
    { reference: 'DPI-9', of: 'Door Peninsula Inn', daysAgo: 1, expectedInDays: 21, lines: [['SHF-KIT', 12]] },
  ],
  adjustments: [
    { sku: 'BRD-OAK', quantity: -4, reason: 'Split while drying', daysAgo: 12 },
    { sku: 'BRK-IRON', quantity: 6, reason: 'Counted: a box was not entered', daysAgo: 2 },
  ],
}

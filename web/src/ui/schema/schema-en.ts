/** What people call the fields of operations, where the name of the field would not do. */
export const englishLabels: Record<string, string> = {
  id: 'Id', url: 'Address (URL)', iban: 'IBAN', email: 'E-mail', sku: 'SKU', to: 'To', from: 'From',
  paidAt: 'Paid on', payUntil: 'Pay until', taxRate: 'Tax rate, %', swiftCode: 'SWIFT code', unitPrice: 'Unit price',
  activeOrderCount: 'Open orders', totalOrderCount: 'Orders', paymentTermsDays: 'Payment terms, days', isDefault: 'Default', is1099: 'Gets a 1099',
  isCustomer: 'Also a customer', isInvoiced: 'Invoiced', isLow: 'Low', isFinalPayslip: 'Final payslip', isReported: 'Reported', idNumber: 'ID number',
  openRemainder: 'Not allocated', openBalance: 'Still open', paidAmount: 'Paid', creditedAmount: 'Credited', employerCost: 'Cost to the employer',
  useTls: 'Encrypted (TLS)', gstNumber: 'GST number', uen: 'UEN', vatAllocationNumber: 'Allocation number', nameHe: 'Name in Hebrew',
  stockLevel: 'In stock', lowStockThreshold: 'Low at', startDate: 'Start', endDate: 'End', orderDate: 'Ordered', expectedDate: 'Expected', createdAt: 'Created',
  updatedAt: 'Changed', startedAt: 'Started', completedAt: 'Finished', lastValidatedAt: 'Last checked', lastPolledAt: 'Last read', displayName: 'Name',
  employeeName: 'Employee', itemName: 'Item', customerName: 'Customer', periodStart: 'From', periodEnd: 'To', yearToDate: 'This year', fileName: 'File',
  emailsScanned: 'Messages read', emailsDetected: 'Recognized', expensesCreated: 'Expenses made', ageDays: 'Days old', days1To30: '1–30 days', days31To60: '31–60 days',
  days61To90: '61–90 days', over90: 'Over 90 days', previousTotal: 'Year before', previousAmount: 'Year before', previousMargin: 'Margin of the year before',
  previousFrom: 'Year before, from', previousTo: 'Year before, to', comparedAmount: 'On the day compared', comparedDate: 'Compared with', claimantId: 'Fronted by',
  authorizeFinalPaySetoff: 'Also from the final pay', affirmed: 'Agreed in writing', at: 'When', consent: 'Consent of the employee', scanError: 'Why not', autoPollEnabled: 'Read by itself', pollIntervalDays: 'Days between readings', answer: 'Answer', what: 'What',
  paidOn: 'Paid on', authorityName: 'Authority', oldestUnsettledCovers: 'Oldest one covers', cadence: 'How often', automationStatus: 'State', used: 'Used', limit: 'Limit',
  steps: 'How it was computed', isBillable: 'Billable', monthlyWage: 'Monthly wage', cpfRates: 'CPF rates', asOf: 'As of', folderOrLabel: 'Folder or label', allowOver: 'More than ordered is fine', lineId: 'Line', reimbOutstanding: 'Claims to be paid back', openedAt: 'Opened', endedAt: 'Ended', sentAt: 'Sent', levels: 'Stock',
} // biome-ignore format: a list of words

/** What people call the values of choices, where the code would not do. */
export const englishChoices: Record<string, string> = {
  IN: 'In', OUT: 'Out', NET: 'Net pay', VOID: 'Void', ORGANIZATION: 'Company', INDIVIDUAL: 'Person', PENDING_REVIEW: 'To review',
  IMAP: 'IMAP', POP3: 'POP3', GMAIL: 'Gmail', OUTLOOK: 'Outlook', EMAIL: 'Mail', MANUAL: 'Typed in', ADJUST: 'Correction', PARTIALLY_RECEIVED: 'Partly received', PARTIALLY_DELIVERED: 'Partly delivered',
  accrual: 'When issued', cash: 'When paid', month: 'Month', twoMonths: 'Two months', quarter: 'Quarter', customer: 'Customer', vendor: 'Supplier', category: 'Category',
  account: 'Account', type: 'Type', en: 'English', he: 'Hebrew', both: 'Both languages', 'he-en': 'Hebrew and English', NAME: 'No such server', REFUSED: 'Refused', SILENT: 'No answer',
  CERTIFICATE: 'Certificate', LOGIN: 'Sign-in refused', GARBAGE: 'Unreadable answer', GONE: 'Connection lost', S_PASS: 'S Pass', CREDIT_CARD: 'Card', CHECK: 'Cheque',
  DROPPED_NO_DATA: 'Nothing to read', SKIPPED_NOT_EXPENSE: 'No expense', MANUAL_STOP: 'Stopped', UNDER_18: 'Under 18', AGE_67_TO_70: '67 to 70', RESIDENT_AFTER_62: 'Resident after 62',
} // biome-ignore format: a list of words

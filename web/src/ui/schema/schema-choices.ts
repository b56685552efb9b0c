/** What people call the values of choices, where the code would not do. */
export const englishChoices: Record<string, string> = {
  IN: 'In', OUT: 'Out', NET: 'Net pay', VOID: 'Void', ORGANIZATION: 'Company', INDIVIDUAL: 'Person', PENDING_REVIEW: 'To review',
  IMAP: 'IMAP', POP3: 'POP3', GMAIL: 'Gmail', OUTLOOK: 'Outlook', EMAIL: 'Mail', MANUAL: 'Typed in', ADJUST: 'Correction', PARTIALLY_RECEIVED: 'Partly received', PARTIALLY_DELIVERED: 'Partly delivered',
  accrual: 'When issued', cash: 'When paid', month: 'Month', twoMonths: 'Two months', quarter: 'Quarter', customer: 'Customer', vendor: 'Supplier', category: 'Category',
  account: 'Account', type: 'Type', en: 'English', he: 'Hebrew', both: 'Both languages', 'he-en': 'Hebrew and English', NAME: 'No such server', REFUSED: 'Refused', SILENT: 'No answer',
  CERTIFICATE: 'Certificate', LOGIN: 'Sign-in refused', GARBAGE: 'Unreadable answer', GONE: 'Connection lost', S_PASS: 'S Pass', CREDIT_CARD: 'Card', CHECK: 'Cheque',
  DROPPED_NO_DATA: 'Nothing to read', SKIPPED_NOT_EXPENSE: 'No expense', MANUAL_STOP: 'Stopped', UNDER_18: 'Under 18', AGE_67_TO_70: '67 to 70', RESIDENT_AFTER_62: 'Resident after 62',
} // biome-ignore format: a list of words

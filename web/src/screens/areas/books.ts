import type { Area } from './area.ts'

/** How an account is named to those who pay into it. */
const numbersOf = (country: string) =>
  country === 'US'
    ? ['routingNumber', 'accountNumber']
    : country === 'IL'
      ? ['localBankCode', 'branchCode', 'accountNumber']
      : ['accountNumber', 'swiftCode']

export const books: readonly Area[] = [
  {
    key: 'bank-accounts',
    title: { en: 'Bank accounts', he: 'חשבונות בנק' },
    hint: {
      en: 'Where customers pay to. The default one is on new documents.',
      he: 'לאן לקוחות משלמים. חשבון ברירת המחדל מופיע במסמכים חדשים.',
    },
    none: { en: 'No bank accounts yet', he: 'עדיין אין חשבונות בנק' },
    isSetting: true,
    list: 'bank_accounts_list',
    rows: 'bankAccounts',
    whole: true,
    columns: [
      { field: 'accountName', shown: 'name', strong: true, head: { en: 'Account', he: 'חשבון' } },
      { field: 'bankName', shown: 'name', head: { en: 'Bank', he: 'בנק' } },
      { field: 'accountNumber', head: { en: 'Number', he: 'מספר' } },
      { field: 'isDefault', shown: 'flag' },
    ],
    get: 'bank_accounts_get',
    create: 'bank_accounts_create',
    createName: { en: 'New bank account', he: 'חשבון בנק חדש' },
    begin: ({ name, currency }, isFirst) => ({ accountName: name, currencies: [currency], isDefault: isFirst }),
    form: (country) => ['accountName', 'bankName', ...numbersOf(country)],
    update: 'bank_accounts_update',
    remove: 'bank_accounts_delete',
  },
  {
    key: 'accounts',
    title: { en: 'Chart of accounts', he: 'תרשים חשבונות' },
    hint: { en: 'What the journal books to.', he: 'לאן היומן רושם.' },
    none: { en: 'No accounts yet', he: 'עדיין אין חשבונות' },
    list: 'reports_accounts',
    rows: 'accounts',
    whole: true,
    columns: [
      { field: 'code' },
      { field: 'name', he: 'nameHe', shown: 'name', strong: true },
      { field: 'type', shown: 'choice' },
      { field: 'active', shown: 'flag' },
    ],
    create: 'reports_account_create',
    createName: { en: 'New account', he: 'חשבון חדש' },
    form: ['code', 'name', 'nameHe', 'type'],
    update: 'reports_account_update',
  },
  {
    key: 'journal-entries',
    title: { en: 'Journal entries', he: 'פקודות יומן' },
    hint: { en: 'Entries that were made by hand.', he: 'פקודות שנרשמו ידנית.' },
    none: { en: 'No entries made by hand', he: 'אין פקודות שנרשמו ידנית' },
    list: 'reports_journal_entries',
    rows: 'entries',
    columns: [
      { field: 'number' },
      { field: 'date', shown: 'day' },
      { field: 'description', shown: 'name', strong: true },
      { field: 'kind', shown: 'choice', spare: true },
      { field: 'total', shown: 'money' },
    ],
    get: 'reports_journal_entry',
    create: 'reports_journal_entry_create',
    createName: { en: 'New entry', he: 'פקודה חדשה' },
    form: ['date', 'description', 'lines', 'lines.accountId', 'lines.debit', 'lines.credit'],
    acts: ['reports_journal_entry_reverse'],
    fits: { reports_journal_entry_reverse: ({ reversedById }) => !reversedById },
  },
  {
    key: 'mail',
    title: { en: 'Outbox', he: 'דואר יוצא' },
    hint: { en: 'Letters that were kept or sent.', he: 'מכתבים שנשמרו או נשלחו.' },
    none: { en: 'No letters yet', he: 'עדיין אין מכתבים' },
    list: 'organizations_outbox',
    rows: 'messages',
    columns: [
      { field: 'subject', shown: 'name', strong: true },
      { field: 'to', shown: 'name' },
      { field: 'createdAt', shown: 'instant' },
    ],
  },
  {
    key: 'imports',
    title: { en: 'Imports', he: 'ייבוא' },
    hint: {
      en: 'Customers, suppliers, items and balances from CSV or XLSX.',
      he: 'לקוחות, ספקים, פריטים ויתרות מקובצי CSV או XLSX.',
    },
    none: { en: 'Nothing was imported yet', he: 'עדיין לא יובא דבר' },
    isSetting: true,
    list: 'organizations_imports',
    rows: 'imports',
    columns: [
      { field: 'fileName', shown: 'name', strong: true },
      { field: 'kind', shown: 'choice' },
      { field: 'rows', shown: 'count' },
      { field: 'createdAt', shown: 'instant' },
    ],
    get: 'organizations_import',
    create: 'organizations_import_create',
    createName: { en: 'Import a file', he: 'ייבוא קובץ' },
    form: ['kind', 'file'],
  },
]

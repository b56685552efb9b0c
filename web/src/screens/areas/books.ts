import type { Area } from './area.ts'

export const books: readonly Area[] = [
  {
    key: 'bank-accounts',
    title: { en: 'Bank accounts', he: 'חשבונות בנק' },
    hint: {
      en: 'Where customers pay to. The default one is on new documents.',
      he: 'לאן לקוחות משלמים. חשבון ברירת המחדל מופיע במסמכים חדשים.',
    },
    list: 'bank_accounts_list',
    rows: 'bankAccounts',
    whole: true,
    columns: [
      { field: 'accountName', shown: 'name', strong: true },
      { field: 'bankName', shown: 'name' },
      { field: 'accountNumber' },
      { field: 'isDefault', shown: 'flag' },
    ],
    get: 'bank_accounts_get',
    create: 'bank_accounts_create',
    newName: { en: 'New bank account', he: 'חשבון בנק חדש' },
    begin: ({ name, currency }, isFirst) => ({ accountName: name, currencies: [currency], isDefault: isFirst }),
    ask: (country) =>
      country === 'US'
        ? ['routingNumber', 'accountNumber']
        : country === 'IL'
          ? ['localBankCode', 'branchCode', 'accountNumber']
          : ['accountNumber', 'swiftCode'],
    update: 'bank_accounts_update',
    remove: 'bank_accounts_delete',
  },
  {
    key: 'accounts',
    title: { en: 'Chart of accounts', he: 'תרשים חשבונות' },
    hint: { en: 'What the journal books to.', he: 'לאן היומן רושם.' },
    list: 'reports_accounts',
    rows: 'accounts',
    whole: true,
    columns: [
      { field: 'code', strong: true },
      { field: 'name', shown: 'name' },
      { field: 'nameHe', shown: 'name', spare: true, head: { en: 'Hebrew name', he: 'שם בעברית' } },
      { field: 'type', shown: 'choice' },
      { field: 'active', shown: 'flag' },
    ],
    create: 'reports_account_create',
    update: 'reports_account_update',
  },
  {
    key: 'journal-entries',
    title: { en: 'Journal entries', he: 'פקודות יומן' },
    hint: { en: 'Entries that were made by hand.', he: 'פקודות שנרשמו ידנית.' },
    list: 'reports_journal_entries',
    rows: 'entries',
    columns: [
      { field: 'number', shown: 'count' },
      { field: 'date', shown: 'day' },
      { field: 'description', shown: 'name', strong: true },
      { field: 'kind', shown: 'choice', spare: true },
      { field: 'total', shown: 'money' },
    ],
    get: 'reports_journal_entry',
    create: 'reports_journal_entry_create',
    acts: ['reports_journal_entry_reverse'],
  },
  {
    key: 'mail',
    title: { en: 'Outbox', he: 'דואר יוצא' },
    hint: { en: 'Letters that were kept or sent.', he: 'מכתבים שנשמרו או נשלחו.' },
    list: 'organizations_outbox',
    rows: 'messages',
    columns: [
      { field: 'subject', shown: 'name', strong: true },
      { field: 'to' },
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
    list: 'organizations_imports',
    rows: 'imports',
    columns: [
      { field: 'fileName', shown: 'name', strong: true },
      { field: 'kind', shown: 'choice' },
      { field: 'rows', shown: 'count' },
      { field: 'createdAt', shown: 'instant' },
    ],
    get: 'organizations_import',
  },
  {
    key: 'tax-authorities',
    title: { en: 'Tax authorities', he: 'רשויות המס' },
    hint: {
      en: 'Connections for allocation numbers and e-invoices.',
      he: 'חיבורים למספרי הקצאה ולחשבוניות אלקטרוניות.',
    },
    list: 'integrations_tax_authority',
    rows: 'integrations',
    organization: 'id',
    whole: true,
    id: 'integrationId',
    columns: [
      { field: 'name', shown: 'name', strong: true },
      { field: 'country' },
      { field: 'connected', shown: 'flag' },
      { field: 'lastValidatedAt', shown: 'instant' },
    ],
  },
]

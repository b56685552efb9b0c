import type { Role } from '../../../../src/core/define/access.ts'
import { isAtLeast } from '../../session.ts'
import type { Row } from '../../ui/values/values.tsx'
import type { Area } from './area.ts'

const hasRemainder = ({ voidedAt, openRemainder }: Row) => !voidedAt && Number(openRemainder) > 0

const hasSome = (parts: unknown) => Array.isArray(parts) && parts.some(({ voidedAt }: Row) => !voidedAt)

/** The states that an expense can get from the one that it has. */
const nextStates: Record<string, readonly string[]> = {
  DRAFT: ['PENDING_REVIEW', 'APPROVED', 'REJECTED'],
  PENDING_REVIEW: ['APPROVED', 'REJECTED', 'DRAFT'],
  APPROVED: ['PENDING_REVIEW'],
  REJECTED: ['DRAFT'],
}

/** Approving, rejecting and taking an approval back is for managers. */
const statesFor = ({ status }: Row, role: Role | undefined): readonly string[] => {
  const next = nextStates[String(status)] ?? []
  if (isAtLeast(role, 'MANAGER')) return next
  return status === 'APPROVED' ? [] : next.filter((each) => each !== 'APPROVED' && each !== 'REJECTED')
}

const ofMailbox = ({ id }: Row, organizationId: string) => ({ id, organizationId })

export const purchases: readonly Area[] = [
  {
    key: 'expenses',
    title: { en: 'Expenses', he: 'הוצאות' },
    hint: {
      en: 'What the organization spends: typed in, read from photos, or from mailboxes.',
      he: 'מה שהארגון מוציא: מוקלד, נקרא מצילומים או מתיבות דואר.',
    },
    none: { en: 'No expenses yet', he: 'עדיין אין הוצאות' },
    beside: ['expenses', 'supplier-payments', 'my-claims', 'scan-batches'],
    list: 'expenses_list',
    rows: 'expenses',
    search: { en: 'Vendor, description, number', he: 'בית עסק, תיאור, מספר' },
    sort: { by: 'date', order: 'desc' },
    columns: [
      { field: 'vendor', shown: 'name', strong: true, sort: 'vendor' },
      { field: 'description', shown: 'name', spare: true },
      { field: 'category.name', shown: 'name', head: { en: 'Category', he: 'קטגוריה' }, spare: true },
      { field: 'date', shown: 'day', sort: 'date' },
      { field: 'status', shown: 'state' },
      { field: 'source', shown: 'choice', spare: true },
      { field: 'amount', shown: 'money', sort: 'amount' },
    ],
    leaveOut: ['title'],
    get: 'expenses_get',
    create: 'expenses_create',
    createName: { en: 'New expense', he: 'הוצאה חדשה' },
    form: ['vendor', 'title', 'amount', 'currency', 'date', 'categoryId', 'taxAmount', 'paymentMethod'],
    update: 'expenses_update_patch_2',
    remove: 'expenses_delete_delete',
    hasReceipts: true,
    acts: [
      'expenses_status',
      'expenses_payments',
      'expenses_credits',
      'expenses_credits_void',
      'expenses_customers',
      'expenses_customers_delete',
    ],
    fits: {
      expenses_status: (expense, role) => statesFor(expense, role).length > 0,
      expenses_payments: ({ status, openBalance }) => status === 'APPROVED' && openBalance !== 0,
      expenses_credits: ({ status }) => status === 'APPROVED',
      expenses_credits_void: ({ credits }) => hasSome(credits),
      expenses_customers_delete: ({ customers }) => hasSome(customers),
      expenses_delete_delete: ({ status, paidAmount, creditedAmount }, role) =>
        !paidAmount && !creditedAmount && (status !== 'APPROVED' || isAtLeast(role, 'MANAGER')),
    },
    choices: { expenses_status: (expense, role) => ({ status: statesFor(expense, role) }) },
    picks: {
      expenses_credits_void: { creditId: { of: 'credits' } },
      expenses_customers_delete: { customerId: { of: 'customers', id: 'customerId' } },
    },
    tools: ['expenses_csv', 'expenses_manifest', 'expenses_usage'],
    upload: 'expenses_upload',
  },
  {
    key: 'scan-batches',
    title: { en: 'Scans', he: 'סריקות' },
    hint: {
      en: 'Several receipts that were chosen at once are read one after the other.',
      he: 'כמה קבלות שנבחרו יחד נקראות בזו אחר זו.',
    },
    none: { en: 'No receipts were read together yet', he: 'עדיין לא נקראו כמה קבלות יחד' },
    beside: ['expenses', 'supplier-payments', 'my-claims', 'scan-batches'],
    list: 'expenses_scan_batches',
    rows: 'batches',
    columns: [
      { field: 'createdAt', shown: 'instant', strong: true },
      { field: 'status', shown: 'state' },
      { field: 'total', shown: 'count', head: { en: 'Files', he: 'קבצים' } },
      { field: 'done', shown: 'count', head: { en: 'Read', he: 'נקראו' } },
      { field: 'failed', shown: 'count' },
      { field: 'waiting', shown: 'count' },
    ],
    leaveOut: ['total'],
    get: 'expenses_scan_batch_get',
    upload: 'expenses_upload',
  },
  {
    key: 'supplier-payments',
    title: { en: 'Payments to suppliers', he: 'תשלומים לספקים' },
    hint: { en: 'What was paid for expenses.', he: 'מה ששולם עבור הוצאות.' },
    none: { en: 'No payments yet', he: 'עדיין אין תשלומים' },
    beside: ['expenses', 'supplier-payments', 'my-claims', 'scan-batches'],
    list: 'expenses_payments_list',
    rows: 'payments',
    columns: [
      { field: 'customerName', shown: 'name', strong: true, head: { en: 'Supplier', he: 'ספק' } },
      { field: 'paidAt', shown: 'day' },
      { field: 'method', shown: 'choice', spare: true },
      { field: 'openRemainder', shown: 'money', quietZero: true, spare: true },
      { field: 'amount', shown: 'money' },
    ],
    leaveOut: ['direction', 'source', 'refundedTotal', 'withheldAmount'],
    create: 'expenses_payments_create',
    createName: { en: 'Record a payment', he: 'רישום תשלום' },
    form: ['supplierId', 'amount', 'currency', 'paidAt', 'method', 'reference', 'allocations'],
    acts: [
      'expenses_payments_allocate',
      'expenses_payments_unallocate',
      'expenses_payments_refund',
      'expenses_payments_void',
    ],
    picks: { expenses_payments_unallocate: { allocationId: { of: 'allocations' } } },
    fits: {
      expenses_payments_unallocate: ({ voidedAt, allocations }) => !voidedAt && hasSome(allocations),
      expenses_payments_allocate: hasRemainder,
      expenses_payments_refund: hasRemainder,
      expenses_payments_void: ({ voidedAt }) => !voidedAt,
    },
  },
  {
    key: 'suppliers',
    title: { en: 'Suppliers', he: 'ספקים' },
    hint: { en: 'Whom you buy from, with terms and bank details.', he: 'ממי אתם קונים, עם תנאים ופרטי בנק.' },
    none: { en: 'No suppliers yet', he: 'עדיין אין ספקים' },
    list: 'suppliers_list',
    rows: 'suppliers',
    search: { en: 'Name, e-mail, number', he: 'שם, דוא״ל, מספר' },
    sort: { by: 'name', order: 'asc' },
    columns: [
      { field: 'displayName', shown: 'name', strong: true, sort: 'name', head: { en: 'Name', he: 'שם' } },
      { field: 'email', sort: 'email', spare: true },
      { field: 'country', shown: 'country', spare: true },
      { field: 'paymentTermsDays', shown: 'count', spare: true, head: { en: 'Terms, days', he: 'ימי אשראי' } },
      { field: 'totalOrderCount', shown: 'count' },
    ],
    leaveOut: ['name'],
    get: 'suppliers_get',
    create: 'suppliers_create',
    createName: { en: 'New supplier', he: 'ספק חדש' },
    form: ['name', 'country', 'email', 'phone', 'registrationNumber', 'paymentTermsDays', 'address'],
    update: 'suppliers_update_patch',
    remove: 'suppliers_delete',
  },
  {
    key: 'categories',
    title: { en: 'Expense categories', he: 'קטגוריות של הוצאות' },
    hint: { en: 'What expenses are sorted by.', he: 'לפי מה ממיינים הוצאות.' },
    none: { en: 'No categories yet', he: 'עדיין אין קטגוריות' },
    isSetting: true,
    list: 'expense_categories_list',
    rows: 'categories',
    whole: true,
    columns: [
      { field: 'name', shown: 'name', strong: true },
      { field: 'isDefault', shown: 'flag', head: { en: 'Built in', he: 'מובנית' } },
      { field: '_count.expenses', shown: 'count', head: { en: 'Expenses', he: 'הוצאות' } },
    ],
    create: 'expense_categories_create',
    createName: { en: 'New category', he: 'קטגוריה חדשה' },
    update: 'expenses_update_patch',
    remove: 'expenses_delete',
  },
  {
    key: 'mailboxes',
    title: { en: 'Mailboxes', he: 'תיבות דואר' },
    hint: { en: 'Receipts that arrive by mail become expenses.', he: 'קבלות שמגיעות בדואר הופכות להוצאות.' },
    none: { en: 'No mailbox is connected', he: 'אין תיבת דואר מחוברת' },
    beside: ['mailboxes', 'mail-runs'],
    list: 'integrations_email_settings',
    rows: 'connections',
    whole: true,
    columns: [
      { field: 'name', shown: 'name', strong: true },
      { field: 'provider', shown: 'choice' },
      { field: 'enabled', shown: 'flag' },
      { field: 'createdAt', shown: 'instant' },
    ],
    create: 'integrations_email_settings_post',
    createName: { en: 'Connect a mailbox', he: 'חיבור תיבת דואר' },
    form: ['name', 'provider', 'host', 'port', 'username', 'password', 'useTls'],
    update: 'integrations_email_settings_put',
    remove: 'integrations_email_settings_delete',
    acts: ['integrations_email_settings_test', 'integrations_auto_scan_post', 'integrations_auto_scan_delete'],
    knows: { integrations_email_settings_put: ofMailbox, integrations_email_settings_delete: ofMailbox },
    parts: ['integrations_auto_scan'],
    tools: ['expenses_email_poll', 'integrations_gmail', 'integrations_outlook'],
  },
  {
    key: 'mail-runs',
    title: { en: 'Readings', he: 'קריאות' },
    hint: { en: 'Each reading with what it found.', he: 'כל קריאה ומה שנמצא בה.' },
    none: { en: 'No mailbox was read yet', he: 'עדיין לא נקראה תיבת דואר' },
    beside: ['mailboxes', 'mail-runs'],
    list: 'integrations_fetch_logs',
    rows: 'runs',
    whole: true,
    columns: [
      { field: 'startedAt', shown: 'instant', strong: true },
      { field: 'status', shown: 'state' },
      { field: 'emailsScanned', shown: 'count' },
      { field: 'emailsDetected', shown: 'count' },
      { field: 'expensesCreated', shown: 'count' },
    ],
    get: 'integrations_fetch_log_get',
    leaveOut: ['messages'],
    acts: ['integrations_stop'],
    parts: ['integrations_fetch_log_messages'],
    fits: { integrations_stop: ({ status }) => status === 'RUNNING' },
  },
]

import type { ColumnType } from 'kysely'
import type { Role } from '../core/define/access.ts'
import type { Static, TObject } from '../core/define/schema.ts'
import type { Environment } from '../core/outside/tax-authority.ts'
import type { Language } from '../core/values/language.ts'
import type { Account } from '../features/books/accounts/account.ts'
import type { JournalEntry } from '../features/books/accounts/journal-entry.ts'
import type { BankAccount } from '../features/books/bank-accounts/bank-account.ts'
import type { PublishedRate } from '../features/books/exchange-rates/exchange-rate.ts'
import type { ExpenseCategory } from '../features/buying/expense-categories/expense-category.ts'
import type { ApiKey } from '../features/company/api-keys/api-key.ts'
import type { ConnectedApp } from '../features/company/connected-apps/connected-app.ts'
import type { Membership, Organization } from '../features/company/organizations/organization.ts'
import type { Me } from '../features/company/people/me.ts'
import type { OrderKind, OrderStatus } from '../features/goods/orders/order.ts'
import type { MovementKind, MovementSource } from '../features/goods/stock/movement.ts'
import type { StoredFile } from '../features/platform/files/file.ts'
import type { Import } from '../features/platform/imports/import.ts'
import type { OutboxMessage } from '../features/platform/outbox/outbox-message.ts'
import type { Customer, Recipient } from '../features/selling/customers/customer.ts'
import type { Item } from '../features/selling/items/item.ts'
import type { Delivery } from '../features/work/automations/actions/delivery.ts'
import type { AutomationStatus, RunStatus, StepStatus } from '../features/work/automations/automation.ts'
import type { CompanionTables } from './companion-rows.ts'
import type { MailboxTables } from './mailbox-rows.ts'
import type { PayrollTables } from './payroll-rows.ts'

declare module '../db/database.ts' {
  interface Tables extends AllTables {}
}

/** The tables of areas that have a file of their own. */
type AreaTables = CompanionTables & MailboxTables & PayrollTables

/** The data model on one screen. A test compares it with the database, column by column. */
export type AllTables = AreaTables & {
  organizations: Row<typeof Organization, 'warnings'> & { createdBy: Generated<string | null> }
  memberships: Row<typeof Membership>
  users: User
  sessions: Session
  accountLinks: AccountLink
  authenticators: Authenticator
  recoveryCodes: { userId: string; codeHash: Buffer; usedAt: string | null }
  passkeys: PasskeyRow
  passkeyChallenges: { challenge: string; userId: string | null; expiresAt: Generated<string> }
  apiKeys: Row<typeof ApiKey, 'organizationIds'> & { userId: Generated<string>; secretHash: Buffer }
  apiKeyOrganizations: { apiKeyId: string; organizationId: string; userId: Generated<string> }
  apiKeyCalls: ApiKeyCall
  connectedApps: Row<typeof ConnectedApp, 'organizations'> & ConnectedAppColumns
  customers: Row<
    typeof Customer,
    | 'displayName'
    | 'displayAddress'
    | 'displayCountry'
    | 'displayRegistrationNumber'
    | 'activeOrderCount'
    | 'totalOrderCount'
    | '_count'
    | 'openCredits'
    | 'warnings'
    | 'kind'
    | 'isSupplier'
  > & {
    kind: NonNullable<Customer['kind']>
    isCustomer: Generated<boolean>
    isSupplier: Generated<boolean>
    isEmployee: Generated<boolean>
    isAuthority: Generated<boolean>
    importId: Generated<string | null>
  }
  suppliers: SupplierRow
  imports: ImportRow
  items: ItemRow
  orders: OrderRow
  orderLines: OrderLineRow
  orderFulfilments: OrderFulfilmentRow
  orderInvoiceLines: OrderInvoiceLineRow
  stockLevels: StockLevelRow
  stockMovements: StockMovementRow
  customerRecipients: Row<typeof Recipient> & { organizationId: Generated<string> }
  bankAccounts: Row<typeof BankAccount, 'warnings'>
  expenseCategories: Row<typeof ExpenseCategory, '_count' | 'isDefault'> & { isDefault: Generated<boolean> }
  files: Row<typeof StoredFile, 'storageUrl'> & FileColumns
  mailDeliveries: MailDelivery
  outbox: Row<typeof OutboxMessage, 'headers' | 'attachments'> & OutboxColumns
  invitations: InvitationRow
  notifications: NotificationRow
  preferences: { userId: string; value: Generated<unknown>; updatedAt: Generated<string> }
  views: ViewRow
  digests: { userId: string; day: string; createdAt: Generated<string> }
  organizationSettings: SettingsRow
  periodLocks: PeriodLockRow
  lockedBalances: LockedBalanceRow
  documentNumbering: NumberingRow
  exchangeRates: ExchangeRateRow
  accounts: AccountRow
  accountMappings: AccountMappingRow
  accountPeriods: AccountPeriodRow
  journalEntries: JournalEntryRow
  journalEntryLines: JournalEntryLineRow
  documents: DocumentRow
  documentLines: DocumentLineRow
  issuedCopies: IssuedCopyRow
  documentCounts: DocumentCount
  payments: PaymentRow
  plannedPayments: PlannedPaymentRow
  allocations: AllocationRow
  documentEvents: DocumentEventRow
  documentMailings: DocumentMailing
  documentAttachments: DocumentAttachmentRow
  expenses: ExpenseRow
  expenseSplits: ExpenseSplitRow
  expenseCustomers: ExpenseCustomerRow
  scanUsage: { organizationId: Generated<string>; period: string; used: number }
  scans: ScanRow
  scanBatches: ScanBatchRow
  scanBatchFiles: ScanBatchFileRow
  scannedDocuments: {
    organizationId: Generated<string>
    vendorKey: string
    documentNumber: string
    expenseId: string
  }
  supplierAliases: SupplierAliasRow
  taxAuthorityConnections: TaxAuthorityConnectionRow
  receivedEinvoices: ReceivedEinvoiceRow
  clearances: ClearanceRow
  automations: AutomationRow
  automationGraphs: AutomationGraphRow
  automationRuns: AutomationRunRow
  automationSteps: AutomationStepRow
  automationDeliveries: DeliveryRow
  webhookSecrets: WebhookSecretRow
  automationSecrets: AutomationSecretRow
  auditLog: AuditEntry
  changes: ChangeRow
  events: EventRow
  idempotencyKeys: IdempotencyKey
}

type Generated<T> = ColumnType<T, T | undefined, T>

/** A resource as a row: what the database fills in may be left out of an insert. */
type Row<S extends TObject, Elsewhere extends string = never> = {
  [K in keyof Static<S> as K extends Elsewhere ? never : K]: K extends Filled ? Generated<Static<S>[K]> : Static<S>[K]
}
type Filled = 'organizationId' | 'createdAt' | 'updatedAt' | 'status'

type User = {
  id: string
  name: string
  email: string
  emailVerifiedAt: Generated<string | null>
  confirmFirst: Generated<boolean>
  passwordHash: string | null
  disabledAt: string | null
  locale: Generated<Me['locale']>
  digest: Generated<Me['digest']>
  createdAt: Generated<string>
  updatedAt: Generated<string>
}
type Session = {
  id: string
  userId: string
  secretHash: Buffer
  signedInAt: Generated<string>
  lastSeenAt: Generated<string>
  endsAt: string
  userAgent: string | null
  address: string | null
}
type AccountLink = {
  tokenHash: Buffer
  userId: string
  purpose: string
  email: string
  expiresAt: string
  createdAt: Generated<string>
}
type Authenticator = {
  userId: string
  secret: string
  confirmedAt: string | null
  lastStep: Generated<number>
  lostAt: Generated<string | null>
  createdAt: Generated<string>
}
type PasskeyRow = {
  id: string
  userId: string
  name: string
  publicKey: Buffer
  counter: number
  transports: string[]
  backedUp: boolean
  createdAt: Generated<string>
  lastUsedAt: string | null
}
type ApiKeyCall = {
  id: string
  apiKeyId: string
  userId: string
  method: string
  path: string
  feature: string | null
  verb: string | null
  statusCode: number
  errorCode: string | null
  durationMs: number
  organizationId: string | null
  createdAt: string
}
type ConnectedAppColumns = {
  userId: Generated<string>
  resources: string[]
  expiresAt: string
  revokedAt: string | null
}
type MailDelivery = {
  organizationId: Generated<string | null>
  id: string
  to: string
  subject: string
  template: string
  letter: Buffer | null
  attachments: Generated<unknown>
  contents: Generated<Buffer>
  enclosures: ColumnType<unknown, string | undefined, never>
  followUp: ColumnType<object | null, string | null | undefined, never>
  status: Generated<'QUEUED' | 'SENT' | 'FAILED'>
  attempts: Generated<number>
  claimedUntil: string | null
  kept: Generated<boolean>
  lastReason: string | null
  messageId: string | null
  createdAt: Generated<string>
  updatedAt: Generated<string>
}
type InvitationRow = {
  organizationId: Generated<string>
  id: string
  email: string
  role: Role
  invitedBy: string | null
  secretHash: Buffer
  expiresAt: Generated<string>
  acceptedAt: Generated<string | null>
  acceptedBy: Generated<string | null>
  createdAt: Generated<string>
  updatedAt: Generated<string>
}
type NotificationRow = {
  id: string
  userId: string
  organizationId: string | null
  kind: string
  data: unknown
  readAt: Generated<string | null>
  digestedAt: Generated<string | null>
  createdAt: Generated<string>
}
type ViewRow = {
  organizationId: Generated<string>
  id: string
  userId: Generated<string>
  name: string
  screen: string
  search: Generated<string>
  shared: Generated<boolean>
  position: Generated<number>
  createdAt: Generated<string>
  updatedAt: Generated<string>
}
type SettingsRow = {
  organizationId: Generated<string>
  senderName: Generated<string | null>
  defaultTaxRate: Generated<string | null>
  requireApproval: Generated<boolean>
  expenseApprovalAboveMinor: Generated<number | null>
  logoFileId: Generated<string | null>
  language: Generated<Me['locale']>
  digest: Generated<boolean>
  clearOnIssue: Generated<boolean>
  automationRunsKeptDays: Generated<number>
  salesTaxRates: ColumnType<{ state: string; rate: number; since: string }[], string | undefined, string>
  plan: Generated<string>
  lockedUntil: Generated<string | null>
  updatedAt: Generated<string>
}
type PeriodLockRow = {
  organizationId: Generated<string>
  id: Generated<string>
  lastDay: string
  lockedBy: string | null
  lockedAt: Generated<string>
  summedUpAt: string | null
}
type LockedBalanceRow = {
  organizationId: Generated<string>
  lockId: string
  accountId: string
  currency: string
  debitMinor: number
  creditMinor: number
}
type NumberingRow = {
  organizationId: Generated<string>
  documentType: string
  prefix: Generated<string>
  padding: Generated<number>
  nextNumber: Generated<number>
  firstNumber: Generated<number>
  earlierNumbers: Generated<number>
  lastIssueDate: string | null
  updatedAt: Generated<string>
}
type ExchangeRateRow = {
  source: PublishedRate['source']
  currency: string
  date: string
  base: string
  rate: string
  createdAt: Generated<string>
}
type AccountRow = Row<typeof Account, 'categoryIds' | 'taxCategories' | 'bankAccountIds' | 'purpose' | 'active'> & {
  purpose: Generated<Static<typeof Account>['purpose']>
  active: Generated<boolean>
}
type AccountMappingRow = {
  organizationId: Generated<string>
  entry: Generated<string>
  accountId: string
  accountType: string
  accountActive: Generated<boolean>
  categoryId: Generated<string | null>
  bankAccountId: Generated<string | null>
  taxCategory: Generated<string | null>
}
type AccountPeriodRow = {
  organizationId: Generated<string>
  subject: string
  firstDay: string
  endDay: string
  accountId: string
}
type JournalEntryRow = {
  organizationId: Generated<string>
  id: string
  number: Generated<number>
  kind: JournalEntry['kind']
  date: string
  description: string
  reference: string | null
  currency: Generated<string>
  reversesId: Generated<string | null>
  createdBy: Generated<string | null>
  createdAt: Generated<string>
}
type JournalEntryLineRow = {
  organizationId: Generated<string>
  entryId: string
  position: number
  accountId: string
  debitMinor: Generated<number>
  creditMinor: Generated<number>
  description: string | null
}
/** A json or jsonb column: written as JSON text, read as the parsed value. */
type Json = ColumnType<object | null, string | null, string | null>
type DocumentRow = {
  organizationId: Generated<string>
  id: string
  kind: Generated<string>
  direction: Generated<'OUTGOING' | 'INCOMING'>
  documentType: string
  status: Generated<string>
  series: Generated<string>
  sequence: Generated<number | null>
  number: Generated<string | null>
  counterpartyId: string | null
  counterpartyName: Generated<string>
  bankAccountId: string | null
  currency: string
  minorDigits: number
  exchangeRate: Generated<string | null>
  rateCurrency: Generated<string | null>
  rateDate: Generated<string | null>
  givenRate: Generated<string | null>
  givenRateDate: Generated<string | null>
  countryRate: Generated<string | null>
  countryRateDate: Generated<string | null>
  issueDate: string
  issueDateGiven: Generated<boolean>
  dueDate: string | null
  payUntil: string | null
  subtotalMinor: number
  taxMinor: number
  totalMinor: number
  paidMinor: Generated<number>
  creditedMinor: Generated<number>
  goodsMinor: Generated<number>
  taxRate: string | null
  notes: string | null
  paymentMethod: string | null
  paymentDate: string | null
  receiptNumber: Generated<string | null>
  inDispute: Generated<boolean>
  vatAllocationNumber: Generated<string | null>
  countrySpecificData: Json
  generatorVersion: string
  sourceDocumentId: Generated<string | null>
  paymentId: Generated<string | null>
  revision: Generated<number>
  linkVersion: Generated<number>
  issuedAt: Generated<string | null>
  sentAt: Generated<string | null>
  cancelledAt: Generated<string | null>
  convertedToId: Generated<string | null>
  createdBy: string | null
  createdAt: Generated<string>
  updatedAt: Generated<string>
}
type DocumentLineRow = {
  organizationId: Generated<string>
  documentId: string
  position: number
  id: string
  itemId: string | null
  description: string
  quantity: string
  unitPrice: string
  amountMinor: number
  taxRate: string | null
  taxCategory: string | null
  paidMinor: Generated<number>
  discountPercent: string | null
  discountMinor: number | null
  catalogItemId: Generated<string | null>
}
type DocumentCount = {
  organizationId: Generated<string>
  entry: Generated<string>
  kind: string
  documentType: string
  status: string
  change: number
}
type ExpenseRow = {
  organizationId: Generated<string>
  id: string
  title: string | null
  vendor: string | null
  supplierId: string | null
  claimantId: string | null
  categoryId: string | null
  deletedCategoryId: Generated<string | null>
  source: string
  chargedTaxMinor: number | null
  deductibleTaxMinor: number | null
  notes: string | null
  documentNumber: string | null
  vendorTaxNumber: string | null
  allocationNumber: string | null
  orderId: Generated<string | null>
  emailMessageId: Generated<string | null>
  statusReason: Generated<string | null>
  reviewedBy: Generated<string | null>
  reviewedAt: Generated<string | null>
  claimedBy: Generated<string[]>
  changedBy: Generated<string | null>
  enteredFor: Generated<string[]>
  changedFor: Generated<string[]>
  amountFor: Generated<string[]>
  goodsMinor: Generated<number>
  enteredFields: Generated<string[] | null>
}
type ScanRow = {
  organizationId: Generated<string>
  attachmentId: string
  expenseId: string
  status: 'COMPLETED' | 'FAILED'
  providerId: string
  extracted: ColumnType<object, string, string>
  error: string | null
  duplicateOfId: string | null
  chargedPeriod: string | null
  processingMs: number
  createdBy: Generated<string | null>
  createdAt: Generated<string>
  updatedAt: Generated<string>
}
type ScanBatchRow = {
  organizationId: Generated<string>
  id: string
  total: number
  done: Generated<number>
  failed: Generated<number>
  completedAt: Generated<string | null>
  createdBy: Generated<string | null>
  createdAt: Generated<string>
  updatedAt: Generated<string>
}
type ScanBatchFileRow = {
  organizationId: Generated<string>
  id: string
  batchId: string
  position: number
  attachmentId: string
  expenseId: string
  status: Generated<'WAITING' | 'COMPLETED' | 'FAILED'>
  error: Generated<string | null>
  duplicateOfId: Generated<string | null>
  createdAt: Generated<string>
  updatedAt: Generated<string>
}
type SupplierAliasRow = {
  organizationId: Generated<string>
  alias: string
  supplierId: string
  createdBy: Generated<string | null>
  createdAt: Generated<string>
}
type ExpenseSplitRow = {
  organizationId: Generated<string>
  expenseId: string
  lineId: string
  categoryId: string | null
  deletedCategoryId: Generated<string | null>
  description: string | null
  amountMinor: number
  chargedTaxMinor: number | null
}
type ExpenseCustomerRow = {
  organizationId: Generated<string>
  expenseId: string
  customerId: string
  createdAt: Generated<string>
}
type PaymentRow = {
  organizationId: Generated<string>
  id: string
  kind: Generated<string>
  direction: Generated<'OUTGOING' | 'INCOMING'>
  counterpartyId: string | null
  amountMinor: number
  allocatedMinor: Generated<number>
  currency: string
  minorDigits: number
  paidAt: string
  method: string | null
  exchangeRate: Generated<string | null>
  rateCurrency: Generated<string | null>
  rateDate: Generated<string | null>
  refundHomeMinor: Generated<number | null>
  source:
    | 'DOCUMENT'
    | 'MARK_PAID'
    | 'PAYMENT'
    | 'CREDIT_MEMO'
    | 'REFUND'
    | 'ADVANCE'
    | 'NET'
    | 'STATUTORY'
    | 'LEAVE_CLAIM'
  withheldMinor: Generated<number>
  reference: Generated<string | null>
  details: ColumnType<object | null, string | null | undefined, never>
  bankAccountId: Generated<string | null>
  refundOf: Generated<string | null>
  refundedMinor: Generated<number>
  voidedAt: Generated<string | null>
  voidedOn: Generated<string | null>
  voidReason: Generated<string | null>
  createdBy: string | null
  createdAt: Generated<string>
  updatedAt: Generated<string>
}
type PlannedPaymentRow = {
  organizationId: Generated<string>
  id: string
  counterpartyId: string | null
  currency: string
  minorDigits: number
  amountMinor: number
  withheldMinor: Generated<number>
  dueOn: string
  method: string | null
  reference: string | null
  details: ColumnType<object, string, never>
  bankAccountId: string | null
  shares: ColumnType<object, string, never>
  receipt: Generated<'NONE' | 'WITH_TAX' | 'TAX_FREE'>
  status: Generated<'PLANNED' | 'RECORDED' | 'CANCELLED'>
  problem: Generated<string | null>
  createdBy: string
  createdAt: Generated<string>
  updatedAt: Generated<string>
}
type AllocationRow = {
  organizationId: Generated<string>
  id: string
  paymentId: string
  documentId: string
  lineId: string | null
  amountMinor: number
  bookedOn: Generated<string | null>
  documentHomeMinor: Generated<number | null>
  paymentHomeMinor: Generated<number | null>
  isCredit: Generated<boolean>
  isAdvance: Generated<boolean>
  voidedAt: Generated<string | null>
  createdAt: Generated<string>
}
type DocumentEventRow = {
  organizationId: Generated<string>
  id: string
  documentId: string
  seq: Generated<number>
  type: string
  actorUserId: string | null
  payload: Json
  createdAt: Generated<string>
  prevHash: Generated<Buffer>
  hash: Generated<Buffer>
}
type DocumentMailing = {
  organizationId: Generated<string>
  mailingId: string
  deliveryId: string
  documentId: string
  toldAt: Generated<string | null>
}
type IssuedCopyRow = {
  organizationId: Generated<string>
  documentId: string
  issuer: object
  customer: Json
  bankAccount: Json
  language: Language
  registered: boolean
  officialType: string
  title: object
  logoFileId: string | null
  originalFileId: string | null
  originalSha256: string | null
  createdAt: Generated<string>
  terms: Json
}
type DocumentAttachmentRow = {
  organizationId: Generated<string>
  id: string
  documentId: string
  position: number
  fileId: string
  createdBy: Generated<string | null>
  createdAt: Generated<string>
}
type AutomationRow = {
  organizationId: Generated<string>
  id: string
  ownerUserId: Generated<string>
  name: string
  description: string | null
  status: Generated<AutomationStatus>
  blocks: ColumnType<object, string, string>
  edges: ColumnType<object, string, string>
  triggers: ColumnType<string[] | null, never, never>
  graphId: ColumnType<string, never, never>
  enabledAt: Generated<string | null>
  version: ColumnType<number, never, never>
  savedAt: ColumnType<string | null, never, never>
  savedByUserId: ColumnType<string | null, never, never>
  createdAt: Generated<string>
  updatedAt: Generated<string>
}
type AutomationGraphRow = {
  organizationId: Generated<string>
  id: string
  automationId: string
  blocks: ColumnType<object, string, string>
  edges: ColumnType<object, string, string>
  authorUserId: string
  scopes: string[] | null
  apiKeyId: string | null
  appId: string | null
  clientId: string | null
  credentialStatus: 'ACTIVE' | 'ENDED' | 'RELEASED' | null
  createdAt: Generated<string>
  supersededAt: Generated<string | null>
  version: number | null
  supersededVersion: number | null
}
type AutomationRunRow = {
  organizationId: Generated<string>
  id: string
  automationId: string
  /** Who tested or replayed it, the last one last. */
  startedBy: Generated<string[]>
  graphId: Generated<string | null>
  triggerEventId: Generated<string | null>
  triggerType: Generated<string | null>
  input: ColumnType<object, string, string>
  status: Generated<RunStatus>
  error: Generated<string | null>
  depth: number
  recordId: Generated<string | null>
  place: Generated<number>
  waits: Generated<boolean>
  token: Generated<number>
  deadline: Generated<string | null>
  waitingSince: Generated<string | null>
  startedAt: Generated<string>
  finishedAt: Generated<string | null>
}
type AutomationStepRow = {
  organizationId: Generated<string>
  id: string
  runId: string
  blockId: string
  element: Generated<number>
  elementKey: Generated<string>
  ref: string | null
  feature: string | null
  status: StepStatus
  attempt: Generated<number>
  input: Json
  output: Json
  warnings: Json
  isTruncated: Generated<boolean>
  error: Generated<string | null>
  latencyMs: Generated<number | null>
  startedAt: Generated<string | null>
  finishedAt: Generated<string | null>
  waitsUntil: Generated<string | null>
  turnAt: Generated<string | null>
  turnTokens: Generated<number | null>
}
type DeliveryRow = {
  organizationId: Generated<string>
  id: string
  stepId: string
  webhookId: Generated<string | null>
  contentHash: Generated<Buffer | null>
  kind: Delivery['kind']
  target: string
  attempt: number
  outcome: Generated<Delivery['outcome']>
  status: Generated<number | null>
  latencyMs: Generated<number | null>
  reason: Generated<string | null>
  answer: Generated<string | null>
  createdAt: Generated<string>
}
type SupplierRow = {
  organizationId: Generated<string>
  id: string
  taxNumber: Generated<string | null>
  gstNumber: Generated<string | null>
  paymentTermsDays: Generated<number | null>
  defaultCategoryId: Generated<string | null>
  defaultCurrency: Generated<string | null>
  withholdingRate: Generated<string | null>
  withholdingValidUntil: Generated<string | null>
  is1099: Generated<boolean>
  bankName: Generated<string | null>
  branchCode: Generated<string | null>
  accountNumber: Generated<string | null>
  accountName: Generated<string | null>
  iban: Generated<string | null>
  swiftCode: Generated<string | null>
  createdAt: Generated<string>
  updatedAt: Generated<string>
}
type ImportRow = Row<typeof Import, 'counts' | 'rows'> & {
  fileSize: number
  sha256: string
  rowCount: number
  createdCount: number
  updatedCount: number
  unchangedCount: number
}
type ItemRow = {
  organizationId: Generated<string>
  id: string
  name: string
  description: string | null
  sku: string | null
  barcode: string | null
  kind: Item['kind']
  unit: string | null
  salePrice: string | null
  saleCurrency: string
  purchasePrice: string | null
  purchaseCurrency: string
  taxRate: string | null
  taxCategory: string | null
  tracked: boolean
  lowStockThreshold: string | null
  trackedSince: Generated<string | null>
  active: Generated<boolean>
  createdAt: Generated<string>
  updatedAt: Generated<string>
}
type OrderRow = {
  organizationId: Generated<string>
  id: string
  kind: OrderKind
  status: Generated<OrderStatus>
  number: Generated<number | null>
  orderNumber: Generated<string | null>
  counterpartyId: string
  counterpartyName: Generated<string>
  currency: string
  minorDigits: number
  orderDate: string
  expectedDate: string | null
  reference: string | null
  notes: string | null
  subtotalMinor: number
  taxMinor: number
  totalMinor: number
  openedAt: Generated<string | null>
  endedAt: Generated<string | null>
  endReason: Generated<string | null>
  sentAt: Generated<string | null>
  clearsUnbilled: Generated<boolean>
  clearedAccount: Generated<string | null>
  clearedMinor: Generated<number>
  clearedCurrency: Generated<string | null>
  createdBy: string | null
  createdAt: Generated<string>
  updatedAt: Generated<string>
}
type OrderLineRow = {
  organizationId: Generated<string>
  orderId: string
  id: string
  position: number
  itemId: string | null
  description: string
  quantity: string
  unitPrice: string
  amountMinor: number
  taxRate: string | null
  taxCategory: string | null
  fulfilledQuantity: Generated<string>
  extraQuantity: Generated<string>
  returnedQuantity: Generated<string>
  untrackedQuantity: Generated<string>
}
type OrderFulfilmentRow = {
  organizationId: Generated<string>
  id: string
  deliveryId: string
  orderId: string
  lineId: string
  quantity: string
  extraQuantity: Generated<string>
  date: string
  note: string | null
  createdBy: Generated<string | null>
  createdAt: Generated<string>
}
type OrderInvoiceLineRow = {
  organizationId: Generated<string>
  documentId: string
  documentLineId: string
  orderId: string
  lineId: string
}
type StockLevelRow = {
  organizationId: Generated<string>
  itemId: string
  quantity: Generated<string>
  valueMinor: Generated<number>
  unitCost: Generated<string | null>
  homeCurrency: string
  movements: Generated<number>
}
type StockMovementRow = {
  organizationId: Generated<string>
  id: Generated<string>
  itemId: string
  sequence: Generated<number>
  kind: MovementKind
  quantity: string
  date: string
  givenCost: Generated<string | null>
  valueMinor: Generated<number>
  differenceMinor: Generated<number>
  homeCurrency: Generated<string>
  reason: Generated<string | null>
  reference: Generated<string | null>
  source: Generated<MovementSource>
  orderId: Generated<string | null>
  orderLineId: Generated<string | null>
  deliveryId: Generated<string | null>
  documentId: Generated<string | null>
  documentLineId: Generated<string | null>
  createdBy: Generated<string | null>
  createdAt: Generated<string>
}
type TaxAuthorityConnectionRow = {
  organizationId: Generated<string>
  id: string
  integrationId: string
  environment: Generated<Environment>
  credentials: Buffer
  credentialsKeyId: ColumnType<string | null, never, never>
  tokens: Generated<Buffer | null>
  tokensKeyId: ColumnType<string | null, never, never>
  refreshingUntil: Generated<string | null>
  stateHash: Generated<Buffer | null>
  stateUntil: Generated<string | null>
  isValidated: Generated<boolean>
  lastValidatedAt: Generated<string | null>
  validationError: Generated<string | null>
  failureNotifiedAt: Generated<string | null>
  createdBy: Generated<string | null>
  createdAt: Generated<string>
  updatedAt: Generated<string>
}
type ClearanceRow = {
  organizationId: Generated<string>
  documentId: string
  authority: string
  environment: Environment | null
  status: Generated<'PENDING' | 'APPROVED' | 'REJECTED' | 'ERROR'>
  request: ColumnType<object | null, string | null | undefined, string | null>
  attempts: Generated<number>
  claimedUntil: Generated<string | null>
  nextAttemptAt: Generated<string | null>
  submittedAt: Generated<string>
  decidedAt: Generated<string | null>
  number: Generated<string | null>
  source: Generated<'AUTHORITY' | 'MANUAL' | null>
  reasons: Generated<unknown>
  error: Generated<string | null>
  createdBy: Generated<string | null>
  createdAt: Generated<string>
  updatedAt: Generated<string>
}
type ReceivedEinvoiceRow = {
  organizationId: Generated<string>
  id: string
  environment: Environment
  accessPointId: string
  sender: string | null
  outcome: 'CREATED' | 'UNREAD' | 'DUPLICATE'
  reason: string | null
  expenseId: string | null
  receivedAt: string | null
  createdAt: Generated<string>
}
type AutomationSecretRow = {
  organizationId: Generated<string>
  id: string
  name: string
  value: Buffer
  valueKeyId: ColumnType<string | null, never, never>
  createdAt: Generated<string>
  updatedAt: Generated<string>
}
type WebhookSecretRow = {
  organizationId: Generated<string>
  id: string
  secret: Buffer
  secretKeyId: ColumnType<string | null, never, never>
  createdAt: Generated<string>
  replacedAt: Generated<string | null>
}
type FileColumns = {
  declaredType: string | null
  purpose: Generated<string>
  createdBy: Generated<string | null>
  attachedAt: Generated<string | null>
}
type OutboxColumns = {
  messageId: string
  headers: unknown
  attachments: unknown
  contents: Buffer
  holdsPayroll: Generated<boolean>
}
type AuditEntry = {
  id: string
  organizationId: string | null
  userId: string | null
  source: string
  apiKeyId: string | null
  sessionId: string | null
  runId: string | null
  turnId: string | null
  requestId: string
  operation: string
  objectId: string | null
  detail: object | null
  clientId: string | null
  automationId: string | null
  createdAt: Generated<string>
}
type EventRow = {
  organizationId: Generated<string>
  id: string
  type: string
  payload: unknown
  cause: unknown
  createdAt: Generated<string>
}
type ChangeRow = {
  organizationId: string
  resource: string
  objectId: string
  change: string
  userId: string | null
  createdAt: Generated<string>
}
type IdempotencyKey = {
  userId: Generated<string>
  principal: string
  organizationId: string | null
  key: string
  fingerprint: Buffer
  status: number | null
  body: string | null
  sealed: Generated<boolean>
  lockedUntil: string | null
  createdAt: Generated<string>
}

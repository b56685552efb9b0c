import { sql } from 'kysely'
import type { Role, Scope } from '../../../core/define/access.ts'
import type { Database } from '../../../core/define/operation.ts'
import { containing } from '../../../core/define/query.ts'
import { pipeline } from '../../../db/pipeline.ts'
import type { Candidate, HitKind } from './hit.ts'

/** How many rows of a kind are compared. */
const comparedMax = 200

/** The index consists of three-character sequences (search_grams), so it finds no shorter texts. */
const indexedMin = 3

/** The longest word finds the rows, by index where there is one; the others are compared afterwards. */
type Wanted = { db: Database; word: string; pattern: string }

type Searched = { scope: Scope; role: Role; candidates(wanted: Wanted): Promise<readonly Candidate[]> }

const none = { type: null, status: null, amount: null, currency: null, date: null }
const isIndexed = (word: string) => [...word].length >= indexedMin
const most = sql.lit(comparedMax)

/** What is searched, and who may read it. Each is one statement, and all of them are sent together. */
export const searched: Readonly<Record<HitKind, Searched>> = {
  documents: { scope: 'invoices:read', role: 'VIEWER', candidates: findDocuments },
  customers: { scope: 'customers:read', role: 'VIEWER', candidates: (wanted) => findPartners(wanted, 'customers') },
  suppliers: { scope: 'suppliers:read', role: 'VIEWER', candidates: (wanted) => findPartners(wanted, 'suppliers') },
  items: { scope: 'logistics:read', role: 'VIEWER', candidates: findItems },
  payments: { scope: 'invoices:read', role: 'VIEWER', candidates: findPayments },
  expenses: { scope: 'expenses:read', role: 'VIEWER', candidates: findExpenses },
  orders: { scope: 'orders:read', role: 'VIEWER', candidates: findOrders },
  automations: { scope: 'automations:read', role: 'VIEWER', candidates: findAutomations },
  employees: { scope: 'payroll:read', role: 'CONTRIBUTOR', candidates: findEmployees },
  accounts: { scope: 'reports:read', role: 'VIEWER', candidates: findAccounts },
}

export const wantedIn = (db: Database, text: string): Wanted => {
  const word = text.split(' ').toSorted((a, b) => b.length - a.length)[0] ?? ''
  return { db, word, pattern: containing(word) }
}

type DocumentRow = {
  id: string
  number: string | null
  counterpartyName: string
  notes: string | null
  documentType: string
  status: string
  amount: number
  currency: string
  issueDate: string
}

const toDocument = (row: DocumentRow): Candidate => ({
  kind: 'documents',
  id: row.id,
  title: row.number ?? row.counterpartyName,
  subtitle: row.counterpartyName,
  type: row.documentType,
  status: row.status,
  amount: row.amount,
  currency: row.currency,
  date: row.issueDate,
  texts: { number: row.number, customer: row.counterpartyName, notes: row.notes },
})

const documentColumns = sql`d.id, d.number, d.counterparty_name, d.notes, d.document_type, d.status, d.currency, d.issue_date,
  major_units(d.total_minor, d.minor_digits)::float8 as amount`

async function findDocuments({ db, word, pattern }: Wanted) {
  const { numbered, containing: others } = await pipeline({
    numbered: documentsNumbered(db, word),
    containing: isIndexed(word)
      ? sql<DocumentRow>`select ${documentColumns} from search_documents(${word}, ${pattern}, ${most}) d`.execute(db)
      : undefined,
  })
  return [...(numbered?.rows ?? []), ...(others?.rows ?? [])].map(toDocument)
}

/** By the number without its prefix, in every series. */
const documentsNumbered = (db: Database, word: string) =>
  /^\d{1,15}$/.test(word)
    ? sql<DocumentRow>`select ${documentColumns} from documents d
        where d.organization_id = current_organization() and d.kind = 'SALES' and d.sequence = ${word}::bigint
        limit ${most}`.execute(db)
    : undefined

/** The newest documents of these customers: of one with thousands, the search by index finds any. */
export async function newestDocuments(db: Database, customerIds: readonly string[], limit: number) {
  const { rows } = await sql<DocumentRow>`select ${documentColumns} from unnest(${customerIds}::uuid[]) c (id)
    cross join lateral (select * from documents d where d.organization_id = current_organization() and d.counterparty_id = c.id
      and d.kind = 'SALES' order by d.issue_date desc, d.id desc limit ${limit}) d`.execute(db)
  return rows.map(toDocument)
}

type PartnerRow = {
  id: string
  name: string | null
  email: string | null
  phone: string | null
  registrationNumber: string | null
  kind: string
  status: string
}

const toPartner =
  (kind: 'customers' | 'suppliers') =>
  ({ id, name, email, phone, registrationNumber, ...row }: PartnerRow): Candidate => ({
    ...none,
    ...{ kind, id, title: name ?? email ?? '', subtitle: email, type: row.kind, status: row.status },
    texts: { name, email, phone, registrationNumber },
  })

async function findPartners({ db, pattern }: Wanted, kind: 'customers' | 'suppliers') {
  const { rows } =
    await sql<PartnerRow>`select c.id, c.name, c.email, c.phone, c.registration_number, c.kind, c.status from customers c
    where ${sql.ref(kind === 'customers' ? 'c.is_customer' : 'c.is_supplier')}
      and (c.name ilike ${pattern} or c.email ilike ${pattern} or c.phone ilike ${pattern} or c.registration_number ilike ${pattern})
    order by c.updated_at desc, c.id desc limit ${most}`.execute(db)
  return rows.map(toPartner(kind))
}

/** How many names are compared with a text that no name contains. */
const namesMax = 2_000

/** Those that were changed last, to find one whose name is nearly the text. */
export async function partnersByName(db: Database, kind: 'customers' | 'suppliers'): Promise<readonly Candidate[]> {
  const { rows } =
    await sql<PartnerRow>`select c.id, c.name, c.email, c.phone, c.registration_number, c.kind, c.status from customers c
    where ${sql.ref(kind === 'customers' ? 'c.is_customer' : 'c.is_supplier')} and c.name is not null
    order by c.updated_at desc, c.id desc limit ${sql.lit(namesMax)}`.execute(db)
  return rows.map(toPartner(kind))
}

async function findItems({ db, word, pattern }: Wanted) {
  const { rows } = await sql<{
    id: string
    name: string
    sku: string | null
    barcode: string | null
    description: string | null
    kind: string
    active: boolean
    salePrice: number | null
    saleCurrency: string
  }>`select i.id, i.name, i.sku, i.barcode, i.description, i.kind, i.active, i.sale_price::float8 as sale_price, i.sale_currency
    from items i where ${
      isIndexed(word)
        ? sql`i.id in (select x.id from search_items(${word}, ${pattern}, ${most}) x (id))`
        : sql`(i.name ilike ${pattern} or i.sku ilike ${pattern})`
    } order by i.updated_at desc, i.id desc limit ${most}`.execute(db)
  return rows.map(
    ({ id, name, sku, barcode, description, ...row }): Candidate => ({
      ...none,
      ...{ kind: 'items', id, title: name, subtitle: sku, type: row.kind, status: row.active ? 'ACTIVE' : 'INACTIVE' },
      ...(row.salePrice !== null && { amount: row.salePrice, currency: row.saleCurrency }),
      texts: { name, sku, barcode, description },
    }),
  )
}

async function findPayments({ db, word, pattern }: Wanted) {
  if (!isIndexed(word)) return []
  const { rows } = await sql<{
    id: string
    reference: string
    method: string | null
    name: string | null
    amount: number
    currency: string
    paidAt: string
    isVoided: boolean
  }>`select p.id, p.reference, p.method, c.name, major_units(p.amount_minor, p.minor_digits)::float8 as amount, p.currency, p.paid_at,
      p.voided_at is not null as is_voided
    from search_payments(${word}, ${pattern}, ${most}) x (id)
    join payments p on p.organization_id = current_organization() and p.id = x.id
    left join customers c on c.organization_id = p.organization_id and c.id = p.counterparty_id
    order by p.paid_at desc, p.id desc`.execute(db)
  return rows.map(
    ({ id, reference, method, name, amount, currency, paidAt, isVoided }): Candidate => ({
      ...{ kind: 'payments', id, title: reference, subtitle: name, type: method, amount, currency, date: paidAt },
      status: isVoided ? 'VOID' : 'RECORDED',
      texts: { reference, customer: name },
    }),
  )
}

async function findExpenses({ db, word, pattern }: Wanted) {
  if (!isIndexed(word)) return []
  const { rows } = await sql<{
    id: string
    title: string | null
    vendor: string | null
    notes: string | null
    documentNumber: string | null
    status: string
    amount: number
    currency: string
    issueDate: string
  }>`select e.id, e.title, e.vendor, e.notes, e.document_number, d.status, d.currency, d.issue_date,
      major_units(d.total_minor, d.minor_digits)::float8 as amount
    from search_expenses(${word}, ${pattern}, ${most}) x (id)
    join expenses e on e.organization_id = current_organization() and e.id = x.id
    join documents d on d.organization_id = e.organization_id and d.id = e.id
    order by d.issue_date desc, d.id desc`.execute(db)
  return rows.map(
    ({ id, title, vendor, notes, documentNumber, status, amount, currency, issueDate }): Candidate => ({
      ...{
        kind: 'expenses',
        id,
        title: vendor ?? title ?? documentNumber ?? '',
        subtitle: vendor ? title : documentNumber,
      },
      ...{ type: null, status, amount, currency, date: issueDate },
      texts: { vendor, title, number: documentNumber, notes },
    }),
  )
}

async function findOrders({ db, word, pattern }: Wanted) {
  if (!isIndexed(word)) return []
  const { rows } = await sql<{
    id: string
    orderNumber: string | null
    counterpartyName: string
    reference: string | null
    notes: string | null
    kind: string
    status: string
    amount: number
    currency: string
    orderDate: string
  }>`select o.id, o.order_number, o.counterparty_name, o.reference, o.notes, o.kind, o.status, o.currency, o.order_date,
      major_units(o.total_minor, o.minor_digits)::float8 as amount
    from search_orders(${word}, ${pattern}, ${most}) x (id)
    join orders o on o.organization_id = current_organization() and o.id = x.id
    order by o.order_date desc, o.id desc`.execute(db)
  return rows.map(({ id, orderNumber, counterpartyName, reference, notes, ...row }): Candidate => {
    const partner = row.kind === 'PURCHASE' ? { supplier: counterpartyName } : { customer: counterpartyName }
    return {
      ...{ kind: 'orders', id, title: orderNumber ?? counterpartyName, subtitle: counterpartyName, type: row.kind },
      ...{ status: row.status, amount: row.amount, currency: row.currency, date: row.orderDate },
      texts: { number: orderNumber, ...partner, reference, notes },
    }
  })
}

async function findAutomations({ db, pattern }: Wanted) {
  const { rows } = await sql<{ id: string; name: string; description: string | null; status: string }>`
    select a.id, a.name, a.description, a.status from automations a where a.name ilike ${pattern} or a.description ilike ${pattern}
    order by a.updated_at desc, a.id desc limit ${most}`.execute(db)
  return rows.map(
    ({ id, name, description, status }): Candidate => ({
      ...none,
      ...{ kind: 'automations', id, title: name, subtitle: description, status },
      texts: { name, description },
    }),
  )
}

async function findEmployees({ db, pattern }: Wanted) {
  const { rows } = await sql<{
    id: string
    name: string | null
    email: string | null
    employeeNumber: string | null
    jobTitle: string | null
    isFormer: boolean
  }>`select e.id, c.name, e.email, e.employee_number, e.job_title, coalesce(e.end_date < current_date, false) as is_former
    from employees e join customers c on c.organization_id = e.organization_id and c.id = e.id
    where c.name ilike ${pattern} or e.email ilike ${pattern} or e.employee_number ilike ${pattern}
    order by e.updated_at desc, e.id desc limit ${most}`.execute(db)
  return rows.map(
    ({ id, name, email, employeeNumber, jobTitle, isFormer }): Candidate => ({
      ...none,
      ...{
        kind: 'employees',
        id,
        title: name ?? '',
        subtitle: jobTitle ?? email,
        status: isFormer ? 'FORMER' : 'EMPLOYED',
      },
      texts: { name, email, employeeNumber },
    }),
  )
}

async function findAccounts({ db, pattern }: Wanted) {
  const { rows } = await sql<{
    id: string
    code: string
    name: string
    nameHe: string | null
    type: string
    active: boolean
  }>`
    select a.id, a.code, a.name, a.name_he, a.type, a.active from accounts a
    where a.code ilike ${pattern} or a.name ilike ${pattern} or a.name_he ilike ${pattern} order by a.code, a.id limit ${most}`.execute(
    db,
  )
  return rows.map(
    ({ id, code, name, nameHe, type, active }): Candidate => ({
      ...none,
      ...{
        kind: 'accounts',
        id,
        title: `${code} ${name}`,
        subtitle: nameHe,
        type,
        status: active ? 'ACTIVE' : 'INACTIVE',
      },
      texts: { code, name, title: nameHe },
    }),
  )
}

import { invalid } from '../../../../core/define/failure.ts'
import type { Database } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import { today } from '../../../../core/values/day.ts'
import type { Language } from '../../../../core/values/language.ts'
import type { Customer, Issuer } from '../../../../countries/country.ts'
import { documentLanguage } from '../../../../countries/document-language.ts'
import { dayOf } from '../../../../ledger/organization-context.ts'
import { type ReportContext, reportContext } from '../report-context.ts'
import { readStatement } from './read-statement.ts'
import type { Statement } from './statement.ts'
import { toCurrencies } from './to-statement.ts'

export type Asked = {
  id: string
  from?: string | undefined
  to?: string | undefined
  language?: Language | undefined
}

export type StatementData = {
  statement: Statement
  organization: ReportContext
  issuer: Issuer & { email: string | null; phone: string | null; senderName: string | null }
  customer: Customer & { email: string | null }
}

/** A statement with the parties that it is printed for. Without days it is that of the year so far. */
export async function statementData(db: Database, { id, ...asked }: Asked, now: Date): Promise<StatementData> {
  const organization = await reportContext(db)
  const customer = await one(customerById(db, id), 'customer')
  const to = dayOf('to', asked.to ?? null, organization) ?? today(now, organization.timezone)
  const from = dayOf('from', asked.from ?? null, organization) ?? `${to.slice(0, 4)}-01-01`
  if (to < from) throw invalid('to', 'to is before from.')
  const { rules } = organization
  const language = asked.language ?? documentLanguage(rules, customer, organization.language)
  const read = await readStatement(db, { customerId: id, from, to })
  const currencies = toCurrencies(read, language)
  const customerName = customer.name ?? customer.email
  return {
    statement: { customerId: id, customerName, from, to, language, currencies },
    organization,
    issuer: await issuerOf(db),
    customer,
  }
}

const customerById = (db: Database, id: string) =>
  db
    .selectFrom('customers')
    .select(['name', 'email', 'country', 'kind', 'registrationNumber', 'address'])
    .where('id', '=', id)

const issuerOf = (db: Database) =>
  db
    .selectFrom('organizations')
    .leftJoin('organizationSettings', 'organizationSettings.organizationId', 'organizations.id')
    .select(['name', 'registrationNumber', 'taxNumber', 'address', 'email', 'phone', 'senderName'])
    .executeTakeFirstOrThrow()

import { sql } from 'kysely'
import { notFound } from '../../../../core/define/failure.ts'
import type { Database } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import type { Language } from '../../../../core/values/language.ts'
import { findCountry } from '../../../../countries/countries.ts'
import type { Customer, Issuer } from '../../../../countries/country.ts'
import { documentLanguage } from '../../../../countries/document-language.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { readLogoOfNow } from '../../../selling/documents/print/print-data.ts'
import { orderById } from '../read.ts'

/** Everything that is printed of an order, read in one transaction. */
export type OrderPrintData = Awaited<ReturnType<typeof readOrderPrintData>>

/** An order is printed with the addresses of both sides and the logo of now: it is no document of the ledger. */
export async function readOrderPrintData(db: Database, id: string) {
  const { row, parties, units, logo } = await pipeline({
    row: one(orderById(db, id), 'order'),
    parties: readParties(db, id),
    units: readUnits(db, id),
    logo: readLogoOfNow(db),
  })
  const country = findCountry(parties?.issuer.country ?? null)
  if (!parties || !country) throw notFound('order')
  const { party, chosenLanguage } = parties
  return { row, ...parties, units, logo, country, language: documentLanguage(country, party, chosenLanguage) }
}

type PrintedIssuer = Issuer & { country: string | null; email: string | null; phone: string | null }
type PrintedParty = Customer & { email: string | null; phone: string | null }

async function readParties(db: Database, id: string) {
  const { rows } = await sql<{
    issuer: PrintedIssuer
    party: PrintedParty
    senderName: string | null
    chosenLanguage: Language | null
    termsDays: number | null
  }>`
    select jsonb_build_object('name', g.name, 'country', g.country, 'registrationNumber', g.registration_number, 'taxNumber', g.tax_number,
        'address', g.address, 'email', g.email, 'phone', g.phone) as issuer,
      jsonb_build_object('name', nullif(o.counterparty_name, ''), 'country', c.country, 'kind', c.kind, 'registrationNumber', c.registration_number,
        'address', c.address, 'email', c.email, 'phone', c.phone) as party,
      s.sender_name as "senderName", s.language as "chosenLanguage",
      case o.kind when 'PURCHASE' then p.payment_terms_days end as "termsDays"
    from orders o
    join organizations g on g.id = o.organization_id
    join customers c on c.organization_id = o.organization_id and c.id = o.counterparty_id
    left join suppliers p on p.organization_id = o.organization_id and p.id = o.counterparty_id
    left join organization_settings s on s.organization_id = o.organization_id
    where o.id = ${id}`.execute(db)
  return rows[0]
}

/** The units of the items on the lines, by the id of the line. */
async function readUnits(db: Database, id: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; unit: string }>`
    select l.id, i.unit from order_lines l join items i on i.organization_id = l.organization_id and i.id = l.item_id
    where l.order_id = ${id} and i.unit is not null`.execute(db)
  return new Map(rows.map((line) => [line.id, line.unit]))
}

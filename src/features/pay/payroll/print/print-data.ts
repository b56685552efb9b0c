import { sql } from 'kysely'
import { notFound } from '../../../../core/define/failure.ts'
import type { Database } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import { findCountry } from '../../../../countries/countries.ts'
import type { Country, Issuer } from '../../../../countries/country.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { readLogoOfNow } from '../../../selling/documents/print/print-data.ts'
import type { Languages } from '../../../selling/documents/print/print-model.ts'
import { wholePayslipById } from '../payslips/read.ts'

/** Everything that is printed of a payslip, read in one transaction. */
export type PayslipPrintData = Awaited<ReturnType<typeof readPayslipPrintData>>

export async function readPayslipPrintData(db: Database, id: string) {
  const { row, parties, logo } = await pipeline({
    row: one(wholePayslipById(db, id), 'payslip'),
    parties: readParties(db, id),
    logo: readLogoOfNow(db),
  })
  const country = findCountry(parties?.issuer.country ?? null)
  if (!parties || !country) throw notFound('payslip')
  return { row, ...parties, logo, country }
}

type PrintedIssuer = Issuer & { country: string | null; email: string | null; phone: string | null }
export type PrintedEmployee = {
  userId: string | null
  address: string | null
  email: string | null
  idNumber: string | null
  bankName: string | null
  bankCode: string | null
  branchCode: string | null
  accountNumber: string | null
  iban: string | null
  routingNumber: string | null
}

/** The employer and the employee as they are now: a payslip keeps what was computed, not the addresses. */
async function readParties(db: Database, id: string) {
  const { rows } = await sql<{ issuer: PrintedIssuer; employee: PrintedEmployee }>`
    select jsonb_build_object('name', g.name, 'country', g.country, 'registrationNumber', g.registration_number, 'taxNumber', g.tax_number,
        'address', g.address, 'email', g.email, 'phone', g.phone) as issuer,
      jsonb_build_object('userId', e.user_id, 'address', e.address, 'email', e.email, 'idNumber', e.id_number, 'bankName', e.bank_name,
        'bankCode', e.bank_code, 'branchCode', e.branch_code, 'accountNumber', e.account_number, 'iban', e.iban,
        'routingNumber', e.routing_number) as employee
    from payslips p
    join organizations g on g.id = p.organization_id
    join employees e on e.organization_id = p.organization_id and e.id = p.employee_id
    join customers c on c.organization_id = e.organization_id and c.id = e.id
    where p.id = ${id}`.execute(db)
  return rows[0]
}

export const payslipLanguages = ['en', 'he', 'both'] as const
export type PayslipLanguage = (typeof payslipLanguages)[number]

/** The language asked for, that of the employee, or that of the country. A bilingual payslip has the direction of the country. */
export function languagesOf(
  { row, country }: { row: { payslipLanguage: PayslipLanguage | null }; country: Pick<Country, 'payslip'> },
  asked: PayslipLanguage | undefined,
): Languages {
  const { firstLanguage: first } = country.payslip
  const chosen = asked ?? row.payslipLanguage ?? first
  return chosen === 'both' ? [first, first === 'he' ? 'en' : 'he'] : [chosen]
}

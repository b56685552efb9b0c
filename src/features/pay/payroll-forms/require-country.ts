import { invalid } from '../../../core/define/failure.ts'
import type { Database } from '../../../core/define/operation.ts'
import { countries } from '../../../countries/countries.ts'
import type { CountryCode } from '../../../countries/country.ts'
import { organizationContext } from '../../../ledger/organization-context.ts'
import { rulesOf } from '../payroll/rules.ts'

/** Refuses a form of another country than that of the organization. */
export async function requireCountry(db: Database, of: CountryCode, form: string): Promise<void> {
  const rules = rulesOf(await organizationContext(db))
  if (rules.code === of) return
  const [there, here] = [countries[of].facts.name.en, rules.facts.name.en]
  throw invalid('organizationId', `${form} is filed in ${there}, and the organization is in ${here}.`)
}

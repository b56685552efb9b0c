import type { Database } from '../../../core/define/operation.ts'
import { Type } from '../../../core/define/schema.ts'
import { today } from '../../../core/values/day.ts'
import { type Language, languages } from '../../../core/values/language.ts'
import { countries } from '../../../countries/countries.ts'
import type { Country } from '../../../countries/country.ts'
import { dayOf, type OrganizationContext } from '../../../ledger/organization-context.ts'

/** The organization of a report, and the language of its files. */
export type ReportContext = OrganizationContext & { id: string; rules: Country; language: Language }

export async function reportContext(db: Database): Promise<ReportContext> {
  const { chosen, ...organization } = await db
    .selectFrom('organizations')
    .leftJoin('organizationSettings', 'organizationSettings.organizationId', 'organizations.id')
    .select(['organizations.id', 'currency', 'timezone', 'country', 'organizationSettings.language as chosen'])
    .executeTakeFirstOrThrow()
  const rules = countries[organization.country]
  return { ...organization, rules, language: languages.find((each) => each === chosen) ?? rules.documents.languages[0] }
}

export const ReportDay = Type.String({
  maxLength: 40,
  description: 'A calendar day, such as 2026-01-31.',
  examples: ['2026-01-31'],
})

export const AsOf = Type.Optional(
  Type.String({
    maxLength: 40,
    description:
      'The report shows the state at the end of this day; today in the zone of the organization if not given.',
    examples: ['2026-01-31'],
  }),
)

/** The day that is asked for, or today. */
export const asOfDay = (asOf: string | undefined, organization: OrganizationContext, now: Date): string =>
  dayOf('asOf', asOf ?? null, organization) ?? today(now, organization.timezone)

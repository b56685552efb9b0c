import { sql } from 'kysely'
import type { Services } from '../../../core/define/services.ts'
import type { Language } from '../../../core/values/language.ts'
import { allCountryFacts } from '../../../countries/all-facts.ts'
import { findCountry } from '../../../countries/countries.ts'
import { defaultLanguage } from '../../../countries/document-language.ts'
import type { Database } from '../../../db/database.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { toPreferences } from '../preferences/preferences.ts'
import type { SignedIn } from './person.ts'

/** Who is signed in, how they want the app, and the organizations they belong to: two statements in one flush. */
export async function personWithOrganizations(
  db: Database,
  userId: string,
): Promise<Pick<SignedIn, 'user' | 'organizations'>> {
  const { person, organizations } = await pipeline({
    person: personOf(db, userId).executeTakeFirstOrThrow(),
    organizations: organizationsOf(db, userId).execute(),
  })
  const { locale: language, value, ...user } = person
  return {
    user: { ...user, language, preferences: toPreferences(language, value) },
    organizations: organizations.map((row) => toOrganization(row, language)),
  }
}

/** The same with what the web app is told of the countries. */
export async function signedInAs(
  db: Database,
  userId: string,
  { catalog }: Pick<Services, 'catalog'>,
): Promise<SignedIn> {
  return { countries: allCountryFacts(catalog), ...(await personWithOrganizations(db, userId)) }
}

const personOf = (db: Database, userId: string) =>
  db
    .selectFrom('users')
    .leftJoin('preferences', 'preferences.userId', 'users.id')
    .select(['users.id', 'users.name', 'users.email', 'users.locale', sql`preferences.value`.as('value')])
    .select([
      sql<boolean>`users.email_verified_at is not null`.as('emailVerified'),
      sql<number>`(select count(*) from notifications n where n.user_id = users.id and n.read_at is null)`.as(
        'unreadCount',
      ),
    ])
    .where('users.id', '=', userId)

const organizationsOf = (db: Database, userId: string) =>
  db
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organizationId')
    .leftJoin('organizationSettings as s', 's.organizationId', 'o.id')
    .select(['o.id', 'o.name', 'o.country', 'o.currency', 'm.role', 'o.timezone', 's.language', 's.logoFileId'])
    .select(['o.registrationNumber', 'o.taxNumber', 'o.address', 's.defaultTaxRate'])
    .select([
      sql<string>`to_char(now() at time zone o.timezone, 'YYYY-MM-DD')`.as('today'),
      sql<number>`(select count(*) from notifications n where n.organization_id = o.id and n.user_id = m.user_id
        and n.read_at is null)`.as('unreadCount'),
    ])
    .where('m.userId', '=', userId)
    .orderBy('o.name')
    .orderBy('o.id')

type Row = Awaited<ReturnType<ReturnType<typeof organizationsOf>['execute']>>[number]
type OwnOrganization = SignedIn['organizations'][number]

function toOrganization(row: Row, reader: Language): OwnOrganization {
  const { id, name, country, currency, role, timezone, today, unreadCount } = row
  return {
    ...{ id, name, country, currency, role, timezone, today, unreadCount },
    language: row.language ?? defaultLanguage(country),
    logoUrl: row.logoFileId && logoUrl(id, row.logoFileId),
    tax: taxOf(row, reader),
  }
}

/** Where the logo of an organization is shown; another logo has another address, so that browsers may keep it. */
const logoUrl = (organizationId: string, logoFileId: string): string =>
  `/api/organizations/${organizationId}/logo?v=${logoFileId}`

/** The usual rate: that of the settings, or else the standard one of the country if the organization is registered. */
function taxOf(row: Row, reader: Language): OwnOrganization['tax'] {
  const documents = findCountry(row.country)?.documents
  const registered = documents?.isRegistered(row) ?? false
  const standard = registered ? (documents?.taxRateOn(row.today) ?? null) : null
  const rate = row.defaultTaxRate === null ? standard : Number(row.defaultTaxRate)
  return { name: documents?.taxName(reader) ?? '', rate, registered }
}

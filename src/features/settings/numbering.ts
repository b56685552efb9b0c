import { conflict } from '../../core/define/failure.ts'
import type { Database } from '../../core/define/operation.ts'
import { findCountry } from '../../countries/countries.ts'
import { type DocumentType, documentTypes, type Issuer } from '../../countries/country.ts'
import type { Settings, SettingsChanges } from './settings.ts'

type Numbering = Settings['numbering'][number]
type Counter = Pick<Numbering, 'prefix' | 'padding' | 'nextNumber'> & { documentType: string }

/**
 * The numbering of every document type. Each has its own prefix and number of digits; types with the same official title
 * share one running number.
 */
export const numberingOf = (counters: readonly Counter[], organization: Issuer & { country: string }): Numbering[] =>
  documentTypes.map((documentType) => {
    const counterOf = (type: string) => counters.find((each) => each.documentType === type)
    const { prefix = '', padding = 0 } = counterOf(documentType) ?? {}
    const series = seriesOf(documentType, organization)
    const { nextNumber = 1 } = counterOf(series) ?? {}
    return { documentType, prefix, padding, nextNumber, ...(series !== documentType && { numberedWith: series }) }
  })

const seriesOf = (documentType: DocumentType, organization: Issuer & { country: string }): DocumentType =>
  findCountry(organization.country)?.documents.numberedAs({ documentType, issuer: organization }).series ?? documentType

/** Changes prefixes, numbers of digits and starting numbers. If a document type occurs twice, the last entry counts. */
export async function changeNumbering(
  db: Database,
  before: readonly Numbering[],
  numbering: NonNullable<SettingsChanges['numbering']>,
) {
  for (const given of new Map(numbering.map((each) => [each.documentType, each])).values()) {
    const { documentType, nextNumber, numberedWith: _, ...format } = given
    if (Object.keys(format).length > 0) await changeFormat(db, documentType, format)
    const current = before.find((each) => each.documentType === documentType)
    if (nextNumber === undefined || nextNumber === current?.nextNumber) continue // what was read can be written back
    await chooseFirstNumber(db, current?.numberedWith ?? documentType, nextNumber)
    if (current?.numberedWith) await prepareOwnCounter(db, documentType, nextNumber)
  }
}

const changeFormat = (db: Database, documentType: string, format: { prefix?: string; padding?: number }) =>
  db
    .insertInto('documentNumbering')
    .values({ documentType, ...format })
    .onConflict((same) => same.columns(['organizationId', 'documentType']).doUpdateSet(format))
    .execute()

/** The database refuses another starting number once a number of the series was given. */
async function chooseFirstNumber(db: Database, documentType: string, firstNumber: number) {
  const { nextNumber } = await db
    .insertInto('documentNumbering')
    .values({ documentType, firstNumber })
    .onConflict((same) => same.columns(['organizationId', 'documentType']).doUpdateSet({ firstNumber }))
    .returning('nextNumber')
    .executeTakeFirstOrThrow()
  if (nextNumber !== firstNumber) throw numbersGiven() // the first number of the series again, which changes nothing
}

const numbersGiven = () =>
  conflict(
    'The next number can be chosen only before the first document of its series is issued; after that numbers follow each other without gaps.',
    'FIRST_NUMBER_BEFORE_FIRST_ISSUE',
  )

/** The same starting number for the counter of the type itself, which is used if the tax status of the organization changes. */
const prepareOwnCounter = (db: Database, documentType: string, firstNumber: number) =>
  db
    .insertInto('documentNumbering')
    .values({ documentType, firstNumber })
    .onConflict((same) =>
      same
        .columns(['organizationId', 'documentType'])
        .doUpdateSet({ firstNumber })
        .whereRef('documentNumbering.nextNumber', '=', 'documentNumbering.firstNumber')
        .where('documentNumbering.earlierNumbers', '=', 0),
    )
    .execute()

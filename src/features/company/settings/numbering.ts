import { sql } from 'kysely'
import { conflict, invalid } from '../../../core/define/failure.ts'
import type { Database } from '../../../core/define/operation.ts'
import { findCountry } from '../../../countries/countries.ts'
import { type DocumentType, documentTypes, type Issuer } from '../../../countries/country.ts'
import { firstNumberMax, type Settings, type SettingsChanges } from './settings.ts'

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

/** The number that the next document of a type gets. A type without a format of its own has that of its series. */
export function nextNumberText(numbering: readonly Numbering[], documentType: string): string {
  const own = numbering.find((each) => each.documentType === documentType)
  const series = numbering.find((each) => each.documentType === own?.numberedWith)
  const { prefix = '', padding = 0 } = own && (own.prefix !== '' || own.padding > 0) ? own : (series ?? own ?? {})
  return `${prefix}${String(own?.nextNumber ?? 1).padStart(padding, '0')}`
}

const seriesOf = (documentType: DocumentType, organization: Issuer & { country: string }): DocumentType =>
  findCountry(organization.country)?.documents.numberedAs({ documentType, issuer: organization }).series ?? documentType

type Given = NonNullable<SettingsChanges['numbering']>

/** Changes prefixes, numbers of digits and starting numbers. */
export async function changeNumbering(db: Database, before: readonly Numbering[], numbering: Given) {
  checkNumbering(before, numbering)
  for (const { documentType, nextNumber, numberedWith: _, ...format } of numbering) {
    if (Object.keys(format).length > 0) await changeFormat(db, documentType, format)
    const current = before.find((each) => each.documentType === documentType)
    if (nextNumber === undefined || nextNumber === current?.nextNumber) continue // what was read can be written back
    const series = current?.numberedWith ?? documentType
    if (current && nextNumber < current.nextNumber && (await hasNumbers(db, series))) continue // it was read earlier
    await chooseFirstNumber(db, series, nextNumber)
    if (current?.numberedWith) await prepareOwnCounter(db, documentType, nextNumber)
  }
}

const visible = String.raw`(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}0-9\-/._#])`
const visibleText = new RegExp(`^(?:${visible}+(?: ${visible}+)*)?$`, 'u')

/**
 * Whether a new prefix has only characters that are seen, so that two different numbers also look different. The database
 * says the same (is_number_prefix); a test compares both.
 */
export const isNumberPrefix = (prefix: string) => visibleText.test(prefix) && prefix === prefix.normalize('NFKC')

const prefixSentence =
  'A prefix consists of letters, the digits 0 to 9 and the characters - / . _ # with single spaces between them.'

/** Refuses prefixes that would not be seen, and entries that contradict each other. */
function checkNumbering(before: readonly Numbering[], numbering: Given) {
  const nextOfSeries = new Map<string, number>()
  const seen = new Set<string>()
  for (const [at, { documentType, prefix, nextNumber }] of numbering.entries()) {
    const current = before.find((each) => each.documentType === documentType)
    if (seen.has(documentType))
      throw invalid(`numbering.${at}.documentType`, `${documentType} has two entries. Give one for each document type.`)
    seen.add(documentType)
    if (prefix !== undefined && prefix !== current?.prefix && !isNumberPrefix(prefix))
      throw invalid(`numbering.${at}.prefix`, prefixSentence, 'PREFIX_IS_VISIBLE')
    if (nextNumber === undefined) continue
    const path = `numbering.${at}.nextNumber`
    if (nextNumber > firstNumberMax && nextNumber !== current?.nextNumber)
      throw invalid(path, `${path} must be at most ${firstNumberMax}.`)
    const series = current?.numberedWith ?? documentType
    const other = nextOfSeries.get(series)
    if (other !== undefined && other !== nextNumber)
      throw invalid(
        path,
        `${documentType} shares its running number with other types of the request: give all of them the same next number, or only one.`,
      )
    nextOfSeries.set(series, nextNumber)
  }
}

/** Whether numbers of the series were given, so that no other starting number can be chosen. */
async function hasNumbers(db: Database, series: string) {
  const { rows } = await sql<{ given: boolean }>`select numbers_given(${series}) as given`.execute(db)
  return rows[0]?.given === true
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

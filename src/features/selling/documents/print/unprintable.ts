import { unprintableIn } from '../../../../core/characters/characters.ts'
import type { Warning } from '../../../../core/define/schema.ts'
import type { Country, Sale } from '../../../../countries/country.ts'
import type { DocumentRow } from '../reading/read.ts'

/** Warnings about characters that no font has, one for each printed field. A question mark is printed instead of them. */
export const unprintableWarnings = (row: DocumentRow, view: View | undefined): Warning[] =>
  printedFields(row, view).flatMap(([path, text]) => {
    const characters = text ? unprintableIn(text) : []
    if (characters.length === 0) return []
    const listed = characters.slice(0, listedMax).join(' ')
    const message = `${path} has characters that cannot be printed (${listed}). A question mark is printed instead of each.`
    return [{ code: 'UNPRINTABLE_CHARACTER', path, message }]
  })

const listedMax = 10

type View = { country: Country; sale: Sale }

/** The printed texts that people write, by their path in the answer. */
function printedFields(row: DocumentRow, view: View | undefined): [path: string, text: string | null | undefined][] {
  const { organization, buyer, bankAccount, items, notes } = row
  return [
    ['organization.name', organization?.name],
    ['organization.address', organization?.address],
    ['customer.name', row.counterpartyName],
    ['customer.address', buyer?.address],
    ...items.map(({ description }, at): [string, string] => [`items.${at}.description`, description]),
    ['notes', notes],
    ['bankAccount.bankName', bankAccount?.bankName],
    ['bankAccount.accountName', bankAccount?.accountName],
    ['bankAccount.notes', bankAccount?.notes],
    ['countrySpecificData', view && countryTexts(view)],
  ]
}

/** What the country prints of `countrySpecificData`. */
const countryTexts = ({ country: { documents: rules }, sale: { document } }: View): string =>
  [
    ...rules.references(document, 'en').map(({ value }) => value),
    ...rules.shipTo(document),
    ...rules.jurisdictions(document).map(({ name }) => name),
  ].join(' ')

import { Failure } from '../../../../core/define/failure.ts'
import { minorDigits } from '../../../../core/values/money.ts'
import { nextNumberText } from '../../../company/settings/numbering.ts'
import { typeName } from '../../../selling/documents/sending/type-names.ts'
import type { Input, Told, Words } from './preview-types.ts'
import { type Reader, type Row, rowsOf } from './reader.ts'
import { clean, quoted } from './values.ts'

/** The exact preview of one operation. `common` is what is said of every call; what is returned takes its place. */
export type Tell = (reader: Reader, input: Input, common: Told) => Promise<Partial<Told>>

export const document = (reader: Reader, { id }: Input): Promise<Row> => reader.read('invoices_get', { id })

export const nameIn = (party: unknown): string => quoted((party as Row | null)?.name)

/** `invoice 1042` */
export function documentWords({ documentType, invoiceNumber }: Row): Words {
  const number = clean(invoiceNumber)
  const type = String(documentType)
  return {
    en: `${typeName('en', type).toLowerCase()} ${number}`.trim(),
    he: `${typeName('he', type)} ${number}`.trim(),
  }
}

/** The number that the next document of a type gets; empty for a credential that may not read the settings, where it is. */
export async function nextNumber(reader: Reader, documentType: unknown): Promise<string> {
  const numberIn = ({ numbering }: Row) => ({
    number: nextNumberText(rowsOf(numbering) as never, String(documentType)),
  })
  try {
    return clean((await reader.pick('settings_get', { id: reader.organizationId }, 'settings', numberIn)).number)
  } catch (error) {
    if (error instanceof Failure && error.code === 'FORBIDDEN') return ''
    throw error
  }
}

/** The sum of amounts in major units, exact to the minor unit. */
export function sum(currency: unknown, ...amounts: unknown[]): number {
  const scale = 10 ** minorDigits(clean(currency))
  return amounts.reduce<number>((all, each) => all + Math.round(Number(each ?? 0) * scale), 0) / scale
}

import type { Role } from '../../../../src/core/define/access.ts'
import type { Name } from '../../api.ts'
import type { CountryFacts, useOrganization } from '../../session.ts'
import type { Row, Shown } from '../../ui/values/values.tsx'
import type { Language } from '../../words.ts'

export type Said = Record<Language, string>

export type AreaColumn = {
  /** A path in the row: `customer.name`. Its last word is the head, unless there is one. */
  field: string
  /** Where the value is if `field` has none. */
  or?: string
  /** Where the value is for a reader of Hebrew. */
  he?: string
  /** The value as this row means it, where the same value is called differently. */
  as?: (value: unknown, row: Row) => unknown
  shown?: Shown
  /** The field with the currency of an amount. */
  currency?: string
  /** Nothing is shown for an amount of zero. */
  quietZero?: boolean
  /** What is shown where there is no value, such as the number of a draft. */
  absent?: Said
  sort?: string
  /** What the row is called: it is always there, as amounts are. */
  strong?: boolean
  /** Left out first where there is no room for all. */
  spare?: boolean
  head?: Said
}

/** An area of the product with a plain list, a record beside it, and forms made from the schemas of its operations. */
export type Area = {
  key: string
  title: Said
  hint: Said
  /** What the list says while it is empty. */
  none: Said
  /** The operation that lists it, and the field of its answer with the rows. */
  list: Name
  rows: string
  /** Further input of the list, the same for everybody. */
  input?: Record<string, string>
  /** Unpaged lists answer everything at once. */
  whole?: boolean
  /** What can be searched for. */
  search?: Said
  sort?: { by: string; order: 'asc' | 'desc' }
  /** The field that identifies a row, or what does if no single field does. */
  id?: string | ((row: Row) => string)
  columns: readonly AreaColumn[]
  /** Fields of a record that its columns or its other fields say already. */
  leaveOut?: readonly string[]
  /** Reads the whole record; without it the row is shown. */
  get?: Name
  create?: Name
  /** What the button and the form to create one are called. */
  createName?: Said
  /** What the form for a new record begins with. */
  begin?: (organization: ReturnType<typeof useOrganization>, isFirst: boolean) => Record<string, unknown>
  /** The fields that its forms ask for at once, in this order, those of a list as `lines.quantity`; the others are behind a button. */
  form?: readonly string[] | ((country: CountryFacts) => readonly string[])
  /** Its forms have terms of employment: those of other countries are left out. */
  hasPayTerms?: true
  update?: Name
  remove?: Name
  /** What can be done with a record, by operations that take its id. */
  acts?: readonly Name[]
  /** When an act, a change or a removal makes sense; without a word on it, always. What the server would refuse is not offered. */
  fits?: Partial<Record<Name, (record: Row, role: Role | undefined) => boolean>>
  /** What an act, a change or a removal takes from the record without asking; its id unless it says otherwise. */
  knows?: Partial<Record<Name, (record: Row, organizationId: string) => Row>>
  /** The values of a choice that the server would not refuse, by field. */
  choices?: Partial<Record<Name, (record: Row, role: Role | undefined) => Record<string, readonly string[]>>>
  /** Fields of an act that are chosen among the parts of the record: in which of its lists, and the field with their id. */
  picks?: Partial<Record<Name, Record<string, { of: string; id?: string }>>>
  /** What more can be read of a record, shown below it once it is opened. */
  parts?: readonly Name[]
  /** How a record is shown, unless as the list of its values. */
  shownAs?: 'LETTER'
  /** Its attachments are shown beside the fields that were read from them. */
  hasReceipts?: boolean
  /** What the form of an act begins with, from the record it is about. */
  starts?: Partial<Record<Name, (record: Row) => Row>>
  /** Where an act leads, by its answer: the address within the organization of what it made. */
  leads?: Partial<Record<Name, (answer: Row) => string>>
  /** Fields of its forms that make no sense beside what was chosen in others. */
  without?: (values: Row) => readonly string[]
  /** What can be done in the area as a whole; the first is a button, the others are in its menu. */
  tools?: readonly Name[]
  /** A file that can be read for a record: its PDF. */
  download?: Name
  /** A file that is uploaded here, such as a receipt that becomes an expense. */
  upload?: Name
  /** The areas that belong together: tabs above each of them. */
  beside?: readonly string[]
  /** Where this operation does not exist, there is no way to it. */
  onlyWith?: Name
  /** It is one of the settings. */
  isSetting?: boolean
}

import type { Name } from '../../api.ts'
import type { useOrganization } from '../../session.ts'
import type { Shown } from '../../ui/values.tsx'
import type { Language } from '../../words.ts'

export type AreaColumn = {
  /** A path in the row: `customer.name`. Its last word is the head, unless there is one. */
  field: string
  shown?: Shown
  /** The field with the currency of an amount. */
  currency?: string
  sort?: string
  strong?: boolean
  spare?: boolean
  head?: Record<Language, string>
}

/** An area of the product with a plain list, a record beside it, and forms made from the schemas of its operations. */
export type Area = {
  key: string
  title: Record<Language, string>
  hint: Record<Language, string>
  /** The operation that lists it, and the field of its answer with the rows. */
  list: Name
  rows: string
  /** Further input of the list, the same for everybody. */
  input?: Record<string, string>
  /** Unpaged lists answer everything at once. */
  whole?: boolean
  search?: boolean
  /** The field of the list's input that has the id of the organization. */
  organization?: string
  sort?: { by: string; order: 'asc' | 'desc' }
  /** The field that identifies a row. */
  id?: string
  columns: readonly AreaColumn[]
  /** Reads the whole record; without it the row is shown. */
  get?: Name
  create?: Name
  /** What its button and form are called, where “New” says too little. */
  newName?: Record<Language, string>
  /** What the form for a new record begins with. */
  begin?: (organization: ReturnType<typeof useOrganization>, isFirst: boolean) => Record<string, unknown>
  /** Optional fields that are asked for at once, by the country of the organization. */
  ask?: (country: string) => readonly string[]
  update?: Name
  remove?: Name
  /** What can be done with a record, by operations that take its id. */
  acts?: readonly Name[]
  /** What can be done in the area as a whole. */
  tools?: readonly Name[]
  /** A file that can be read for a record: its PDF. */
  download?: Name
  /** A file that is uploaded here, such as a receipt that becomes an expense. */
  upload?: Name
}

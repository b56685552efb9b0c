/** What to print: a template, its data, and the pictures that the data refers to by path. */
export type TypesetRequest = {
  template: 'sales-document' | 'mail-body' | 'payslip'
  data: object
  pictures?: readonly Picture[]
  /** The document has certainly more than one page, so no layout on one page is tried. */
  isLong?: boolean
  /** Whose document it is. Organizations take turns. */
  organizationId: string
  /** About how many rows of text are printed. A large document never delays a small one. */
  rows: number
  /** The XML of an e-invoice, which is attached as Factur-X. */
  einvoice?: string
}

/**
 * Prints documents as PDF/A-3a, in threads of its own, because Typst blocks its thread until it is done. An organization
 * with too many documents waiting is refused with 429.
 */
export type Typesetter = {
  typeset(request: TypesetRequest): Promise<Uint8Array>
  close(): Promise<void>
}

export type Picture = { path: string; bytes: Uint8Array }

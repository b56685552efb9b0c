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

/** Which pages of a PDF to draw, from the `first` on; those beyond the last one are left out. */
export type DrawRequest = {
  /** A PDF that was printed here; one from outside is for the reader process. */
  pdf: Uint8Array
  first: number
  pagesMax: number
  dotsPerInch: number
  organizationId: string
}
export type DrawnPages = { pageCount: number; pages: DrawnPage[] }
/** A page as PNG, with its size in pixels. */
export type DrawnPage = { page: number; width: number; height: number; png: Uint8Array }

/**
 * Prints documents as PDF/A-3a, in threads of its own, because Typst blocks its thread until it is done. An organization
 * with too many documents waiting is refused with 429.
 */
export type Typesetter = {
  typeset(request: TypesetRequest): Promise<Uint8Array>
  draw(request: DrawRequest): Promise<DrawnPages>
  close(): Promise<void>
}

export type Picture = { path: string; bytes: Uint8Array }

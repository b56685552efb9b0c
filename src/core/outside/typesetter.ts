/** What is to be printed: one of our templates, its data, and pictures that the data names by their path. */
export type TypesetRequest = {
  template: 'sales-document'
  data: object
  pictures?: readonly Picture[]
  /** Certainly more than one page, so that nobody tries one first. */
  isLong?: boolean
}

/** Sets documents as PDF/A-3a, in threads of its own: Typst works in one go, and nobody else shall wait for it. */
export type Typesetter = {
  typeset(sheet: TypesetRequest): Promise<Uint8Array>
  close(): Promise<void>
}

export type Picture = { path: string; bytes: Uint8Array }

import type { DocumentType, NumberedAs } from './country.ts'

/** For countries without official types by which documents are numbered: every document type has its own series. */
export const ownSeries = ({ documentType }: { documentType: DocumentType }): NumberedAs => ({
  officialType: documentType,
  series: documentType,
})

/** What a document does to a sum: credits take away. */
export const signed = ({ documentType, total }: { documentType: string; total: number }) =>
  documentType === 'CREDIT_MEMO' ? -total : total

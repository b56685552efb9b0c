/** Where what was read from a file is kept while the page is open: by an upload, or because somebody asked for it. */
export const readingKey = (attachmentId: string) => ['receipt-reading', attachmentId]

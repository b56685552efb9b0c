/** A file that goes along with a message. */
export type Attachment = { fileName: string; contentType: string; content: Buffer }

/** What a queue keeps of one message. */
const attachmentsMaxBytes = 10 * 1024 * 1024
/** What one message may carry that encloses what is kept elsewhere. */
export const enclosuresMaxBytes = 15 * 1024 * 1024

/** Why these cannot go along with one message, if they cannot. */
export const attachmentsProblem = (
  attachments: readonly Attachment[],
  maxBytes = attachmentsMaxBytes,
): string | undefined =>
  attachments.reduce((sum, { content }) => sum + content.length, 0) > maxBytes
    ? `Attachments may have at most ${maxBytes / 1024 / 1024} MiB in all.`
    : undefined

type Facts = { fileName: string; contentType: string; size: number }

/** Attachments as a row holds them: what they are, and their bytes one after the other. */
export const packAttachments = (attachments: readonly Attachment[]) => ({
  attachments: JSON.stringify(
    attachments.map(({ fileName, contentType, content }) => ({ fileName, contentType, size: content.length })),
  ),
  contents: Buffer.concat(attachments.map(({ content }) => content)),
})

export function unpackAttachments(row: { attachments: unknown; contents: Buffer }): Attachment[] {
  let start = 0
  const facts = row.attachments as Facts[] // a JSON column, written by `packed`
  return facts.map(({ fileName, contentType, size }) => {
    const content = row.contents.subarray(start, start + size)
    start += size
    return { fileName, contentType, content }
  })
}

/** A file attached to a message. */
export type Attachment = { fileName: string; contentType: string; content: Buffer }

/** The most that the queue stores for one message. */
const attachmentsMaxBytes = 10 * 1024 * 1024
/** The most that one message may carry if its attachments are stored elsewhere. */
export const enclosuresMaxBytes = 15 * 1024 * 1024

/** Why these files cannot be attached to one message, if they cannot. */
export const attachmentsProblem = (
  attachments: readonly Attachment[],
  maxBytes = attachmentsMaxBytes,
): string | undefined =>
  attachments.reduce((sum, { content }) => sum + content.length, 0) > maxBytes
    ? `Attachments may have at most ${maxBytes / 1024 / 1024} MiB in total.`
    : undefined

type AttachmentInfo = { fileName: string; contentType: string; size: number }

/** Attachments as a row stores them: their descriptions, and their bytes concatenated. */
export const packAttachments = (attachments: readonly Attachment[]) => ({
  attachments: JSON.stringify(
    attachments.map(({ fileName, contentType, content }) => ({ fileName, contentType, size: content.length })),
  ),
  contents: Buffer.concat(attachments.map(({ content }) => content)),
})

export function unpackAttachments(row: { attachments: unknown; contents: Buffer }): Attachment[] {
  let start = 0
  const infos = row.attachments as AttachmentInfo[] // a JSON column, written by `packAttachments`
  return infos.map(({ fileName, contentType, size }) => {
    const content = row.contents.subarray(start, start + size)
    start += size
    return { fileName, contentType, content }
  })
}

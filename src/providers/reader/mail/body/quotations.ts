import type { BodyBlock } from '../../../../core/outside/mail-reader.ts'
import type { QuotableBlock } from './block-writer.ts'

const forwarded =
  /^[-–—_*\s]*(forwarded message|original message|begin forwarded message|fwd message|weitergeleitete nachricht|הודעה שהועברה|הודעה מועברת|ההודעה המקורית|הודעה מקורית|תחילת ההודעה שהועברה)[-–—_*:\s]*$/i
/** Programs write this before a quoted message both when they reply and when they forward. */
const original = /original message|הודעה מקורית/i
const reply =
  /^[*\s]*(on\s.{4,250}\bwrote|(בתאריך|ב-?\s?יום|ביום|ב-?\d).{4,250}(כתב\/ה|כתבה|כתב|<[^>]*>)|.{3,200}<[^>\s]+@[^>\s]+>\s*(wrote|כתב\/ה|כתבה|כתב))\s*:?[*\s]*$/i
const headerName =
  /^[*\s]*(from|sent|date|to|cc|bcc|subject|reply-to|importance|attachments|מאת|נשלח|תאריך|אל|עותק|נושא)\s*[*\s]*:/i
/** A ticket has the words from and to as well, and no subject. */
const subjectHeader = /^[*\s]*(subject|נושא)\s*[*\s]*:/i
const firstHeader = /^[*\s]*(from|מאת)\s*[*\s]*:/i

const replySubject = /^\s*(re|aw|sv|השב|תגובה)\s*(\[\d+\])?\s*:/i

/** Without the marks that programs put around Hebrew to keep its direction. */
const lineOf = (block: BodyBlock) =>
  (block.kind === 'row' ? block.cells.join(' ') : block.text).replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')

/**
 * The text of the message itself: earlier messages that a reply quotes are left out. Of a message that forwards another one in
 * its text, that other one is taken.
 */
export function withoutQuotations(blocks: readonly QuotableBlock[], subject: string | null): BodyBlock[] {
  const isReply = replySubject.test(subject ?? '')
  let start = 0
  let end = blocks.length
  let isForward = false
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at]
    if (!block) continue
    const line = lineOf(block).slice(0, 400)
    const headers = headersAt(blocks, at)
    const isMarker = forwarded.test(line)
    if ((isMarker || headers > 0) && !(isReply && !isForward && (headers > 0 || original.test(line)))) {
      isForward = true
      at += isMarker ? headersAt(blocks, at + 1) : headers - 1
      start = at + 1
    } else if (isMarker || headers > 0 || isReplyAt(blocks, at)) {
      end = at
      break
    }
  }
  const own = blocks.slice(start, end)
  const kept = isForward ? own : own.filter(({ isQuoted }) => !isQuoted)
  return kept.map(({ isQuoted, ...block }) => block)
}

/** "On Monday, Dana wrote:", which may be broken into two lines. */
function isReplyAt(blocks: readonly QuotableBlock[], at: number): boolean {
  const lines = blocks.slice(at, at + 2).map((block) => lineOf(block).slice(0, 300))
  return reply.test(lines[0] ?? '') || (/^(on|בתאריך)\s/i.test(lines[0] ?? '') && reply.test(lines.join(' ')))
}

/** How many blocks from here are the headers of a message, as Outlook writes them; 0 if they are none. */
function headersAt(blocks: readonly QuotableBlock[], at: number): number {
  const first = blocks[at]
  if (!first || !firstHeader.test(lineOf(first).slice(0, 50))) return 0
  let count = 0
  let names = 0
  let hasSubject = false
  for (const block of blocks.slice(at, at + 12)) {
    const lines = lineOf(block)
      .split('\n')
      .filter((line) => headerName.test(line.slice(0, 50)))
    if (lines.length === 0) break
    names += lines.length
    hasSubject ||= lines.some((line) => subjectHeader.test(line.slice(0, 50)))
    count += 1
  }
  return names >= 3 && hasSubject ? count : 0
}

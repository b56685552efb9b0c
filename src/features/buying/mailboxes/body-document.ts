import type { BodyBlock } from '../../../core/outside/mail-reader.ts'
import type { Typesetter } from '../../../core/outside/typesetter.ts'
import type { Language } from '../../../core/values/language.ts'

export type BodyMessage = {
  subject: string | null
  from: { address: string; name: string | null } | null
  sentAt: string | null
  blocks: readonly BodyBlock[]
  /** Of the page; without it the letters of the message tell. */
  language?: Language
  /** Whose message it is. Organizations take turns at the typesetter. */
  organizationId: string
}

type Printed = { kind: 'heading' | 'text'; text: string } | { kind: 'table'; columns: number; rows: string[][] }

/**
 * Prints a message whose text is the receipt as a PDF with text, so that it is attached, shown and read like any other document.
 * The sender stands at the top, where a receipt names its vendor, unless the message was forwarded: then the sender only passed
 * it on.
 */
export async function renderBody(typesetter: Typesetter, message: BodyMessage): Promise<Buffer> {
  const { subject, from, sentAt, blocks, organizationId } = message
  const language = message.language ?? languageOf(blocks)
  const sender = subject !== null && isForwarded.test(subject) ? '' : nameOf(from)
  const data = {
    title: breakable(subject ?? sender) || words[language].message,
    sender: breakable(sender),
    language,
    date: dateOf(sentAt),
    blocks: printed(blocks),
    origin: [
      `${words[language].received} ${from ? breakable([from.name, `<${from.address}>`].filter(Boolean).join(' ')) : '–'}`,
      ...(sentAt === null ? [] : [dayOf(sentAt, language)]),
    ],
  }
  const pdf = await typesetter.typeset({
    template: 'mail-body',
    data,
    isLong: true,
    organizationId,
    rows: blocks.length,
  })
  return Buffer.from(pdf)
}

const isForwarded = /^\s*(fwd?|fw|wg|tr|הועבר|העברה)\s*:/i

const words: Record<Language, { message: string; received: string }> = {
  en: { message: 'Mail message', received: 'Received by e-mail from' },
  he: { message: 'הודעת דואר', received: 'התקבל בדואר אלקטרוני מאת' },
}

/** The name of a sender; of one without a name the domain. */
const nameOf = (from: BodyMessage['from']): string => from?.name ?? from?.address.split('@').at(-1) ?? ''

/** Of the file. PDF/A has to have one, and the same message is always the same file. */
function dateOf(sentAt: string | null) {
  const date = new Date(sentAt ?? '2000-01-01')
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** The day in UTC: the time zone of the sender is not known. */
const dayOf = (moment: string, language: Language) =>
  new Date(moment).toLocaleDateString(language === 'he' ? 'en-GB' : 'en-SG', {
    day: 'numeric',
    month: language === 'he' ? '2-digit' : 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })

function languageOf(blocks: readonly BodyBlock[]): Language {
  const text = blocks.flatMap((block) => (block.kind === 'row' ? block.cells : [block.text])).join(' ')
  const count = (letters: RegExp) => text.match(letters)?.length ?? 0
  return count(/\p{Script=Hebrew}/gu) * 2 > count(/\p{L}/gu) ? 'he' : 'en'
}

const columnsMax = 8

/** Rows of the same number of cells that follow each other are a table, so that its columns stand under each other. */
function printed(blocks: readonly BodyBlock[]): Printed[] {
  const result: Printed[] = []
  for (const block of blocks) {
    if (block.kind !== 'row') result.push({ kind: block.kind, text: breakable(block.text) })
    else if (block.cells.length > columnsMax) result.push({ kind: 'text', text: breakable(block.cells.join('   ')) })
    else {
      const last = result.at(-1)
      const row = block.cells.map(breakable)
      const isLong = block.cells.length === 2 && (block.cells[1] ?? '').length > secondMax
      if (isLong) result.push({ kind: 'text', text: row.join('   ') })
      else if (last?.kind === 'table' && last.columns === row.length) last.rows.push(row)
      else result.push({ kind: 'table', columns: row.length, rows: [row] })
    }
  }
  return result
}

/** The second of two columns is as wide as its text. */
const secondMax = 60

/** A word longer than a line, such as an address of a page, would be printed beyond the edge. */
const breakable = (text: string) => text.replace(/\S{60}(?=\S)/g, '$& ')

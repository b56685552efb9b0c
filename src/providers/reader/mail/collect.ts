import { contentTypeOf } from '../../../core/files/content-type.ts'
import { unpackEntry, ZipProblem, zipEntries } from '../../../core/files/zip.ts'
import type { BodyBlock } from '../../../core/outside/mail-reader.ts'
import { isEInvoice } from '../einvoice/read-xml.ts'
import type { QuotableBlock } from './body/block-writer.ts'
import { type BodyFacts, factsOfBody } from './body/body-receipt.ts'
import { type HtmlBody, htmlBlocks } from './body/html-blocks.ts'
import { withoutQuotations } from './body/quotations.ts'
import { textBlocks } from './body/text-blocks.ts'
import { contentHash } from './content-hash.ts'
import { isDecoration } from './decoration.ts'
import { type Budget, levelsMax, tooManyLevels } from './limits.ts'
import { clean, type Message, type Part, parseMessage } from './parse.ts'
import { isTnef, readTnef } from './tnef.ts'

export type Found = {
  name: string
  bytes: Buffer
  contentType: string
  kind: 'einvoice' | 'pdf' | 'picture'
  isReferenced: boolean
}
export type Body = { blocks: readonly BodyBlock[]; facts: BodyFacts; isBulk: boolean }

/** All that a message holds, with archives and the messages inside it. */
export type Collected = {
  documents: Found[]
  bodies: Body[]
  isReport: boolean
  isEncrypted: boolean
  /** Signed so that the content is inside the signature. */
  isWrapped: boolean
  /** What is no document and says why there is none. */
  seen: { invitation: boolean; contact: boolean; decoration: boolean }
  office: string[]
  others: string[]
  /** Sentences about archives that could not be unpacked. */
  problems: string[]
}

/** Where a file stands: in how many others, in how many archives, and in what message. */
type Place = { level: number; archives: number; body: Body; html: HtmlBody }

export function createCollected(): Collected {
  const seen = { invitation: false, contact: false, decoration: false }
  return {
    documents: [],
    bodies: [],
    isReport: false,
    isEncrypted: false,
    isWrapped: false,
    seen,
    office: [],
    others: [],
    problems: [],
  }
}

const archiveEntriesMax = 50
const archiveMaxBytes = 50 * 1024 * 1024

/** Goes through a message and all inside it. Returns the hash of its content. */
export async function collect(message: Message, all: Collected, budget: Budget, level = 0): Promise<string> {
  const isReport = /^multipart\/report/i.test(message.header('content-type') ?? '')
  if (isReport && level === 0) all.isReport = true
  const hashed: { type: string; bytes: Buffer }[] = []
  const tnef = message.parts.filter(isTnef).map(({ bytes }) => readTnef(bytes))
  const html = htmlBlocks(message.html || tnef.find((one) => one.html !== '')?.html || '')
  const text = message.text || tnef.find((one) => one.text !== '')?.text || ''
  const place: Place = { level, archives: 0, html, body: bodyOf(message, html, text) }
  all.bodies.push(place.body)
  if (/-----BEGIN PGP MESSAGE-----/.test(text.slice(0, 10_000))) all.isEncrypted = true
  for (const part of message.parts) {
    budget.add(part.bytes.length)
    hashed.push({ type: part.mimeType, bytes: part.bytes })
    if (isReport) continue // the returned message is no message to us
    if (isMessage(part.mimeType, part)) {
      const inner = await collectInner(part.bytes, { all, budget, place })
      hashed.splice(-1, 1, { type: 'message', bytes: Buffer.from(inner) })
    } else if (isTnef(part)) await takeTnef(part.bytes, { all, budget, place })
    else await takePart(part, { all, budget, place })
  }
  return contentHash({ text: message.text, html: message.html, parts: hashed })
}

type Into = { all: Collected; budget: Budget; place: Place }

/** The HTML of a message, or its plain text if only that is a receipt: some HTML shows nothing but pictures from elsewhere. */
function bodyOf(message: Message, html: HtmlBody, text: string): Body {
  const isBulk = isSentInBulk(message)
  const plain = () =>
    judged(textBlocks(text), {
      subject: message.subject,
      isBulk,
      links: /https?:\/\//i.test(text) ? [{ text: '' }] : [],
    })
  if (html.blocks.length === 0) return plain()
  const shown = judged(html.blocks, { subject: message.subject, isBulk, links: html.links })
  const alternative = shown.facts.isReceipt || text === '' ? shown : plain()
  return alternative.facts.isReceipt ? alternative : shown
}

function judged(quotable: readonly QuotableBlock[], around: Parameters<typeof factsOfBody>[1]): Body {
  const blocks = withoutQuotations(quotable, around.subject)
  return { blocks, isBulk: around.isBulk, facts: factsOfBody(blocks, around) }
}

const isSentInBulk = ({ header }: Message) =>
  header('list-unsubscribe') !== undefined ||
  header('list-id') !== undefined ||
  /^\s*(bulk|junk|list)/i.test(header('precedence') ?? '')

const isMessage = (mimeType: string, { name, bytes }: Pick<Part, 'name' | 'bytes'>) =>
  /^message\/(rfc822|global)$/.test(mimeType) ||
  (/\.eml$/i.test(name ?? '') && /^[A-Za-z][\w-]*:/.test(bytes.toString('latin1', 0, 200).trimStart()))

async function collectInner(bytes: Buffer, { all, budget, place }: Into): Promise<string> {
  if (place.level + 1 > levelsMax) throw tooManyLevels()
  return collect(await parseMessage(bytes), all, budget, place.level + 1)
}

/** The files of an Outlook message; it may have messages inside it, in the same form. */
async function takeTnef(bytes: Buffer, { all, budget, place }: Into): Promise<void> {
  if (place.level + 1 > levelsMax) throw tooManyLevels()
  const inside = { all, budget, place: { ...place, level: place.level + 1 } }
  for (const file of readTnef(bytes).files) {
    budget.add(file.bytes.length)
    if (file.isMessage && isTnef(file)) await takeTnef(file.bytes, inside)
    else if (!file.isMessage) await takeFile({ ...file, isReferenced: false }, inside)
  }
}

async function takePart(part: Part, into: Into): Promise<void> {
  const { all, place } = into
  const { mimeType, bytes } = part
  const name = part.name ?? ''
  if (bytes.length === 0 || /^(application\/(pkcs7|x-pkcs7|pgp)-signature|message\/)/.test(mimeType)) return
  if (/^application\/(x-)?pkcs7-mime$/.test(mimeType)) {
    const isSigned = bytes.subarray(0, 60).includes(signedData)
    if (isSigned) all.isWrapped = true
    else all.isEncrypted = true
  } else if (mimeType === 'application/pgp-encrypted') all.isEncrypted = true
  else if (/^(text\/calendar|application\/ics)$/.test(mimeType) || /\.ics$/i.test(name)) all.seen.invitation = true
  else if (/^text\/(x-)?vcard$|^text\/directory$/.test(mimeType) || /\.vcf$/i.test(name)) all.seen.contact = true
  else {
    const isReferenced = part.contentId !== null && place.html.pictures.has(part.contentId)
    await takeFile({ name: part.name, bytes, isReferenced }, into)
  }
}

/** The object identifier of signed data (RFC 5652). */
const signedData = Buffer.from('2a864886f70d010702', 'hex')

async function takeFile(
  { name: given, bytes, isReferenced }: { name: string | null; bytes: Buffer; isReferenced: boolean },
  into: Into,
): Promise<void> {
  const { all, place } = into
  const name = fileName(given)
  const contentType = await contentTypeOf(bytes, name)
  const document = (kind: Found['kind']) => all.documents.push({ name, bytes, contentType, kind, isReferenced })
  if (contentType === 'application/zip') await takeArchive(name, bytes, into)
  else if (contentType === 'application/pdf') document('pdf')
  else if (isMessage('', { name, bytes })) await collectInner(bytes, into)
  else if (contentType.startsWith('image/')) {
    const letters = place.body.blocks.reduce(
      (sum, block) => sum + (block.kind === 'row' ? block.cells.join('') : block.text).length,
      0,
    )
    if (isDecoration({ name, bytes, contentType, isReferenced }, { isBulk: place.body.isBulk, letters }))
      all.seen.decoration = true
    else document('picture')
  } else if (isEInvoice(bytes)) document('einvoice')
  else if (/officedocument|opendocument|ms-excel|msword|x-cfb|rtf/.test(contentType)) all.office.push(name)
  else if (bytes.length > 0) takeOther(name, { bytes, contentType }, into)
}

/** A page or a text may be the receipt; other files cannot be read. */
function takeOther(
  name: string,
  { bytes, contentType }: { bytes: Buffer; contentType: string },
  { all, place }: Into,
): void {
  const isHtml = contentType === 'text/html'
  if (isHtml || contentType === 'text/plain') {
    const text = bytes.subarray(0, textMaxBytes).toString('utf8')
    const blocks = isHtml ? htmlBlocks(text).blocks : textBlocks(text)
    const body = judged(blocks, { subject: name, links: [], isBulk: place.body.isBulk })
    if (body.facts.isReceipt) return void all.bodies.push(body)
  }
  all.others.push(name)
}

const textMaxBytes = 3 * 1024 * 1024

/** An archive in a message is unpacked, and one inside it, but none inside that. */
async function takeArchive(name: string, bytes: Buffer, into: Into): Promise<void> {
  const { all, budget, place } = into
  const problem = (sentence: string) => void all.problems.push(`The archive ${name} ${sentence}`)
  if (place.archives > 1) return problem('is inside another archive inside another one, so it is not unpacked.')
  try {
    let left = archiveMaxBytes
    const entries = zipEntries(bytes, archiveEntriesMax)
    if (entries.some((entry) => officeEntry.test(entry.name))) return void all.office.push(name)
    for (const entry of entries) {
      if (entry.name.endsWith('/') || /(^|\/)(__MACOSX\/|\.[^./][^/]*$)/.test(entry.name)) continue
      if (entry.isEncrypted) return problem('is protected with a password. Unpack it and upload the invoice.')
      const content = unpackEntry(bytes, entry, left)
      left -= content.length
      budget.add(content.length)
      const inside = { ...into, place: { ...place, archives: place.archives + 1, level: place.level + 1 } }
      await takeFile({ name: entry.name, bytes: content, isReferenced: false }, inside)
    }
  } catch (error) {
    if (!(error instanceof ZipProblem)) throw error
    problem(archiveSentences[error.kind])
  }
}

/** Office documents of all kinds are archives; the pictures in them are no documents. */
const officeEntry = /^(\[Content_Types\]\.xml|mimetype|Index\/Document\.iwa)$/i

const archiveSentences: Record<ZipProblem['kind'], string> = {
  DAMAGED: 'is damaged and cannot be unpacked. Ask for it again, or upload the invoice.',
  TOO_MANY_ENTRIES: `holds more than ${archiveEntriesMax} files. Upload the invoice that is in it.`,
  EXPANDS: `has more than ${archiveMaxBytes / 1024 / 1024} MiB unpacked. Upload the invoice that is in it.`,
}

/** The name of a file without folders and without characters that hide what it is. */
const fileName = (given: string | null): string => {
  const last = (given ?? '')
    .split(/[/\\]/)
    .at(-1)
    ?.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069<>:"|?*]/g, '')
  return clean(last?.replace(/^\.+/, ''), 200) ?? 'attachment'
}

import type { Collected } from './collect.ts'

/** Why a message has no receipt, for the bookkeeper: the most specific reason that holds. */
export function reasonOf(all: Collected): string {
  const { seen, office, others, problems } = all
  const facts = all.bodies.map(({ facts }) => facts)
  if (all.isReport) return 'This is a report about the delivery of a message, not a receipt.'
  if (all.isWrapped)
    return 'The message is signed in a form that wraps its content. Open it in your mail program and upload the invoice.'
  if (all.isEncrypted)
    return 'The message is encrypted. Open it in your mail program and upload the invoice, or ask the sender to send it unencrypted.'
  const otherKind = facts.find((one) => one.otherKind !== null)?.otherKind
  if (otherKind) return `The text of the message is ${otherKind}, not a receipt.`
  const [problem] = problems
  if (problem) return problem
  if (office.length > 0)
    return `Office documents are not read (${listed(office)}). Save the invoice as a PDF and upload it, or ask the sender for a PDF.`
  if (seen.invitation) return 'This is an invitation or another calendar entry, not a receipt.'
  if (facts.some(({ linksToDocument, isReceipt }) => linksToDocument && !isReceipt))
    return 'The message has only a link to the invoice, and links are not opened. Download the file and upload it, or forward it as an attachment.'
  if (all.bodies[0]?.isBulk)
    return 'This is a newsletter or another bulk message, without a document and without the total of a receipt.'
  if (others.length > 0)
    return `No attached file is a picture, a PDF or an e-invoice (${listed(others)}). Upload the invoice in one of these forms.`
  if (seen.decoration)
    return 'The message has only small or decorative pictures, such as the logo of a signature, and its text is not a receipt.'
  if (seen.contact) return 'The message has only a contact card attached, and its text is not a receipt.'
  if (all.bodies.every(({ blocks }) => blocks.length === 0)) return 'The message has no text and no files.'
  if (facts.some(({ hasAmount }) => hasAmount))
    return 'Nothing is attached, and the text names an amount but is no receipt or invoice.'
  return 'Nothing is attached, and the text is no receipt: it has no total amount.'
}

const listed = (names: readonly string[]) => (names.length > 3 ? `${names.slice(0, 3).join(', ')} …` : names.join(', '))

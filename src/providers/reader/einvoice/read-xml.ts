import { textMax } from '../../../core/outside/receipt-reader.ts'
import { type Reading, Unreadable } from '../reading.ts'
import { fromCii } from './cii.ts'
import type { Element } from './element.ts'
import { type Invoice, toChecks, toFields } from './invoice.ts'
import { fromUbl } from './ubl.ts'
import { decodeXml, parseXml } from './xml.ts'

const cii = 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:'
const ubl = 'urn:oasis:names:specification:ubl:schema:xsd:'
/** The envelope that Peppol sends invoices in. */
const envelope = 'http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader'

/** How each root element is read, by namespace and name. */
const syntaxes: { uri: string; name: string; read(root: Element): Invoice }[] = [
  { uri: cii, name: 'CrossIndustryInvoice', read: fromCii },
  { uri: 'urn:ferd:CrossIndustryDocument:invoice:', name: 'CrossIndustryDocument', read: fromCii },
  { uri: `${ubl}Invoice-2`, name: 'Invoice', read: fromUbl },
  { uri: `${ubl}CreditNote-2`, name: 'CreditNote', read: fromUbl },
]

/** Reads an e-invoice exactly, without doubt about any field. Other XML is refused. */
export async function readXml(bytes: Buffer): Promise<Reading> {
  const invoice = toInvoice(await parseXml(bytes))
  const fields = toFields(invoice)
  if (!fields.documentNumber && !fields.total) {
    throw new Unreadable('DAMAGED', 'The e-invoice has neither a number nor a total.')
  }
  const text = decodeXml(bytes)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, textMax)
  return { providerId: 'kontor-einvoice', fields, checks: toChecks(invoice), pages: 1, text, turned: [] }
}

function toInvoice(root: Element): Invoice {
  const inside = root.uri === envelope ? root.children.find(({ uri }) => uri !== envelope) : undefined
  const document = inside ?? root
  const syntax = syntaxes.find(({ uri, name }) => document.uri.startsWith(uri) && document.name === name)
  if (syntax) return syntax.read(document)
  const sentence = `The XML is no invoice that can be read (its root is ${document.name.slice(0, 100)}); e-invoices in CII (Factur-X, ZUGFeRD, XRechnung) and UBL are.`
  throw new Unreadable('UNSUPPORTED_TYPE', sentence)
}

/** Whether a file begins like XML, in any encoding. */
export function looksLikeXml(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 1_024).replaceAll('\0', '')
  return /^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*<(\?xml\s|!--|[A-Za-z_])/.test(start)
}

/** Whether a file is an e-invoice by the namespace of its root, without parsing it. */
export function isEInvoice(bytes: Buffer): boolean {
  if (!looksLikeXml(bytes)) return false
  try {
    const beginning = decodeXml(bytes).slice(0, 20_000)
    return syntaxes.some(({ uri, name }) => {
      const declaration = new RegExp(`xmlns(:[\\w.-]+)?\\s*=\\s*["']${uri}`)
      return declaration.test(beginning) && new RegExp(`<([\\w.-]+:)?${name}[\\s>]`).test(beginning)
    })
  } catch (error) {
    if (error instanceof Unreadable) return false
    throw error
  }
}

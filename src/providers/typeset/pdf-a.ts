import { Buffer } from 'node:buffer'

/**
 * Turns a PDF of Typst into PDF/A-3a. Typst writes tagged PDF 1.7 with embedded fonts, a language and colour profiles.
 * The output intent and the conformance claim in the metadata are added as an incremental update at the end.
 */
export function toPdfA(pdf: Uint8Array): Uint8Array {
  const text = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength).toString('latin1')
  const trailer = text.slice(text.lastIndexOf('trailer'))
  const size = Number(found(/\/Size (\d+)/, trailer))
  const root = Number(found(/\/Root (\d+) 0 R/, trailer))
  const tableAt = found(/startxref\s+(\d+)/, trailer)
  const catalog = objectAt(text, root)
  const metadata = Number(found(/\/Metadata (\d+) 0 R/, catalog))
  const claimedMetadata = withClaim(objectAt(text, metadata))
  const catalogWithIntent = catalog.replace(/>>\s*$/, `  /OutputIntents [${intent(size)}]\n>>\n`)
  const objects = [
    { number: metadata, body: claimedMetadata },
    { number: root, body: catalogWithIntent },
    { number: size, body: profile },
  ].toSorted((a, b) => a.number - b.number)
  let update = '\n'
  let table = 'xref\n'
  for (const { number, body } of objects) {
    table += `${number} 1\n${String(pdf.byteLength + update.length).padStart(10, '0')} 00000 n\r\n`
    update += `${number} 0 obj\n${body.trim()}\nendobj\n\n`
  }
  const next = trailer
    .slice(0, trailer.indexOf('startxref'))
    .replace(/\/Size \d+/, `/Size ${size + 1}`)
    .replace(/>>\s*$/, `  /Prev ${tableAt}\n>>\n`)
  const end = `${table}${next}startxref\n${pdf.byteLength + update.length}\n%%EOF\n`
  return Buffer.concat([pdf, Buffer.from(update + end, 'latin1')])
}

/** The body of an object. Typst writes objects uncompressed, none in an object stream. */
function objectAt(text: string, number: number): string {
  const head = `\n${number} 0 obj\n`
  const from = text.lastIndexOf(head) + head.length
  return text.slice(from, text.indexOf('\nendobj', from))
}

/** The metadata with the conformance claim. */
function withClaim(object: string): string {
  const from = object.indexOf('stream\n') + 'stream\n'.length
  const xmp = object
    .slice(from, object.lastIndexOf('\nendstream'))
    .replace(
      '<rdf:Description rdf:about=""',
      '<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"',
    )
    .replace(
      '</rdf:Description>',
      '<pdfaid:part>3</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance></rdf:Description>',
    )
  return `<<\n  /Length ${xmp.length}\n  /Type /Metadata\n  /Subtype /XML\n>>\nstream\n${xmp}\nendstream`
}

const intent = (profileNumber: number) =>
  `<< /Type /OutputIntent /S /GTS_PDFA1 /OutputConditionIdentifier (sRGB) /Info (sRGB IEC61966-2.1) /DestOutputProfile ${profileNumber} 0 R >>`

/** The sRGB profile in 480 bytes, deflated: the compact profile of saucecontrol, in the public domain (CC0). */
const srgb = Buffer.from(
  'eNp9kL1LAnEcxj/XVZZYDTk0FBwlTQVRS1OBFzpF4EuoTef5FqhddxfSXA5NRUM0WksQzTbm0B8QBA1REG2tBjWUXPw00IJ6lu+Hh+eBLw9IT3m9' +
    'YHUrUCjaZijoV2LxhOJ6RsZLP4OMabplLIcDEQBLK1m6beb5obc7JHFvp3NaMbX9crWaWJCqOxPlaOB95Zz/5U6lLR34BHy6YdogKcB4yTYELwFe' +
    'PaelQIoBU2YsngBpV/jZFh8LTrb4QrAZCakg1QAl28HJDi7kt/TvH8T3nnQxGgb6gFEsQgTx/5HpbWZUVGZA7PV7ByszN9tqeRah59FxXifBdQCN' +
    'Q8f5OHGcxinID1DbbPc3KjBfB3m/7SWP4HIPRu7bnq8CQ2WoXhuaqTUtGejKrEP9DAbiMHwD7rUv4+JfsQ==',
  'base64',
)
const profile = `<<\n  /Length ${srgb.length}\n  /N 3\n  /Filter /FlateDecode\n>>\nstream\n${srgb.toString('latin1')}\nendstream`

function found(pattern: RegExp, text: string): string {
  const [, value] = pattern.exec(text) ?? []
  if (value === undefined) throw new Error(`The PDF lacks ${pattern}.`)
  return value
}

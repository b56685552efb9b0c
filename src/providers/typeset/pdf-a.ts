import { Buffer } from 'node:buffer'
import { openTypstPdf, streamOf, withEntries, withXmp } from './incremental.ts'

/**
 * Turns a PDF of Typst into PDF/A-3a. Typst writes tagged PDF 1.7 with embedded fonts, a language and colour profiles.
 * The output intent and the conformance claim in the metadata are added as an incremental update at the end.
 */
export function toPdfA(pdf: Uint8Array): Uint8Array {
  const { catalog, metadata, next, with: updated } = openTypstPdf(pdf)
  return updated([
    { ...metadata, body: withXmp(metadata.body, withClaim) },
    { ...catalog, body: withEntries(catalog.body, `/OutputIntents [${intent(next)}]`) },
    { number: next, body: profile },
  ])
}

/** The metadata with the conformance claim. */
const withClaim = (xmp: string) =>
  xmp
    .replace(
      '<rdf:Description rdf:about=""',
      '<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"',
    )
    .replace(
      '</rdf:Description>',
      '<pdfaid:part>3</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance></rdf:Description>',
    )

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
const profile = streamOf('/N 3\n  /Filter /FlateDecode', srgb.toString('latin1'))

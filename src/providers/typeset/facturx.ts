import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { openTypstPdf, streamOf, withEntries, withXmp } from './incremental.ts'

const fileName = 'factur-x.xml'

/**
 * Attaches an e-invoice to a PDF/A-3 as Factur-X 1.0 and ZUGFeRD 2 want it: a file in the name tree and in /AF of the catalog,
 * and a description in the metadata with the extension schema for its properties.
 */
export function withFacturX(pdf: Uint8Array, xml: string): Uint8Array {
  const { catalog, metadata, next, with: updated } = openTypstPdf(pdf)
  if (/\/Names\b|\/AF\b/.test(catalog.body)) throw new Error('The PDF has attachments or named destinations already.')
  const [file, specification] = [next, next + 1]
  const entries = `/AF [${specification} 0 R]\n  /Names << /EmbeddedFiles << /Names [(${fileName}) ${specification} 0 R] >> >>`
  return updated([
    { ...metadata, body: withXmp(metadata.body, described) },
    { ...catalog, body: withEntries(catalog.body, entries) },
    { number: file, body: embedded(Buffer.from(xml, 'utf8'), dateIn(metadata.body)) },
    { number: specification, body: specified(file) },
  ])
}

function embedded(xml: Buffer, date: string): string {
  const checksum = createHash('md5').update(xml).digest('hex')
  const parameters = `/Params << /Size ${xml.length} /ModDate (${date}) /CheckSum <${checksum}> >>`
  const packed = deflateSync(xml, { level: 9 }).toString('latin1')
  return streamOf(`/Type /EmbeddedFile\n  /Subtype /text#2Fxml\n  /Filter /FlateDecode\n  ${parameters}`, packed)
}

const specified = (file: number) =>
  `<<\n  /Type /Filespec\n  /F (${fileName})\n  /UF (${fileName})\n  /Desc (Factur-X invoice)\n  /AFRelationship /Alternative\n  /EF << /F ${file} 0 R /UF ${file} 0 R >>\n>>`

/** The date of the document, so that the same document is the same file. */
function dateIn(metadata: string): string {
  const [, iso = '1970-01-01T00:00:00'] = /<xmp:ModifyDate>(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)/.exec(metadata) ?? []
  return `D:${iso.replace(/\D/g, '')}Z`
}

const property = (name: string, description: string) =>
  `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`

const namespace = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'

const schema = `<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema><pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq>${[
  property('DocumentFileName', 'The name of the embedded XML document'),
  property('DocumentType', 'The type of the hybrid document in capital letters, e.g. INVOICE or ORDER'),
  property('Version', 'The actual version of the standard applying to the embedded XML document'),
  property('ConformanceLevel', 'The conformance level of the embedded XML document'),
].join('')}</rdf:Seq></pdfaSchema:property></rdf:li>`

const extension =
  'xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"'

const properties = `<rdf:Description rdf:about="" xmlns:fx="${namespace}"><fx:DocumentType>INVOICE</fx:DocumentType><fx:DocumentFileName>${fileName}</fx:DocumentFileName><fx:Version>1.0</fx:Version><fx:ConformanceLevel>EN 16931</fx:ConformanceLevel></rdf:Description>`

/** The schema joins those that are declared already: there is one list of them in a document. */
function described(xmp: string): string {
  const list = '<pdfaExtension:schemas><rdf:Bag>'
  const declared = xmp.includes(list)
    ? xmp.replace(list, `${list}${schema}`)
    : xmp.replace(
        '</rdf:RDF>',
        `<rdf:Description rdf:about="" ${extension}>${list}${schema}</rdf:Bag></pdfaExtension:schemas></rdf:Description></rdf:RDF>`,
      )
  return declared.replace('</rdf:RDF>', `${properties}</rdf:RDF>`)
}

/** A line of a page: a text on the left and maybe one on the right. ASCII only. */
export type PrintedLine = { text: string; right?: string; size?: number }

const [pageWidth, pageHeight, margin] = [595, 842, 64]

/** A PDF file of one page with these lines, in Helvetica, which every reader has. */
export function writePdf(lines: readonly PrintedLine[]): Uint8Array {
  let y = pageHeight - margin
  const content = lines.map(({ text, right, size = 11 }) => {
    y -= size * 1.6
    const rightX = right === undefined ? 0 : pageWidth - margin - right.length * size * 0.56
    return printed(text, { x: margin, y, size }) + (right === undefined ? '' : printed(right, { x: rightX, y, size }))
  })
  const stream = content.join('')
  return assembled([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${pageWidth} ${pageHeight}] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>`,
    `<< /Length ${stream.length} >>\nstream\n${stream}endstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ])
}

const printed = (text: string, { x, y, size }: { x: number; y: number; size: number }) =>
  `BT /F1 ${size} Tf ${x.toFixed(1)} ${y.toFixed(1)} Td (${text.replace(/[()\\]/g, '\\$&')}) Tj ET\n`

/** The objects, numbered from 1, with the table that says where each begins. */
function assembled(objects: readonly string[]): Uint8Array {
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const at = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  text += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

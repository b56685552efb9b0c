import { create } from 'qrcode'

/** A QR code as an SVG image: one dark path with the empty border that scanners need. */
export function codeAsSvg(text: string): string {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules
  const border = 2
  let path = ''
  for (let row = 0; row < size; row++)
    for (let from = 0; from < size; from++) {
      let to = from
      while (to < size && data[row * size + to]) to++
      if (to === from) continue
      path += `M${from + border} ${row + border}h${to - from}v1h${from - to}z`
      from = to
    }
  const side = size + 2 * border
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}"><path d="${path}" fill="#1c2126"/></svg>`
}

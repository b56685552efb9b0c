/** The characters that a font has a glyph for, from its `cmap` table (the two usual formats). */
export function charactersOf(font: Uint8Array): Set<number> {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength)
  const characters = new Set<number>()
  const cmap = tableAt(view, 'cmap')
  for (let at = 0; at < view.getUint16(cmap + 2); at++) {
    const table = cmap + view.getUint32(cmap + 4 + 8 * at + 4)
    const format = view.getUint16(table)
    if (format === 4) addSegments(characters, view, table)
    if (format === 12) addGroups(characters, view, table)
  }
  return characters
}

function tableAt(view: DataView, tag: string): number {
  const name = [...tag].reduce((code, letter) => code * 256 + letter.charCodeAt(0), 0)
  for (let at = 0; at < view.getUint16(4); at++)
    if (view.getUint32(12 + 16 * at) === name) return view.getUint32(12 + 16 * at + 8)
  throw new Error(`The font has no ${tag}.`)
}

function addSegments(characters: Set<number>, view: DataView, table: number) {
  const twice = view.getUint16(table + 6)
  for (let at = 0; at < twice; at += 2) {
    const last = view.getUint16(table + 14 + at)
    const first = view.getUint16(table + 16 + twice + at)
    for (let code = first; code <= last && code < 0xffff; code++) characters.add(code)
  }
}

function addGroups(characters: Set<number>, view: DataView, table: number) {
  for (let at = 0; at < view.getUint32(table + 12); at++) {
    const group = table + 16 + 12 * at
    for (let code = view.getUint32(group); code <= view.getUint32(group + 4); code++) characters.add(code)
  }
}

/** Characters in ascending order as the text that `decodeRanges` reads. */
export function encodeRanges(codes: Iterable<number>): string {
  const parts: string[] = []
  let [end, first, last] = [0, -1, -1]
  const close = () => {
    if (first < 0) return
    parts.push((first - end).toString(36) + (last > first ? `.${(last - first).toString(36)}` : ''))
    end = last
  }
  for (const code of codes) {
    if (code !== last + 1 || first < 0) {
      close()
      first = code
    }
    last = code
  }
  close()
  return parts.join(' ')
}

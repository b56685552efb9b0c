/**
 * Reads content of POP3 (RFC 1939, 3): a line that begins with a dot has one more, and a dot alone ends it. `rest` is what
 * follows the end, once it has been reached. A line ends with CR and LF together: if one of them did, the sender of a message
 * could write an end into it.
 */
export function createUnstuffer(): (piece: Buffer) => { parts: Buffer[]; rest: Buffer | undefined } {
  let state: 'start' | 'dot' | 'dot-cr' | 'middle' | 'cr' = 'start'

  return (piece) => {
    const parts: Buffer[] = []
    let from = 0
    let at = 0
    const drop = (to: number) => {
      if (to > from) parts.push(piece.subarray(from, to))
    }
    while (at < piece.length) {
      const byte = piece[at]
      if (state === 'start' && byte === dot) {
        drop(at)
        at += 1
        from = at
        state = 'dot'
      } else if (state === 'dot' && byte === carriageReturn) {
        at += 1
        from = at
        state = 'dot-cr'
      } else if (state === 'dot-cr' && byte === lineFeed) {
        return { parts, rest: piece.subarray(at + 1) }
      } else if (state === 'cr' && byte === lineFeed) {
        at += 1
        state = 'start'
      } else {
        if (state === 'dot-cr') parts.push(Buffer.from('\r')) // it was no end
        const found = piece.indexOf(carriageReturn, at)
        state = found < 0 ? 'middle' : 'cr'
        at = found < 0 ? piece.length : found + 1
      }
    }
    drop(at)
    return { parts, rest: undefined }
  }
}

const dot = 46
const carriageReturn = 13
const lineFeed = 10

/** Texts can be encoded more than once, for example HTML in JSON in a text of JSON. */
const depthMax = 3

/**
 * A text, and what it says when escapes of JSON, percent-encoding, entities of HTML or base64 are decoded, in any order.
 * Only what visible ASCII characters need: a secret has no others.
 */
export function decodings(text: string): Set<string> {
  const all = new Set([text])
  let last: readonly string[] = [text]
  for (let depth = 0; depth < depthMax; depth++) {
    last = last.flatMap((each) => decoders.map((decode) => decode(each))).filter((each) => !all.has(each))
    for (const each of last) all.add(each)
  }
  return all
}

/** A text that was cut off, without the part of an escape at its end. */
export const withoutBegunEscape = (text: string): string =>
  text.replace(/(?:\\(?:u[0-9a-f]{0,3}|x[0-9a-f]?)?|%[0-9a-f]?|&(?:#?\w{0,20}))$/i, '')

const toCharacter = (digits: string, base: number): string => {
  const code = Number.parseInt(digits, base)
  return code <= 0xffff ? String.fromCharCode(code) : ' '
}

const fromJson = (text: string) =>
  text.replace(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|(.))/gis, (_, u?: string, x?: string, other = '') => {
    const digits = u ?? x
    if (digits !== undefined) return toCharacter(digits, 16)
    return /[bfnrt]/.test(other) ? '\n' : other
  })

const fromPercent = (text: string) => text.replace(/%([0-7][0-9a-f])/gi, (_, digits: string) => toCharacter(digits, 16))

const fromForm = (text: string) => text.replaceAll('+', ' ')

const fromHtml = (text: string) =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));?/gi, (whole, decimal?: string, hex?: string, name = '') => {
    if (decimal !== undefined) return toCharacter(decimal, 10)
    return hex === undefined ? (entities.get(name.toLowerCase()) ?? whole) : toCharacter(hex, 16)
  })

const entities = new Map(
  `excl ! quot " num # dollar $ percnt % amp & apos ' lpar ( rpar ) ast * midast * plus + comma , period . sol / colon :
  semi ; lt < equals = gt > quest ? commat @ lsqb [ lbrack [ bsol \\ rsqb ] rbrack ] hat ^ lowbar _ underbar _ grave \`
  diacriticalgrave \` lcub { lbrace { verbar | vert | verticalline | rcub } rbrace }`
    .split(/\s+/)
    .flatMap((word, n, words): [string, string][] => (n % 2 === 0 ? [[word, words[n + 1] ?? '']] : [])),
)

const fromBase64 = (text: string) =>
  text.replace(/[a-z0-9+/_-]{12,}/gi, (run) => Buffer.from(run, 'base64').toString('latin1'))

const decoders = [fromJson, fromPercent, fromForm, fromHtml, fromBase64]

import { rules } from '../rules.ts'
import { isTest, sourcesWhere } from './sources.ts'

/** The families of rules, in the order in which docs/rules.md shows them. */
const families = {
  INV: 'Invariants: what is always true of the data; `kontor verify` recomputes them.',
  FLT: 'Faults: what holds when processes, disks, networks or other services fail.',
  IDEM: 'Idempotency keys: a repeated request has one effect.',
  THR: 'Threats: attacks and the defences against them.',
  SSRF: 'Outgoing calls to addresses that users choose.',
  SEC: 'Secrets at rest.',
  WEB: 'Browser sessions.',
  RATE: 'Rate limits.',
  LOAD: 'Load and memory; the other figures are measured by `npm run bench`.',
  MCP: 'The MCP endpoint.',
} as const

const id = `(?:${Object.keys(families).join('|')})-\\d{1,2}\\b`
const inName = new RegExp(`\\b${id}`, 'g')
/** A text with an id in it that a function follows, or the options before it: the name of a test. */
const testName = new RegExp(
  `(['"\`])((?:(?!\\1)[^\\n])*\\b${id}(?:(?!\\1)[^\\n])*)\\1,\\s*(?:async\\b|\\(|\\{|function\\b)`,
  'g',
)

type Covered = { file: string; names: string[] }

/** A test, or a group of tests, that only `npm run prove` runs: up to the line that ends it. */
const proof = /^([ ]*)(?:test|describe)[.\w]*\.runIf\((?:[^)\n]*\b)?proves\b[^)\n]*\)[\s\S]*?^\1[})]/gm

/** The tests that name a rule, by id and file. Without proofs, those that `npm test` runs. */
export function testsByRule({ proofs = true } = {}): Map<string, Covered[]> {
  const found = new Map<string, Covered[]>()
  for (const { file, text } of sourcesWhere(isTest))
    for (const name of testNames(proofs ? text : withoutProofs(text)))
      for (const rule of new Set(name.match(inName))) add(found, rule, { file, names: [name] })
  return found
}

export const withoutProofs = (text: string): string => text.replace(proof, '')

/** Comments are no tests. */
function testNames(text: string): string[] {
  const code = text.replace(/^\s*(\/\/|\/?\*).*$/gm, '')
  return [...code.matchAll(testName)].map(([, , name = '']) => name)
}

function add(found: Map<string, Covered[]>, rule: string, { file, names }: Covered) {
  const covered = found.get(rule) ?? []
  const known = covered.find((each) => each.file === file)
  if (known) known.names.push(...names)
  else covered.push({ file, names })
  found.set(rule, covered)
}

/** docs/rules.md: every rule in a sentence. */
export const ruleDocs = (): string =>
  page(
    `# Rules

Written by \`npm run docs\` from \`src/test/rules.ts\`; do not edit.

The names of tests contain the ids of the rules that they cover. \`npm test -- FLT-16\` runs the tests of one rule, and
\`npm run docs\` lists the tests of every rule in \`.cache/rules.md\`.`,
    ['rule', 'what holds'],
  )

/** Every rule with the tests that cover it; of every file at most two are named. */
export function ruleCoverage(): string {
  const tests = testsByRule()
  return page('# Rules and their tests', ['rule', 'what holds', 'covered by'], (rule) => [
    coverage(tests.get(rule) ?? []),
  ])
}

function page(heading: string, columns: string[], more: (rule: string) => string[] = () => []): string {
  const head = `${row(columns)}\n${row(columns.map(() => '---'))}`
  const chapters = Object.entries(families).flatMap(([family, says]) => {
    const lines = Object.entries(rules)
      .filter(([rule]) => rule.startsWith(`${family}-`))
      .sort(([a], [b]) => numberOf(a) - numberOf(b))
      .map(([rule, sentence]) => row([rule, sentence, ...more(rule)]))
    return lines.length > 0 ? [`## ${family}\n\n${says}\n\n${head}\n${lines.join('\n')}`] : []
  })
  return `${heading}\n\n${chapters.join('\n\n')}\n`
}

const row = (cells: string[]) => `| ${cells.join(' | ')} |`
const numberOf = (rule: string) => Number(rule.split('-')[1])
const shownMax = 2

const coverage = (covered: Covered[]) =>
  covered
    .map(({ file, names }) => {
      const shown = names.slice(0, shownMax).map((name) => `“${named(name)}”`)
      const more = names.length > shownMax ? ` and ${names.length - shownMax} more` : ''
      return `[${file}](../src/${file}): ${shown.join(', ')}${more}`
    })
    .join('; ')

/** Without the ids, which the row says already, and safe inside a table. */
const named = (name: string) =>
  name
    .replace(new RegExp(`^(?:${id}[ ,]*)+:? *`), '')
    .replace(new RegExp(` *\\((?:${id}[ ,]*)+\\)`), '')
    .replaceAll('|', '\\|') || name

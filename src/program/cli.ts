import { readConfig, WrongSetting } from '../config/config.ts'
import { productVersion } from '../core/values/product-version.ts'
import { parseUrl } from '../core/values/url.ts'
import { StartFailure } from '../db/start-failure.ts'
import { bridge } from '../mcp/stdio.ts'
import { verifyChain } from '../verify/chain-file.ts'
import { migrateOnly, removeSecondFactorOnly, rotateOnly, seedOnly, verifyOnly } from './maintenance.ts'
import { start, workOnly } from './start.ts'
import { backupOnly, restoreOnly } from './start-backup.ts'

const help = `Kontor: financial operations for small companies, their bookkeepers and their AI agents.

  kontor start      runs everything: database, API, pages, worker (this is npm start)
  kontor api        runs the API on the database in DATABASE_URL
  kontor worker     runs a worker on the database in DATABASE_URL
  kontor verify     checks every invariant of the books; fails if one is broken
  kontor verify --chain <file> [--head <hash>]
                    checks the hash chain of an exported document history, without a database
  kontor migrate    migrates the database to this version and exits
  kontor demo       fills an empty database with the demo companies and exits
  kontor backup [file]
                    writes everything into one file, while Kontor runs or not; the secrets key is not included
  kontor restore <file>
                    restores a backup into an empty database and verifies it
  kontor secrets rotate [--data]
                    wraps all keys with the first one of KONTOR_SECRETS_KEY; with --data also re-encrypts all secrets
  kontor second-factor remove <e-mail address>
                    removes the second factor of a person who has lost it; passkeys stay
  kontor start --without-secrets (also api, verify, restore)
                    when the secrets key is lost for good: opens the books, marks what it encrypted as lost, lists it, and
                    makes a new key
  kontor mcp [--tools compact]
                    connects an MCP client on standard input and output to a running Kontor (KONTOR_URL, KONTOR_API_KEY);
                    compact lists the everyday tools in few words, and the agent finds the others by search
  kontor --version  shows the version
  kontor --help     shows this

Settings come from the environment; .env.example explains each one.`

const say = (line: string) => void process.stdout.write(`${line}\n`)

async function main([verb = '--help', ...rest]: string[]): Promise<void> {
  switch (verb) {
    case 'start':
      return start(readConfig(process.env), say, { withWorker: true, withoutSecrets: isWithoutSecrets(rest) })
    case 'api':
      return start(needsDatabase(verb), say, { withWorker: false, withoutSecrets: isWithoutSecrets(rest) })
    case 'worker':
      return workOnly(needsDatabase(verb), say)
    case 'verify':
      process.exitCode = (await isVerified(rest)) ? 0 : 1
      return
    case 'migrate':
      return migrateOnly(readConfig(process.env), say)
    case 'demo':
      return seedOnly(readConfig(process.env), say)
    case 'backup':
      return backupOnly(readConfig(process.env), atMostOne(verb, rest), productVersion, say)
    case 'restore':
      process.exitCode = (await isRestored(rest)) ? 0 : 1
      return
    case 'secrets':
      return secrets(rest)
    case 'second-factor':
      return secondFactor(rest)
    case 'mcp':
      return mcp(toolsOption(rest), process.env)
    case '--version':
      return say(productVersion)
    case '--help':
    case 'help':
      return say(help)
    default:
      throw new WrongSetting(`Unknown command "kontor ${verb}".\n\n${help}`)
  }
}

const lostOption = '--without-secrets'
const isWithoutSecrets = (words: string[]) => words.includes(lostOption)
const others = (words: string[]) => words.filter((word) => word !== lostOption)

async function isVerified(words: string[]): Promise<boolean> {
  if (others(words).length > 0) return verifyChain(words, say)
  return verifyOnly(readConfig(process.env), { withoutSecrets: isWithoutSecrets(words) }, say)
}

const isRestored = (words: string[]): Promise<boolean> =>
  restoreOnly(
    readConfig(process.env),
    { file: exactlyOne('restore', others(words)), withoutSecrets: isWithoutSecrets(words) },
    say,
  )

function secondFactor([word, email, ...more]: string[]): Promise<void> {
  if (word !== 'remove' || !email || more.length > 0)
    throw new WrongSetting('Use kontor second-factor remove <e-mail address>.')
  return removeSecondFactorOnly(readConfig(process.env), email, say)
}

function secrets(words: string[]): Promise<void> {
  const said = words.join(' ')
  if (said !== 'rotate' && said !== 'rotate --data') {
    throw new WrongSetting(`Unknown command "kontor secrets ${said}". Use kontor secrets rotate [--data].`)
  }
  return rotateOnly(readConfig(process.env), { data: said === 'rotate --data' }, say)
}

function atMostOne(verb: string, [file, ...more]: string[]): string | undefined {
  if (more.length > 0 || file?.startsWith('-')) throw new WrongSetting(`kontor ${verb} takes the name of one file.`)
  return file
}

function exactlyOne(verb: string, words: string[]): string {
  const file = atMostOne(verb, words)
  if (!file) throw new WrongSetting(`kontor ${verb} needs the name of a file.`)
  return file
}

/** The list of tools that `--tools` names; undefined without it. */
function toolsOption([option, tools, ...more]: string[]): string | undefined {
  if (option === undefined) return undefined
  if (option === '--tools' && (tools === 'compact' || tools === 'full') && more.length === 0) return tools
  throw new WrongSetting('kontor mcp takes --tools compact, --tools full or nothing.')
}

/** The standard output carries the protocol only; messages go to the standard error. */
async function mcp(
  tools: string | undefined,
  { KONTOR_API_KEY: key, KONTOR_URL, PORT }: NodeJS.ProcessEnv,
): Promise<void> {
  const url = KONTOR_URL || `http://127.0.0.1:${PORT || 3000}`
  if (!parseUrl(url)) throw new WrongSetting(`KONTOR_URL must be the address of a running Kontor; it is "${url}".`)
  if (!key) throw new WrongSetting('Set KONTOR_API_KEY to an API key: npm start prints one for the demo companies.')
  const say = (line: string) => void process.stderr.write(`${line}\n`)
  await bridge({ url, key, tools, input: process.stdin, output: process.stdout, report: say })
}

function needsDatabase(verb: string) {
  const config = readConfig(process.env)
  if (!config.databaseUrl)
    throw new WrongSetting(`kontor ${verb} needs a database of your own: set DATABASE_URL. kontor start includes one.`)
  return config
}

/** Errors that the operator can fix are shown as a sentence, all others with their stack trace. */
main(process.argv.slice(2)).catch((error: unknown) => {
  const expected = error instanceof WrongSetting || error instanceof StartFailure
  process.stderr.write(`${expected ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(1)
})
